import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { reapAfterEach, spawnServe } from '../harness/spawn-serve.ts';

const newPath = temporaryFolder();
reapAfterEach();

test('serve tells other commands the port of the dashboard that it has picked, until it stops', async () => {
  const dataDir = newPath('data');
  const path = join(dataDir, 'dashboard.port');
  const serve = spawnServe(dataDir, { args: ['--demo'] });
  await serve.ready;
  const port = /http:\/\/localhost:(\d+)\/link\//.exec(serve.stdout())?.[1];
  expect(readFileSync(path, 'utf8')).toBe(port);
  serve.kill('SIGTERM');
  await serve.exited;
  expect(existsSync(path)).toBe(false);
});

test('serve removes the port of one that was killed', async () => {
  const dataDir = newPath('data');
  const path = join(dataDir, 'dashboard.port');
  const killed = spawnServe(dataDir);
  await killed.ready;
  killed.kill('SIGKILL');
  await killed.exited;
  const DASHBOARD_PORT = readFileSync(path, 'utf8');
  await spawnServe(dataDir, { env: { DASHBOARD_PORT } }).ready;
  expect(existsSync(path)).toBe(false);
});
