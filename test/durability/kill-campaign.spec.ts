import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createSeededRandom, type SeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { openOperator } from '../harness/service.ts';
import { reapAfterEach, spawnServe, type ServeProcess } from '../harness/spawn-serve.ts';
import { testSeed } from '../harness/test-seed.ts';
import { until } from '../harness/until.ts';
import { readAftermath, rewindEventLog, waitUntilSettled } from './aftermath.ts';
import { audit } from './audit.ts';
import { createGate } from './gate.ts';
import { setScene, type Scene } from './scene.ts';
import { attempt, deletionIdOf, finalAnswer, runClient, type SentRequest } from './sent-requests.ts';

const seed = testSeed('kill campaign');
const kills = Number(process.env.TEST_KILLS ?? 12);
const clients = 16;
const newPath = temporaryFolder();

/** Freezes, and a machine under load, cause warnings. */
const options = { env: { LOG_LEVEL: 'error' } };

reapAfterEach();

test('a process killed at any moment removes exactly the accepted jobs', async () => {
  const dataDir = newPath('data');
  const scene = await setScene(dataDir, { Acme: 2_500 * kills, Umbrella: 1_250 * kills });
  const requests = await killAgainAndAgain(dataDir, scene);
  process.stderr.write(`kill campaign: ${summary(requests)}\n`);

  const aftermath = await readAftermath(dataDir);
  expect(audit({ imported: scene.imported, requests }, aftermath)).toEqual([]);
  const accepted = requests.filter((request) => finalAnswer(request)?.status === 200);
  // A service that refuses everything loses nothing either, so most requests must succeed.
  expect(accepted.length).toBeGreaterThan(requests.length / 2);
  await expectReplays(dataDir, requests);
  await expectRepostedJobsToStay(dataDir, scene, requests);
});

/** Returns when the service is down and all deletions are settled. */
async function killAgainAndAgain(dataDir: string, { pools }: Scene): Promise<SentRequest[]> {
  const random = createSeededRandom(seed);
  const requests: SentRequest[] = [];
  const gate = createGate();
  const load = Array.from({ length: clients }, (_, index) => {
    const pool = pools[index % pools.length];
    if (pool === undefined) throw new Error('no account');
    return runClient(`c${String(index)}x`, pool, createSeededRandom(seed + index + 1), gate, requests);
  });

  for (let kill = 0; kill < kills; kill++) {
    const serve = spawnServe(dataDir, options);
    if (random.fraction() < 0.2) {
      await delay(random.below(400));
    } else {
      gate.open(await serve.ready);
      const before = requests.length;
      const after = random.below(250);
      await until(() => requests.length >= before + after);
      await delay(random.fraction() * 20);
      if (random.fraction() < 0.3) await freeze(serve, random);
    }
    gate.shut();
    serve.kill('SIGKILL');
    await serve.exited;
    expect(serve.stderr()).toBe('');
  }
  const serve = spawnServe(dataDir, options);
  gate.open(await serve.ready);
  gate.end();
  await Promise.all(load);
  await waitUntilSettled(dataDir);
  serve.kill('SIGKILL');
  await serve.exited;
  return requests;
}

/** Freezes the process while clients wait for it. It then continues or is killed soon after. */
async function freeze(serve: ServeProcess, random: SeededRandom): Promise<void> {
  serve.kill('SIGSTOP');
  await delay(random.below(300));
  serve.kill('SIGCONT');
  await delay(random.fraction() * 20);
}

/** Checks that a key replays its first answer long after the removal, and refuses other ids. */
async function expectReplays(dataDir: string, requests: readonly SentRequest[]): Promise<void> {
  const serve = spawnServe(dataDir, options);
  const baseUrl = await serve.ready;
  const accepted = requests.filter(
    (request) => request.key !== undefined && finalAnswer(request)?.status === 200,
  );
  for (const request of accepted.slice(-50)) {
    const first = finalAnswer(request);
    const again = await attempt({ ...request, attempts: [] }, baseUrl);
    expect(again?.text).toBe(first?.text);
    expect(again?.headers['idempotent-replayed']).toBe('true');
    expect(again && deletionIdOf(again)).toBe(first && deletionIdOf(first));
    const others = await attempt(
      { ...request, jobIds: [...request.jobIds, 'another'], attempts: [] },
      baseUrl,
    );
    expect(others?.json).toMatchObject({ status: 400, code: 'idempotency_key_reused' });
  }
  serve.kill('SIGKILL');
  await serve.exited;
}

/** Delivers every event once more, to a database with new postings under the old ids. */
async function expectRepostedJobsToStay(
  dataDir: string,
  { accounts }: Scene,
  requests: readonly SentRequest[],
) {
  const operator = openOperator(dataDir);
  const before = await operator.store.countJobs(undefined);
  let reposted = 0;
  for (const { accountId } of accounts) {
    const accepted = requests.filter(
      (request) => request.account.accountId === accountId && finalAnswer(request)?.status === 200,
    );
    const jobIds = accepted.flatMap((request) => request.jobIds);
    await operator.importJobs(accountId, jobIds);
    reposted += jobIds.length;
  }
  await operator.close();
  rewindEventLog(dataDir);

  const serve = spawnServe(dataDir, options);
  await serve.ready;
  await waitUntilSettled(dataDir);
  serve.kill('SIGKILL');
  await serve.exited;
  const { jobs, deletions, deadLetters } = await readAftermath(dataDir);
  expect(jobs).toHaveLength(before + reposted);
  expect(jobs.filter(({ claimedBy }) => claimedBy !== null)).toEqual([]);
  expect(deletions.filter(({ state }) => state !== 'completed')).toEqual([]);
  expect(deadLetters).toBe(0);
}

function summary(requests: readonly SentRequest[]): string {
  const count = (name: string, is: (request: SentRequest) => boolean) =>
    `${name} ${String(requests.filter(is).length)}`;
  const status = (request: SentRequest) => finalAnswer(request)?.status;
  return [
    count('requests', () => true),
    count('accepted', (request) => status(request) === 200),
    count('refused', (request) => status(request) === 404),
    count('lost', (request) => status(request) === undefined),
    count('retried', ({ attempts }) => attempts.length > 1),
    count('replayed', (request) => finalAnswer(request)?.headers['idempotent-replayed'] === 'true'),
  ].join(', ');
}
