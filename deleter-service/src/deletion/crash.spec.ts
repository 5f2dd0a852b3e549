import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { jobsDeletedTopic, type JobsDeletedData } from '@jobs-delete/proto/events';
import { createVirtualClock, type VirtualClock } from '@jobs-delete/runtime/testing/virtual-clock';
import type { EventLog } from '../event-log/event-log.ts';
import type { Store } from '../store/store.ts';
import { allDeletions, importJobs, jobIds, origin } from '../testing/deletions.ts';
import type { Crash } from '../testing/mortal.ts';
import { openEventLog, openStore } from '../testing/open-adapters.ts';
import { createSeededRandom, type SeededRandom } from '../testing/seeded-random.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import type { AcceptDeletion } from './accept-deletion.ts';
import { startMortalService } from './mortal-service.fixture.ts';

/**
 * A whole deletion service dies at each of its steps in turn, is started again on what it has left on the disk,
 * and runs until nothing is left to do. Time and chance are virtual: each run is the same every time.
 */
const newPath = temporaryFolder();
const everyJob = jobIds(2_520);
/** The requests of the clients, and their times. A client without a key does not retry. */
const wishes: readonly { jobIds: readonly string[]; key?: string; atMs: number }[] = [
  { jobIds: everyJob.slice(0, 2_500), key: 'large', atMs: 0 },
  { jobIds: everyJob.slice(2_500, 2_503), key: 'small', atMs: 0 },
  { jobIds: everyJob.slice(2_502, 2_505), key: 'rival', atMs: 0 },
  { jobIds: everyJob.slice(2_505, 2_506), atMs: 5 },
  { jobIds: everyJob.slice(2_506, 2_510), key: 'late', atMs: 1_200 },
];
const bystanders = everyJob.slice(2_510);

