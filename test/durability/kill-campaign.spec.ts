import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { isFinal } from '@jobs-delete/deleter-service/store/deletion';
import { createSeededRandom, type SeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { openOperator, type Operator } from '../harness/service.ts';
import { reapAfterEach, spawnServe, type ServeProcess } from '../harness/spawn-serve.ts';
import { testSeed } from '../harness/test-seed.ts';
import { until } from '../harness/until.ts';
import { addCampaign } from '../linearizability/campaign-history.ts';
import { expectLinearizable } from '../linearizability/expect-linearizable.ts';
import { createHistory, type History } from '../linearizability/history.ts';
import { describeWith } from '../servers/describe-with.ts';
import { readAftermath, rewindEventLog, waitUntilSettled, type Aftermath } from './aftermath.ts';
import { audit } from './audit.ts';
import { carefulClient, isToldAsCancelled, protectAccounts, type SafetyLog } from './careful-client.ts';
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

let history: History;

const removalDelayMs = 1_000;
const protections = {
  Guarded: { limit: 25 * kills, removalDelayMs: 0 },
  Careful: { limit: 50 * kills, removalDelayMs },
};
/** An allowance counts until the millisecond of its end; requests of this time may be written in another order. */
const tolerance = { afterEndMs: 1_000, afterBeginMs: 60_000 };

test('a process killed at any moment removes exactly the accepted jobs, within the limits', async () => {
  const dataDir = newPath('data');
  const scene = await setScene(dataDir, {
    Acme: 2_500 * kills,
    Umbrella: 1_250 * kills,
    Guarded: 600 * kills,
    Careful: 600 * kills,
  });
  const operator = openOperator(dataDir);
  const { requests, safety } = await killAgainAndAgain(dataDir, scene, operator);
  await operator.close();
  process.stderr.write(`kill campaign: ${summary(requests, safety)}\n`);
  history = createHistory(newPath('history.jsonl'));
  addCampaign(history, scene.imported, requests, safety);

  const aftermath = await readAftermath(dataDir);
  const evidence = { imported: scene.imported, requests, safety: { ...safety, tolerance } };
  expect(audit(evidence, aftermath)).toEqual([]);
  expectLimitsToBeReached(requests, safety);
  const withinLimit = requests.filter((request) => finalAnswer(request)?.status !== 403);
  const accepted = withinLimit.filter((request) => finalAnswer(request)?.status === 200);
  // A service that refuses everything loses nothing either, so most requests must succeed.
  expect(accepted.length).toBeGreaterThan(withinLimit.length / 2);

  const serve = spawnServe(dataDir, options);
  await expectReplays(await serve.ready, requests);
  await expectCancelledJobsToBeDeletable(await serve.ready, aftermath, scene);
  await waitUntilSettled(dataDir);
  serve.kill('SIGKILL');
  await serve.exited;
  await expectRepostedJobsToStay(dataDir, scene, requests);
});

describeWith('history checker', 'the history of the kill campaign', (checker) => {
  test('is linearizable', () => expectLinearizable(checker, history));
});

/** Returns when the service is down and all deletions are settled. */
async function killAgainAndAgain(dataDir: string, { pools }: Scene, { store }: Operator) {
  const random = createSeededRandom(seed);
  const requests: SentRequest[] = [];
  const gate = createGate();
  const { log: safety, allowMore, lift } = await protectAccounts(store, protections);
  const runCarefulClient = carefulClient(store, safety, removalDelayMs);
  const load = Array.from({ length: clients }, (_, index) => {
    const pool = pools[index % pools.length];
    if (pool === undefined) throw new Error('no account');
    const run = pool.account.accountId === 'Careful' ? runCarefulClient : runClient;
    return run(`c${String(index)}x`, pool, createSeededRandom(seed + index + 1), gate, requests);
  });

  for (let kill = 0; kill < kills; kill++) {
    // While the service is down, because a running one may notice it later.
    if (random.fraction() < 0.4) await allowMore(0.2, random.below(3_000));
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
  await lift();
  const serve = spawnServe(dataDir, options);
  gate.open(await serve.ready);
  gate.end();
  await Promise.all(load);
  await waitUntilSettled(dataDir);
  serve.kill('SIGKILL');
  await serve.exited;
  return { requests, safety };
}

/** Without refusals and cancellations the audit of them says nothing. */
function expectLimitsToBeReached(requests: readonly SentRequest[], { cancellations }: SafetyLog): void {
  expect(requests.some((request) => finalAnswer(request)?.status === 403)).toBe(true);
  expect(cancellations.some(isToldAsCancelled)).toBe(true);
}

/** Deletes what cancelled deletions have left. Their delay has no effect on the answer. */
async function expectCancelledJobsToBeDeletable(
  baseUrl: string,
  { deletions, jobs }: Aftermath,
  { accounts }: Scene,
): Promise<void> {
  const left = new Set(jobs.map(({ accountId, jobId }) => `${accountId}/${jobId}`));
  for (const account of accounts) {
    const { accountId } = account;
    const cancelled = deletions.filter((one) => one.accountId === accountId && one.state === 'cancelled');
    const jobIds = [...new Set(cancelled.flatMap((one) => one.jobIds))].filter((id) =>
      left.has(`${accountId}/${id}`),
    );
    if (jobIds.length === 0) continue;
    const answer = await attempt({ account, format: 'json', jobIds, key: undefined, attempts: [] }, baseUrl);
    expect([answer?.status, answer?.text]).toEqual([200, answer?.text]);
  }
}

/** Freezes the process while clients wait for it. It then continues or is killed soon after. */
async function freeze(serve: ServeProcess, random: SeededRandom): Promise<void> {
  serve.kill('SIGSTOP');
  await delay(random.below(300));
  serve.kill('SIGCONT');
  await delay(random.fraction() * 20);
}

/** Checks that a key replays its first answer long after the removal, and refuses other ids. */
async function expectReplays(baseUrl: string, requests: readonly SentRequest[]): Promise<void> {
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
}

/** Delivers every event once more, to a database with new postings under the old ids. */
async function expectRepostedJobsToStay(
  dataDir: string,
  { accounts }: Scene,
  requests: readonly SentRequest[],
) {
  const operator = openOperator(dataDir);
  const { jobs: before } = await readAftermath(dataDir);
  const expected = new Set(before.map(({ accountId, jobId }) => `${accountId}/${jobId}`));
  for (const { accountId } of accounts) {
    const accepted = requests.filter(
      (request) => request.account.accountId === accountId && finalAnswer(request)?.status === 200,
    );
    const jobIds = accepted.flatMap((request) => request.jobIds);
    await operator.importJobs(accountId, jobIds);
    for (const jobId of jobIds) expected.add(`${accountId}/${jobId}`);
  }
  await operator.close();
  rewindEventLog(dataDir);

  const serve = spawnServe(dataDir, options);
  await serve.ready;
  await waitUntilSettled(dataDir);
  serve.kill('SIGKILL');
  await serve.exited;
  const { jobs, deletions, deadLetters } = await readAftermath(dataDir);
  expect(new Set(jobs.map(({ accountId, jobId }) => `${accountId}/${jobId}`))).toEqual(expected);
  expect(jobs.filter(({ claimedBy }) => claimedBy !== null)).toEqual([]);
  expect(deletions.filter(({ state }) => !isFinal(state))).toEqual([]);
  expect(deadLetters).toBe(0);
}

function summary(requests: readonly SentRequest[], { cancellations, repostings }: SafetyLog): string {
  const count = (name: string, is: (request: SentRequest) => boolean) =>
    `${name} ${String(requests.filter(is).length)}`;
  const status = (request: SentRequest) => finalAnswer(request)?.status;
  return [
    count('requests', () => true),
    count('accepted', (request) => status(request) === 200),
    count('refused', (request) => status(request) === 404),
    count('beyond a limit', (request) => status(request) === 403),
    `cancelled ${String(cancellations.filter(isToldAsCancelled).length)} of ${String(cancellations.length)}`,
    `posted again ${String(repostings.length)}`,
    count('lost', (request) => status(request) === undefined),
    count('retried', ({ attempts }) => attempts.length > 1),
    count('replayed', (request) => finalAnswer(request)?.headers['idempotent-replayed'] === 'true'),
  ].join(', ');
}
