import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  deletionCancelledTopic,
  jobsDeletedTopic,
  type DeletionCancelledData,
} from '@jobs-delete/proto/events';
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

const newPath = temporaryFolder();
const delayMs = 20_000;
/** The requests of an account with a delay, and when their clients cancel them; undefined: never. */
const wishes: readonly { jobs: readonly string[]; cancelAfterMs?: number }[] = [
  { jobs: jobIds(3) },
  { jobs: jobIds(3, 3), cancelAfterMs: 1_000 },
  { jobs: jobIds(1_500, 10), cancelAfterMs: delayMs - 1 },
  // Races with the lease.
  ...[0, 1, 500].map((lateMs, index) => ({
    jobs: jobIds(2, 2_000 + 10 * index),
    cancelAfterMs: delayMs + lateMs,
  })),
];

/** A service whose account has a delay dies at each of its steps in turn. Time and chance are virtual. */
describe('a service with a delay that dies', () => {
  let clock: VirtualClock;
  let random: SeededRandom;
  let store: Store;
  let eventLog: EventLog;
  let listenerLog: EventLog;
  let runs: number;
  /** Counts the events by topic and deletion. */
  let told: Map<string, number>;

  beforeEach(async () => {
    runs = 0;
    told = new Map();
    clock = createVirtualClock();
    random = createSeededRandom(1);
    store = openStore(newPath());
    const path = newPath();
    eventLog = openEventLog(path, { clock, random, maxBatch: 2, pollMs: 5_000 });
    listenerLog = openEventLog(path, { clock, random, maxBatch: 10_000, pollMs: 10_000 });
    for (const topic of [jobsDeletedTopic, deletionCancelledTopic] as const)
      await listenerLog.consume(topic, 'test.listener', (events) => {
        for (const { value } of events) {
          const { deletion_id } = JSON.parse(value.toString()) as DeletionCancelledData;
          const name = `${topic} ${deletion_id}`;
          told.set(name, (told.get(name) ?? 0) + 1);
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

  const run = async (crashes: readonly Crash[]) => {
    const accountId = `account-${++runs}`;
    const ids = [...new Set(wishes.flatMap(({ jobs }) => jobs))];
    await importJobs(store, accountId, ids);
    await store.setRules(accountId, { removalDelayMs: delayMs });
    let life = await startLife(crashes[0]);
    const clients = wishes.map((wish, index) => client(wish, accountId, String(index), () => life));
    let ended = 0;
    for (const one of clients) void one.then(() => ended++);
    const isDone = async () => {
      const open = (await allDeletions(store, accountId)).filter(
        ({ state }) => !['completed', 'cancelled'].includes(state),
      );
      return ended === wishes.length && open.length === 0;
    };
    for (const crash of [...crashes.slice(1), undefined]) {
      await clock.runUntil(async () => life.isDead() || (await isDone()));
      if (!life.isDead()) break;
      await life.stop();
      await store.releaseLeases();
      life = await startLife(crash);
    }
    await clock.runUntil(isDone);
    const calls = life.calls();
    // Longer than a lease: nothing comes after.
    await clock.advance(61_000);
    await life.stop();
    return { calls, problems: await problemsOf(accountId, await Promise.all(clients)) };
  };

  /** Insists on an answer to the request, and to the cancellation. */
  const client = async (
    { jobs, cancelAfterMs }: (typeof wishes)[number],
    accountId: string,
    key: string,
    life: () => { readonly acceptDeletion: AcceptDeletion; readonly store: Store },
  ) => {
    const insist = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
      for (;;) {
        try {
          return await ask();
        } catch {
          await clock.sleep(400);
        }
      }
    };
    const request = { accountId, jobIds: jobs, dryRun: false, origin, deadlineMs: undefined };
    const startedAtMs = clock.now();
    const answer = await insist(() => life().acceptDeletion({ ...request, idempotencyKey: key }));
    if (answer.kind !== 'accepted') throw new Error(answer.kind);
    const deletionId = answer.deletion.id;
    if (cancelAfterMs === undefined) return { deletionId, kind: 'never' } as const;
    await clock.sleep(startedAtMs + cancelAfterMs - clock.now());
    const cancel = () => life().store.cancelDeletion({ deletionId, accountId }, clock.now(), origin);
    return { deletionId, kind: (await insist(cancel)).kind };
  };

  const problemsOf = async (accountId: string, clients: Awaited<ReturnType<typeof client>>[]) => {
    const problems: string[] = [];
    for (const [index, { deletionId, kind }] of clients.entries()) {
      const record = await store.findDeletion(deletionId, accountId);
      const jobs = wishes[index]?.jobs ?? [];
      const left = (await Promise.all(jobs.map((id) => store.findJob(accountId, id)))).filter(
        (job) => job !== undefined,
      );
      const isCancelled = kind === 'cancelled';
      const counts = [
        told.get(`${jobsDeletedTopic} ${deletionId}`) ?? 0,
        told.get(`${deletionCancelledTopic} ${deletionId}`) ?? 0,
      ];
      const [removals = 0, cancellations = 0] = counts;
      const checks = {
        'has the state that the client was told': record?.state === (isCancelled ? 'cancelled' : 'completed'),
        'keeps all jobs, or none': left.length === (isCancelled ? jobs.length : 0),
        'claims no job': left.every((job) => job.deletionId === undefined),
        'is told as what it is': isCancelled
          ? cancellations > 0 && removals === 0
          : removals > 0 && cancellations === 0,
      };
      for (const [name, holds] of Object.entries(checks))
        if (!holds) problems.push(`deletion ${index}: ${name}`);
    }
    if (clients[1]?.kind !== 'cancelled' || clients[2]?.kind !== 'cancelled')
      problems.push('not cancelled in time');
    if ((await eventLog.listDeadLetters(10)).length > 0) problems.push('a dead letter');
    return problems;
  };

  test('removes or cancels each deletion without a crash', async () => {
    const { calls, problems } = await run([]);
    expect(problems).toEqual([]);
    expect(calls).toBeGreaterThan(20);
  });

  test.each(['before', 'after'] as const)(
    '%s any of its steps removes or cancels each deletion after a restart, and tells so',
    async (when) => {
      const { calls } = await run([]);
      for (let call = 1; call <= calls; call++) {
        const { problems } = await run([{ call, when }]);
        expect({ call, problems }).toEqual({ call, problems: [] });
      }
    },
    300_000,
  );

  test('removes what waits after its clock is set forward, and keeps it waiting after a step back', async () => {
    const accountId = `account-${++runs}`;
    await importJobs(store, accountId, jobIds(2));
    await store.setRules(accountId, { removalDelayMs: delayMs });
    const life = await startLife(undefined);
    const request = { accountId, dryRun: false, idempotencyKey: undefined, origin, deadlineMs: undefined };
    await life.acceptDeletion({ ...request, jobIds: jobIds(1) });
    clock.step(-60_000);
    await clock.advance(delayMs + 5_000);
    expect(await store.countJobs(accountId)).toBe(2);
    clock.step(120_000);
    await clock.runUntil(async () => (await store.countJobs(accountId)) === 1);
    await life.stop();
  });
});
