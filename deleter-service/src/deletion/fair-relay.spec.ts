import { beforeEach, describe, expect, test } from '@jest/globals';
import { createVirtualClock, type VirtualClock } from '@jobs-delete/runtime/testing/virtual-clock';
import { aDeletion, jobIds } from '../testing/deletions.ts';
import type { Deletion } from '../store/deletion.ts';
import { startRelay, type Relay, type RelayOptions } from './relay-outbox.ts';

const thousand = jobIds(1_000);
const nineThousand = jobIds(9_000);
const fiveThousand = jobIds(5_000);
const hundred = jobIds(100);
const jobsPerSecond = 20_000;

/**
 * An outbox in memory, relays, and a log with a partition for each worker. A worker removes the publications of its partition
 * in their order, at a fixed rate.
 */
function createService(clock: VirtualClock, { relays: relayCount = 1, workers = 1 } = {}) {
  const records = new Map<string, { deletion: Deletion; dueAtMs: number; state: Deletion['state'] }>();
  const completedAtMs = new Map<string, number>();
  const partitions = Array.from({ length: workers }, () => ({
    log: [] as string[],
    idle: new AbortController(),
  }));
  const publications = new Map<string, number>();
  const publicationsOf = Array.from({ length: relayCount }, () => 0);
  const isStuck = new Set<string>();
  let isWorking = true;
  let published = 0;

  const store: RelayOptions['store'] = {
    leaseDue: ({ nowMs, fromMs, untilMs, maxDeletions, maxJobs, exceptAccounts }) => {
      const except = new Set(exceptAccounts);
      const due = [...records.values()]
        .filter(({ dueAtMs, state }) => state !== 'completed' && dueAtMs >= fromMs && dueAtMs <= nowMs)
        .filter(({ deletion }) => !except.has(deletion.accountId))
        .sort((a, b) => a.dueAtMs - b.dueAtMs);
      const leased: Deletion[] = [];
      let jobs = 0;
      for (const record of due.slice(0, maxDeletions)) {
        jobs += record.deletion.jobIds.length;
        if (leased.length > 0 && jobs > maxJobs) break;
        record.dueAtMs = untilMs;
        leased.push(record.deletion);
      }
      return Promise.resolve(leased);
    },
    markPublished: (keys, _atMs, nextDueAtMs) => {
      for (const { deletionId } of keys) {
        const record = records.get(deletionId);
        if (record !== undefined) record.dueAtMs = nextDueAtMs;
      }
      return Promise.resolve();
    },
    endCancelled: () => Promise.resolve(),
    findStates: (keys) => Promise.resolve(keys.map(({ deletionId }) => records.get(deletionId)?.state)),
  };
  /** Removes up to 4,000 jobs in a step, like the worker. */
  const work = async (partition: (typeof partitions)[number]) => {
    const { log } = partition;
    for (;;) {
      const step: { deletion: Deletion; state: Deletion['state'] }[] = [];
      for (let jobs = 0; isWorking && log.length > 0;) {
        const record = records.get(log[0] ?? '');
        jobs += record?.deletion.jobIds.length ?? 0;
        if (step.length > 0 && jobs > 4_000) break;
        log.shift();
        if (record !== undefined && record.state !== 'completed' && !isStuck.has(record.deletion.id))
          step.push(record);
      }
      const jobs = step.reduce((sum, { deletion }) => sum + deletion.jobIds.length, 0);
      if (jobs > 0) await clock.sleep((jobs * 1_000) / jobsPerSecond);
      else await clock.sleep(3_600_000, (partition.idle = new AbortController()).signal);
      for (const record of step) {
        record.state = 'completed';
        completedAtMs.set(record.deletion.id, clock.now());
      }
    }
  };
  for (const partition of partitions) void work(partition);
  const publishAs = (relay: number) => (_: unknown, events: readonly { readonly key: string }[]) => {
    const ids = [...new Set(events.map(({ key }) => key))];
    // One publication is one batch, in one partition.
    const partition = partitions[published % partitions.length];
    published += 1;
    partition?.log.push(...ids);
    partition?.idle.abort();
    for (const id of ids) publications.set(id, (publications.get(id) ?? 0) + 1);
    publicationsOf[relay] = (publicationsOf[relay] ?? 0) + ids.length;
    return Promise.resolve();
  };
  const relays = Array.from({ length: relayCount }, (__, index) =>
    startRelay({
      store,
      eventLog: { publish: publishAs(index) },
      clock,
      random: { uuid: () => '', fraction: () => 1 },
      onError: (error) => {
        throw error;
      },
      lingerMs: 150,
      recordAfterMs: 5_000,
    }),
  );
  let accepted = 0;

  const put = (deletion: Deletion, dueAtMs: number) =>
    records.set(deletion.id, { deletion, dueAtMs, state: 'accepted' });
  const newDeletion = (accountId: string, ids: readonly string[]) =>
    aDeletion(ids, { accountId, acceptedAtMs: clock.now() });
  return {
    relays,
    publications,
    publicationsOf,
    isStuck,
    setWorking: (value: boolean) => {
      isWorking = value;
      for (const { idle } of partitions) idle.abort();
    },
    /** Accepted by another process that does not relay. */
    leave: (accountId: string, ids: readonly string[]) => {
      const deletion = newDeletion(accountId, ids);
      put(deletion, clock.now());
      return deletion.id;
    },
    /** Accepted by the processes of the relays round robin. */
    accept: (accountId: string, ids: readonly string[]) => {
      const relay = relays[accepted++ % relays.length] as Relay;
      const { dueAtMs, end } = relay.reserve(clock.now(), accountId, ids.length);
      const deletion = newDeletion(accountId, ids);
      put(deletion, dueAtMs);
      end(deletion);
      return deletion.id;
    },
    secondsOf: (id: string) => {
      const atMs = completedAtMs.get(id);
      const { deletion } = records.get(id) ?? {};
      return atMs === undefined || deletion === undefined ? Infinity : (atMs - deletion.acceptedAtMs) / 1_000;
    },
    open: () => [...records.values()].filter(({ state }) => state !== 'completed').length,
  };
}