describe('a service that dies', () => {
  let clock: VirtualClock;
  let random: SeededRandom;
  let store: Store;
  let eventLog: EventLog;
  let listenerLog: EventLog;
  let runs: number;
  let announced: Map<string, Set<string>>;

  beforeEach(async () => {
    runs = 0;
    announced = new Map();
    clock = createVirtualClock();
    random = createSeededRandom(1);
    store = openStore(newPath());
    const path = newPath();
    eventLog = openEventLog(path, { clock, random, maxBatch: 2, pollMs: 5_000 });
    listenerLog = openEventLog(path, { clock, random, maxBatch: 10_000, pollMs: 10_000 });
    await listenerLog.consume(jobsDeletedTopic, 'test.listener', (events) => {
      for (const { value } of events) {
        const { account_id, deletion_id, jobs } = JSON.parse(value.toString()) as JobsDeletedData;
        const ofAccount = announced.get(account_id) ?? new Set();
        for (const { id } of jobs) ofAccount.add(`${deletion_id} ${id}`);
        announced.set(account_id, ofAccount);
      }
      return Promise.resolve();
    });
  });
  afterEach(async () => {
    await listenerLog.close();
    await eventLog.close();
    await store.close();
  });

  const startLife = (crash: Crash | undefined) =>
    startMortalService({ store, eventLog, clock, random }, crash);

  /** Lives end by the crashes in turn; the last one is not ended. @returns what is wrong, and the calls of the first */
  const run = async (crashes: readonly Crash[], releaseLeases: boolean) => {
    const accountId = `account-${++runs}`;
    await importJobs(store, accountId, everyJob);
    let life = await startLife(crashes[0]);
    const clients = wishes.map((wish) => insist(wish, accountId, () => life.acceptDeletion));
    let answered = 0;
    for (const client of clients) void client.then(() => answered++);
    const isDone = async () => answered === wishes.length && (await unfinished(accountId)) === 0;

    for (const crash of [...crashes.slice(1), undefined]) {
      await clock.runUntil(async () => life.isDead() || (await isDone()));
      if (!life.isDead()) break;
      await life.stop();
      if (releaseLeases) await store.releaseLeases();
      life = await startLife(crash);
    }
    await clock.runUntil(isDone);
    const calls = life.calls();
    // Nothing comes after: longer than the longest wait of a handler that has failed.
    await clock.advance(31_000);
    await life.stop();
    return { calls, problems: await problemsOf(accountId, await Promise.all(clients)) };
  };

  const insist = async (
    { jobIds, key, atMs }: (typeof wishes)[number],
    accountId: string,
    acceptDeletion: () => AcceptDeletion,
  ) => {
    await clock.sleep(atMs);
    for (;;) {
      try {
        const request = {
          accountId,
          jobIds,
          idempotencyKey: key,
          dryRun: false,
          origin,
          deadlineMs: undefined,
        };
        return await acceptDeletion()(request);
      } catch {
        if (key === undefined) return { kind: 'unknown' } as const;
        await clock.sleep(400);
      }
    }
  };

  const deletionsOf = (accountId: string) => allDeletions(store, accountId);
  const unfinished = async (accountId: string) =>
    (await deletionsOf(accountId)).filter(({ state }) => state !== 'completed').length;

  const problemsOf = async (accountId: string, answers: Awaited<ReturnType<typeof insist>>[]) => {
    const deletions = await deletionsOf(accountId);
    const promised = answers.flatMap((answer) => (answer.kind === 'accepted' ? [answer.deletion.id] : []));
    const claimed = deletions.flatMap(({ jobIds }) => jobIds);
    const toBeAnnounced = deletions.flatMap(({ id, jobIds }) => jobIds.map((job) => `${id} ${job}`));
    const told = announced.get(accountId) ?? new Set();
    const left = await Promise.all(everyJob.slice(2_490).map((id) => store.findJob(accountId, id)));
    const letters = await eventLog.listDeadLetters(10);
    const kinds = answers.map(({ kind }) => kind);
    const checks: Record<string, boolean> = {
      'every deletion is completed': deletions.every(({ state }) => state === 'completed'),
      'every promise is kept': promised.every((id) => deletions.some((deletion) => deletion.id === id)),
      'no job is accepted twice': new Set(claimed).size === claimed.length,
      'one of two rivals is accepted': kinds.slice(1, 3).sort().join() === 'accepted,jobs-not-found',
      'the others are accepted': kinds[0] === 'accepted' && kinds[4] === 'accepted',
      'every accepted job is gone': left.every((job) => job?.deletionId === undefined),
      'no other job is gone':
        (await store.countJobs(accountId)) === everyJob.length - claimed.length &&
        bystanders.every((id) => left.some((job) => job?.id === id)),
      'every removed job is announced': toBeAnnounced.every((job) => told.has(job)),
      'no other job is announced': told.size === toBeAnnounced.length,
      'nothing is a dead letter': letters.length === 0,
    };
    return Object.keys(checks).filter((check) => checks[check] !== true);
  };

  test('keeps every promise without a crash', async () => {
    const { calls, problems } = await run([], false);
    expect(problems).toEqual([]);
    expect(calls).toBeGreaterThan(20);
  });

  test.each(['before', 'after'] as const)(
    '%s any of its steps keeps every promise after a restart',
    async (when) => {
      const { calls } = await run([], false);
      for (let call = 1; call <= calls; call++) {
        // Half of the next lives know that nobody else lives; the others wait for the leases to end.
        const { problems } = await run([{ call, when }], (call % 2 === 0) === (when === 'before'));
        expect({ call, problems }).toEqual({ call, problems: [] });
      }
    },
    300_000,
  );

  test('many times, at any steps, keeps every promise', async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const chance = createSeededRandom(seed);
      const crashes = Array.from({ length: 12 }, (): Crash => ({
        call: 1 + chance.below(15),
        when: chance.below(2) === 0 ? 'before' : 'after',
      }));
      const { problems } = await run(crashes, chance.below(2) === 0);
      expect({ seed, problems }).toEqual({ seed, problems: [] });
    }
  });
});
