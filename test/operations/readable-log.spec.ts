import { expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { reapAfterEach, spawnServe } from '../harness/spawn-serve.ts';
import { until } from '../harness/until.ts';

const newPath = temporaryFolder();
reapAfterEach();

/** Runs a command on a new terminal. */
const onTerminal = ['bash', '-c', 'exec script -qfec "$(printf "%q " "$@")" /dev/null', '--'];

async function logOfRequest(wrapper: readonly string[]): Promise<string> {
  const serve = spawnServe(newPath('data'), { env: { LOG_LEVEL: 'info' }, wrapper });
  const output = () => serve.stdout() + serve.stderr();
  await fetch(`${await serve.ready}/nowhere`);
  await until(() => output().includes('route_not_found'));
  return output();
}

test('serve logs in a readable form on a terminal', async () => {
  const log = await logOfRequest(onTerminal);
  expect(log).toMatch(/^\[\d\d:\d\d:\d\d\.\d{3}\] .*INFO.*request.*"status":404/m);
  expect(log).not.toContain('"level":30');
});

test('serve logs JSON lines elsewhere', async () => {
  expect(await logOfRequest([])).toMatch(/^\{"level":30,.*"msg":"request"\}$/m);
});