const times = (count: number, run: (index: number) => unknown) => {
  for (let index = 0; index < count; index++) run(index);
};

describe('a relay with several accounts', () => {
  let clock: VirtualClock;
  let service: ReturnType<typeof createService>;

  beforeEach(async () => {
    clock = createVirtualClock();
    service = createService(clock);
    await clock.advance(1_000);
  });

  test.each(['accept', 'leave'] as const)(
    'one job does not wait behind a million jobs of another account (%s)',
    async (enter) => {
      const startMs = clock.now();
      times(1_000, () => service[enter]('heavy', thousand));
      const probes: string[] = [];
      for (let second = 0; second < 20; second++) {
        await clock.advance(1_000);
        probes.push(service[enter](`light-${String(second)}`, ['job1']));
      }
      await clock.runUntil(() => service.open() === 0);
      for (const id of probes) expect(service.secondsOf(id)).toBeLessThan(3);
      // The worker is never idle for long, and nothing is published twice.
      expect(clock.now() - startMs).toBeLessThan((1_000_000 / jobsPerSecond) * 1_000 * 1.1);
      expect(Math.max(...service.publications.values())).toBe(1);
    },
  );

  test('one job does not wait behind the backlogs of fifty accounts', async () => {
    times(1_000, (index) => service.accept(`heavy-${String(index % 50)}`, nineThousand));
    const probes: string[] = [];
    for (let second = 0; second < 20; second++) {
      await clock.advance(1_000);
      probes.push(service.accept('light', ['job1']));
    }
    await clock.advance(5_000);
    for (const id of probes) expect(service.secondsOf(id)).toBeLessThan(3.5);
  });

  test('a flood of small deletions leaves room for large ones, and the other way round', async () => {
    times(100, () => service.accept('large', fiveThousand));
    times(30, (account) => times(20, () => service.accept(`small-${String(account)}`, hundred)));
    const probe = service.accept('probe', fiveThousand);
    await clock.advance(10_000);
    expect(service.secondsOf(probe)).toBeLessThan(5);
    const small = service.accept('small-probe', jobIds(150));
    await clock.advance(10_000);
    expect(service.secondsOf(small)).toBeLessThan(4);
    await clock.runUntil(() => service.open() === 0);
  });

  test('while no worker runs, little is published, and all is removed when one is back', async () => {
    service.setWorking(false);
    times(1_000, () => service.accept('heavy', thousand));
    await clock.advance(600_000);
    expect(service.publications.size).toBeLessThan(100);
    service.setWorking(true);
    const probe = service.accept('light', ['job1']);
    await clock.runUntil(() => service.open() === 0);
    expect(service.secondsOf(probe)).toBeLessThan(6);
  });

  test('publications that are never removed stop counting while others are', async () => {
    times(60, () => service.isStuck.add(service.accept('sick', thousand)));
    await clock.advance(1_000);
    const startMs = clock.now();
    times(200, () => service.accept('well', thousand));
    const probe = service.accept('light', ['job1']);
    await clock.runUntil(() => service.open() === 60);
    expect(service.secondsOf(probe)).toBeLessThan(3);
    expect(clock.now() - startMs).toBeLessThan(60_000);
  });

  test('a step of the clock backwards stops neither the sweep nor the permits', async () => {
    const early = service.leave('a', ['job1']);
    await clock.advance(2_000);
    expect(service.secondsOf(early)).toBeLessThan(2);
    clock.step(-3_600_000);
    const late = service.leave('a', ['job2']);
    await clock.advance(3_000);
    expect(service.secondsOf(late)).toBeLessThan(3);
  });

  test('a deletion whose lease has ended in memory is published once, by the sweep', async () => {
    service.setWorking(false);
    times(150, () => service.accept('heavy', thousand));
    await clock.advance(60_000);
    service.setWorking(true);
    await clock.runUntil(() => service.open() === 0);
    expect(Math.max(...service.publications.values())).toBe(1);
    await service.relays[0]?.stop();
  });
});

