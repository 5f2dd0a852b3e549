import { expect, test } from '@jest/globals';
import { createSeededRandom, type SeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { reapAfterEach, spawnServe } from '../harness/spawn-serve.ts';
import { testSeed } from '../harness/test-seed.ts';
import { readAftermath, waitUntilSettled } from './aftermath.ts';
import { audit } from './audit.ts';
import { setScene } from './scene.ts';
import { attempt, deletionIdOf, finalAnswer, type SentRequest } from './sent-requests.ts';

const seed = testSeed('races');
const clients = 50;
const newPath = temporaryFolder();

reapAfterEach();

test('exactly one of 50 concurrent clients deletes each job', async () => {
  const dataDir = newPath('data');
  const { accounts, pools, imported } = await setScene(dataDir, { Acme: 1_500 });
  const [account] = accounts;
  const jobIds = pools[0]?.jobIds ?? [];
  if (account === undefined) throw new Error('no account');
  const serve = spawnServe(dataDir);
  const baseUrl = await serve.ready;

  const requests: SentRequest[] = [];
  const race = async (client: number) => {
    const random = createSeededRandom(seed + client);
    // All clients compete for the same hundred jobs at any time.
    for (let from = 0; from < jobIds.length; from += 100) {
      const request: SentRequest = {
        account,
        format: client % 2 === 0 ? 'json' : 'xml',
        jobIds: drawOverlapping(jobIds.slice(from, from + 100), random),
        key: undefined,
        attempts: [],
      };
      requests.push(request);
      await attempt(request, baseUrl);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => race(client)));
  await waitUntilSettled(dataDir);

  const named = requests.flatMap((request) => (finalAnswer(request)?.status === 200 ? request.jobIds : []));
  expect(new Set(named).size).toBe(named.length);
  expect(requests.filter((request) => ![200, 404].includes(finalAnswer(request)?.status ?? 0))).toEqual([]);
  expect(audit({ imported, requests }, await readAftermath(dataDir))).toEqual([]);
});

test('one of 50 concurrent requests with the same key deletes, and the others replay its answer', async () => {
  const dataDir = newPath('data');
  const { accounts, pools, imported } = await setScene(dataDir, { Acme: 1_000 });
  const [account] = accounts;
  const jobIds = pools[0]?.jobIds ?? [];
  if (account === undefined) throw new Error('no account');
  const serve = spawnServe(dataDir);
  const baseUrl = await serve.ready;

  for (let round = 0; round < 10; round++) {
    const requests = Array.from({ length: clients }, (_, client): SentRequest => ({
      account,
      format: client % 2 === 0 ? 'json' : 'xml',
      jobIds: jobIds.slice(round * 100, round * 100 + (round % 2 === 0 ? 1 : 100)),
      key: `round-${String(round)}`,
      attempts: [],
    }));
    const answers = await Promise.all(requests.map((request) => attempt(request, baseUrl)));
    expect(new Set(answers.map((answer) => answer?.status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer && deletionIdOf(answer))).size).toBe(1);
    expect(new Set(answers.map((answer) => answer?.text)).size).toBe(1);
    const replays = answers.filter((answer) => answer?.headers['idempotent-replayed'] === 'true');
    expect(replays).toHaveLength(clients - 1);
  }
  await waitUntilSettled(dataDir);
  const { deletions, jobs } = await readAftermath(dataDir);
  expect(deletions).toHaveLength(10);
  expect(jobs).toHaveLength((imported.get('Acme')?.length ?? 0) - 5 - 5 * 100);
});

/** Draws 1 to 10 of the candidates, all equally likely. */
function drawOverlapping(candidates: readonly string[], random: SeededRandom): string[] {
  const drawn = new Set<string>();
  const size = 1 + random.below(10);
  while (drawn.size < size) drawn.add(candidates[random.below(candidates.length)] ?? '');
  return [...drawn];
}
