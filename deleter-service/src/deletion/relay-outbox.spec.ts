import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createVirtualClock, type VirtualClock } from '@jobs-delete/runtime/testing/virtual-clock';
import type { EventRecord } from '../event-log/event-log.ts';
import type { Store } from '../store/store.ts';
import { accept, acme, importJobs, jobIds, partsOf, removeAndRecord } from '../testing/deletions.ts';
import { openStore } from '../testing/open-adapters.ts';
import { countTurns } from '../testing/count-turns.ts';
import { failing, type Failing } from '../testing/failing.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import type { Deletion } from '../store/deletion.ts';
import { startRelay, type Relay, type RelayOptions } from './relay-outbox.ts';

const newPath = temporaryFolder();
const minuteMs = 60_000;

describe('the relay', () => {
  let clock: VirtualClock;
  let store: Failing<Store>;
  let log: Failing<{ publish: RelayOptions['eventLog']['publish'] }>;
  let published: { atMs: number; deletionId: string }[];
  let batches: number[];
  let errors: { atMs: number; attempt: number }[];
  let startMs: number;
  let relays: Relay[];
  let onPublish: () => Promise<void>;

  beforeEach(async () => {
    clock = createVirtualClock();
    startMs = clock.now();
    store = failing(openStore(newPath()));
    [published, batches, errors, relays] = [[], [], [], []];
    onPublish = () => Promise.resolve();
    log = failing({
      publish: async (_: string, events: readonly EventRecord[]) => {
        await onPublish();
        const ids = new Set(events.map(({ key }) => key));
        batches.push(ids.size);
        for (const deletionId of ids) published.push({ atMs: sinceStart(), deletionId });
      },
    });
    await importJobs(store.port, acme, jobIds(2_000));
  });
  afterEach(async () => {
    onPublish = () => Promise.resolve();
    const stopping = relays.map((relay) => relay.stop());
    await clock.advance(minuteMs);
    await Promise.all(stopping);
    await store.port.close();
  });

  const sinceStart = () => clock.now() - startMs;
  const start = (more: Partial<RelayOptions> = {}): Relay => {
    const relay = startRelay({
      store: store.port,
      eventLog: log.port,
      clock,
      random: { uuid: () => '', fraction: () => 1 },
      onError: (_, attempt) => errors.push({ atMs: sinceStart(), attempt }),
      ...more,
    });
    relays.push(relay);
    return relay;
  };
  const acceptAndOffer = async (relay: Relay, id: string): Promise<Deletion> => {
    const { dueAtMs, end } = relay.reserve(clock.now(), acme, 1);
    const deletion = await accept(store.port, [id], { acceptedAtMs: clock.now(), dueAtMs });
    end(deletion);
    return deletion;
  };
  const stateOf = async ({ id }: Deletion) => (await store.port.findDeletion(id, acme))?.state;
  const publishedIds = () => published.map(({ deletionId }) => deletionId);

  test('publishes an offered deletion at once and records the publication', async () => {
    const relay = start();
    await clock.advance(250);
    const deletion = await acceptAndOffer(relay, 'job0001');
    await clock.settle();
    expect(published).toEqual([{ atMs: 250, deletionId: deletion.id }]);
    expect(await store.port.findDeletion(deletion.id, acme)).toMatchObject({
      state: 'published',
      publishedAtMs: startMs + 250,
      publications: 1,
    });
  });

  test('publishes deletions offered during a publication as one batch', async () => {
    const relay = start({ maxBatchDeletions: 4 });
    onPublish = () => clock.sleep(10);
    await clock.settle();
    await acceptAndOffer(relay, 'job1000');
    await clock.settle();
    for (const id of jobIds(10)) await acceptAndOffer(relay, id);
    await clock.advance(100);
    expect(batches).toEqual([1, 4, 4, 2]);
    expect(errors).toEqual([]);
  });

  test('publishes the deletions of a dead process when their lease ends, not before', async () => {
    const left = await accept(store.port, ['job0001'], { dueAtMs: startMs + 30_000 });
    start();
    await clock.advance(29_999);
    expect(published).toEqual([]);
    await clock.advance(1_001);
    expect(publishedIds()).toEqual([left.id]);
  });

  test('publishes all due deletions at its start, batch after batch, without waiting', async () => {
    for (const id of jobIds(10)) await accept(store.port, [id], { dueAtMs: startMs });
    start({ maxBatchDeletions: 3 });
    await clock.settle();
    expect(batches).toEqual([3, 3, 3, 1]);
    expect(sinceStart()).toBe(0);
  });

  test('publishes 10,000 jobs at a time and yields to other work in between', async () => {
    await importJobs(store.port, acme, jobIds(9_000, 2_000));
    for (let from = 0; from < 10_500; from += 3_500)
      await accept(store.port, jobIds(3_500, from), { dueAtMs: startMs });
    const turns = countTurns();
    const seen: number[] = [];
    onPublish = () => Promise.resolve(void seen.push(turns.now()));
    start();
    await clock.settle();
    turns.stop();
    expect(batches).toEqual([2, 1]);
    expect(seen[1]).toBeGreaterThan(seen[0] ?? 0);
  });

  test('shares the work with other relays: one of them publishes each deletion', async () => {
    const deletions: Deletion[] = [];
    for (const id of jobIds(20)) deletions.push(await accept(store.port, [id], { dueAtMs: startMs + 10 }));
    for (let relay = 0; relay < 3; relay++) start({ maxBatchDeletions: 2 });
    onPublish = () => clock.sleep(5);
    await clock.advance(10_000);
    expect([...publishedIds()].sort()).toEqual(deletions.map(({ id }) => id).sort());
  });

  test('backs off while the log is unavailable, and loses no deletion', async () => {
    const relay = start();
    log.fail('publish', 5);
    const first = await acceptAndOffer(relay, 'job0001');
    await clock.advance(1_000);
    const second = await acceptAndOffer(relay, 'job0002');
    await clock.advance(10_000);
    expect(errors).toEqual([
      { atMs: 0, attempt: 1 },
      { atMs: 100, attempt: 2 },
      { atMs: 300, attempt: 3 },
      { atMs: 700, attempt: 4 },
      { atMs: 1_500, attempt: 5 },
    ]);
    expect(published).toEqual([
      { atMs: 3_100, deletionId: first.id },
      { atMs: 3_100, deletionId: second.id },
    ]);
  });

  test('an outage of hours counts against no deletion', async () => {
    const relay = start();
    log.fail('publish', 500);
    const deletion = await acceptAndOffer(relay, 'job0001');
    await clock.advance(5 * 60 * minuteMs);
    expect(new Set(publishedIds())).toEqual(new Set([deletion.id]));
    expect(await stateOf(deletion)).toBe('published');
  });

  test('retries a failed record of a publication without publishing again', async () => {
    const relay = start();
    store.fail('markPublished', 2);
    const deletion = await acceptAndOffer(relay, 'job0001');
    await clock.advance(1_000);
    expect(publishedIds()).toEqual([deletion.id]);
    expect(errors).toHaveLength(2);
    expect(await store.port.findDeletion(deletion.id, acme)).toMatchObject({
      state: 'published',
      publishedAtMs: startMs,
      publications: 1,
    });
  });

  test('publishes offered deletions while the outbox is unreadable, and reads it later', async () => {
    const left = await accept(store.port, ['job0001'], { dueAtMs: startMs });
    store.fail('leaseDue', 3);
    const relay = start();
    await clock.advance(500);
    const offered = await acceptAndOffer(relay, 'job0002');
    await clock.settle();
    expect(publishedIds()).toEqual([offered.id]);
    await clock.advance(3_000);
    expect(publishedIds()).toEqual([offered.id, left.id]);
    expect(errors).toHaveLength(3);
  });

  test('leaves deletions to the sweep when the memory is full', async () => {
    const relay = start({ maxQueuedJobs: 4 });
    await clock.settle();
    const gate = new AbortController();
    onPublish = () => clock.sleep(3_600_000, gate.signal);
    await acceptAndOffer(relay, 'job0000');
    await clock.settle();
    for (const id of ['job0001', 'job0002', 'job0003']) await acceptAndOffer(relay, id);
    const dueAtMs = () => {
      const { dueAtMs, end } = relay.reserve(clock.now(), acme, 1);
      end(undefined);
      return dueAtMs;
    };
    expect(dueAtMs()).toBe(clock.now());
    const beyond = await acceptAndOffer(relay, 'job0004');
    onPublish = () => Promise.resolve();
    gate.abort();
    await clock.settle();
    expect(sinceStart()).toBe(0);
    expect(publishedIds()).toContain(beyond.id);
    expect(published).toHaveLength(5);
    expect(dueAtMs()).toBe(clock.now() + 30_000);
  });

  test('sweeps on time during a steady stream of requests', async () => {
    const left = await accept(store.port, ['job1999'], { dueAtMs: startMs + 200 });
    const relay = start({ sweepMs: 100 });
    let next = 0;
    onPublish = async () => {
      await acceptAndOffer(relay, `job${String(next++).padStart(4, '0')}`);
      await clock.sleep(10);
    };
    await acceptAndOffer(relay, 'job1998');
    await clock.advance(400);
    expect(batches.length).toBeGreaterThanOrEqual(39);
    expect(publishedIds()).toContain(left.id);
  });

  test('publishes open deletions again, with a delay that doubles up to a day', async () => {
    const relay = start({ sweepMs: minuteMs });
    const deletion = await acceptAndOffer(relay, 'job0001');
    // The removal of another one is not overdue.
    const completed = await acceptAndOffer(relay, 'job0002');
    await clock.settle();
    await removeAndRecord(store.port, partsOf(completed), clock.now());
    published.length = 0;
    for (let times = 1; times <= 9; times++) await clock.runUntil(() => published.length >= times);
    const gaps = published.map(({ atMs }, index) => atMs - (published[index - 1]?.atMs ?? 0));
    expect(gaps.map((ms) => Math.round(ms / minuteMs))).toEqual([
      10, 20, 40, 80, 160, 320, 640, 1_280, 1_440,
    ]);
    expect(new Set(publishedIds())).toEqual(new Set([deletion.id]));
  });

  test('publishes offered deletions before it stops', async () => {
    const relay = start({ maxBatchDeletions: 3 });
    onPublish = () => clock.sleep(10);
    const deletions: Deletion[] = [];
    for (const id of jobIds(10)) deletions.push(await acceptAndOffer(relay, id));
    let stopped = false;
    const stopping = relay.stop().then(() => (stopped = true));
    await clock.settle();
    expect(stopped).toBe(false);
    await clock.advance(100);
    await stopping;
    expect([...publishedIds()].sort()).toEqual(deletions.map(({ id }) => id).sort());
    for (const deletion of deletions) expect(await stateOf(deletion)).toBe('published');
  });

  test('publishes offered deletions before it stops, even when a sweep is due', async () => {
    const relay = start({ maxBatchDeletions: 1 });
    await clock.settle();
    onPublish = () => clock.sleep(5_000);
    const deletions = [await acceptAndOffer(relay, 'job0001'), await acceptAndOffer(relay, 'job0002')];
    await clock.settle();
    const stopping = relay.stop();
    await clock.advance(20_000);
    await stopping;
    expect(publishedIds()).toEqual(deletions.map(({ id }) => id));
  });

  test('stops during an outage and leaves the rest in the outbox for the next relay', async () => {
    const relay = start({ maxBatchDeletions: 1 });
    log.fail('publish', 1_000);
    const deletions = [await acceptAndOffer(relay, 'job0001'), await acceptAndOffer(relay, 'job0002')];
    await clock.advance(5_000);
    const before = errors.length;
    await relay.stop();
    expect(errors.length - before).toBeLessThanOrEqual(1);
    expect(published).toEqual([]);
    for (const deletion of deletions) expect(await stateOf(deletion)).toBe('accepted');
    log.fail('publish', 0);
    start();
    await clock.advance(30_000);
    expect([...publishedIds()].sort()).toEqual(deletions.map(({ id }) => id).sort());
  });

  test('stops at once when idle', async () => {
    const relay = start();
    await clock.advance(10_500);
    await relay.stop();
    await relay.stop();
    expect(sinceStart()).toBe(10_500);
  });
});