describe('100 relays, 100 workers and 1,000 accounts', () => {
  const many = { relays: 100, workers: 100 };

  test('jobs of all accounts do not wait behind ten million jobs of one, and no worker is idle for long', async () => {
    const clock = createVirtualClock();
    const service = createService(clock, many);
    await clock.advance(1_000);
    const startMs = clock.now();
    times(10_000, () => service.accept('heavy', thousand));
    const probes: string[] = [];
    for (let second = 0; second < 4; second++) {
      times(250, (index) => probes.push(service.accept(`light-${String(250 * second + index)}`, ['job1'])));
      await clock.advance(1_000);
    }
    await clock.runUntil(() => service.open() === 0);
    expect(Math.max(...probes.map(service.secondsOf))).toBeLessThan(3);
    const idealMs = (10_000_000 / (100 * jobsPerSecond)) * 1_000;
    expect(clock.now() - startMs).toBeLessThan(idealMs * 1.5);
    expect(Math.max(...service.publications.values())).toBe(1);
  });

  test('after an outage the relays share what is left, and publish each deletion once', async () => {
    const clock = createVirtualClock();
    const service = createService(clock, many);
    times(50_000, (index) => service.leave(`account-${String(index % 1_000)}`, ['job1']));
    await clock.runUntil(() => service.open() === 0);
    expect(Math.max(...service.publications.values())).toBe(1);
    expect(Math.max(...service.publicationsOf)).toBeLessThan((2 * 50_000) / 100);
  });
});
