import { expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { reapAfterEach, spawnServe } from '../harness/spawn-serve.ts';
import { readAftermath, waitUntilSettled } from './aftermath.ts';
import { audit } from './audit.ts';
import { setScene } from './scene.ts';
import { attempt, finalAnswer, type SentRequest } from './sent-requests.ts';

const newPath = temporaryFolder();
const preload = `--import=${new URL('./die-at-write.js', import.meta.url).href}`;

reapAfterEach();

test('a crash before any write of a deletion loses and repeats nothing', async () => {
  const dataDir = newPath('data');
  const { accounts, pools, imported } = await setScene(dataDir, { Acme: 200 });
  const [account] = accounts;
  const [pool] = pools;
  if (account === undefined || pool === undefined) throw new Error('no account');

  const requests: SentRequest[] = [];
  let code: number | null = null;
  for (let write = 1; code === null; write++) {
    // Also finishes the work that the previous process left.
    // A machine under load causes warnings.
    const env = { NODE_OPTIONS: preload, DIE_AT_WRITE: String(write), LOG_LEVEL: 'error' };
    const serve = spawnServe(dataDir, { env });
    const baseUrl = await serve.ready;
    await waitUntilSettled(dataDir);
    const request: SentRequest = {
      account,
      format: 'json',
      jobIds: pool.jobIds.slice(write * 2, write * 2 + 2),
      key: `write-${String(write)}`,
      attempts: [],
    };
    requests.push(request);
    await attempt(request, baseUrl);
    code = (await serve.exited).code;
    expect(serve.stderr()).toBe('');
  }
  expect(code).toBe(42);
  // Writes of a deletion: BEGIN, statements and COMMIT to accept, publish, mark, remove, announce, and the offset.
  expect(requests.length).toBeGreaterThan(12);

  const serve = spawnServe(dataDir);
  const baseUrl = await serve.ready;
  for (const request of requests) await attempt(request, baseUrl);
  expect(requests.filter((request) => finalAnswer(request)?.status !== 200)).toEqual([]);
  await waitUntilSettled(dataDir);
  expect(audit({ imported, requests }, await readAftermath(dataDir))).toEqual([]);
});
