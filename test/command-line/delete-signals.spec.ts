import { writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { startCountingServer } from 'jobs-delete/delete/counting-server.fixture';
import { spawnDelete, type DeleteProcess } from './run-delete.ts';
import { temporaryFiles } from './temporary-files.ts';

const newFile = temporaryFiles();
const caller = { token: 'a-token', secretKey: 'a-key', origin: 'https://acme.example' };

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends a run with its report', async (signal) => {
  const running: DeleteProcess[] = [];
  const server = await startCountingServer({
    beforeRequest: (_request, index) => {
      if (index < 2) return undefined;
      for (const child of running) child.kill(signal);
      return 'drop';
    },
  });
  const ids = newFile('ids.txt');
  writeFileSync(ids, Array.from({ length: 40 }, (_, index) => `JOB${String(index + 1_000)}`).join('\n'));
  const args = [ids, '--jobs-per-request', '10', '--concurrency', '1', '--json'];
  const child = spawnDelete(server.baseUrl, caller, args);
  running.push(child);
  const { code, stdout, stderr } = await child.exited;
  server.stop();
  expect(code).toBe(130);
  expect(JSON.parse(stdout)).toMatchObject({ complete: false, accepted_jobs: 20, open_jobs: 20 });
  expect(stderr).toContain('Interrupted.\nTo continue, run the same command again\n');
});
