import { expect, test } from '@jest/globals';
import { createSeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { openOperator } from '../harness/service.ts';
import { reapAfterEach, spawnServe } from '../harness/spawn-serve.ts';
import { testSeed } from '../harness/test-seed.ts';
import { readAftermath, waitUntilSettled } from './aftermath.ts';
import { audit } from './audit.ts';
import { setScene } from './scene.ts';
import { attempt, finalAnswer, type SentRequest } from './sent-requests.ts';

const seed = testSeed('bulk');
const newPath = temporaryFolder();
const keptCount = 1_234;

reapAfterEach();

test('100,000 jobs are deleted once each in requests of 1 to 10,000, and no other jobs', async () => {
  const dataDir = newPath('data');
  const { accounts, pools, imported } = await setScene(dataDir, { Acme: 100_000 });
  const [account] = accounts;
  const all = pools[0]?.jobIds ?? [];
  if (account === undefined) throw new Error('no account');
  const serve = spawnServe(dataDir);
  const baseUrl = await serve.ready;

  const requests: SentRequest[] = [];
  const random = createSeededRandom(seed);
  for (let from = 0; from < all.length - keptCount;) {
    const most = [10, 1_000, 10_000][random.below(3)] ?? 10;
    const size = requests.length === 0 ? 10_000 : 1 + random.below(most);
    const jobIds = all.slice(from, Math.min(from + size, all.length - keptCount));
    const format = requests.length % 2 === 0 ? 'json' : 'xml';
    requests.push({ account, format, jobIds, key: undefined, attempts: [] });
    from += jobIds.length;
  }
  const queue = [...requests];
  const work = async () => {
    for (let request = queue.shift(); request !== undefined; request = queue.shift()) {
      await attempt(request, baseUrl);
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
  expect(requests.filter((request) => finalAnswer(request)?.status !== 200)).toEqual([]);

  await waitUntilSettled(dataDir);
  const operator = openOperator(dataDir);
  expect(await operator.store.countJobs('Acme')).toBe(keptCount);
  await operator.close();
  expect(audit({ imported, requests }, await readAftermath(dataDir))).toEqual([]);
});
