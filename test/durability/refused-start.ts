import { expect } from '@jest/globals';
import { spawnServe, type SpawnServeOptions } from '../harness/spawn-serve.ts';

/** Starts a process that must fail to start. Checks that it prints a short reason, no stack, and is never ready. */
export async function refusedStart(
  dataDir: string,
  options: SpawnServeOptions = {},
): Promise<{ exitCode: number | null; reason: string }> {
  const serve = spawnServe(dataDir, options);
  // A process that starts does not exit.
  serve.ready.then(
    () => serve.kill('SIGKILL'),
    () => undefined,
  );
  const { code } = await serve.exited;
  const reason = serve.stderr();
  expect(reason).not.toMatch(/^\s+at /m);
  expect(reason).not.toBe('');
  expect(serve.stdout()).toBe('');
  expect(code).not.toBe(0);
  return { exitCode: code, reason };
}
