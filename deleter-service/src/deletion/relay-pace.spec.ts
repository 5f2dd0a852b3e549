import { beforeEach, expect, test } from '@jest/globals';
import { deletionAcceptedTopic, deletionCancelledTopic } from '@jobs-delete/proto/events';
import { createVirtualClock, type VirtualClock } from '@jobs-delete/runtime/testing/virtual-clock';
import { acme, aDeletion, jobIds } from '../testing/deletions.ts';
import type { EventRecord } from '../event-log/event-log.ts';
import type { Deletion } from '../store/deletion.ts';
import { startRelay, type Relay, type RelayOptions } from './relay-outbox.ts';

let clock: VirtualClock;
let relay: Relay;
let published: string[];
/** The deletions of each call of the log, in the order of the calls. */
let publications: string[][];
let recorded: string[];
let leaseDue: RelayOptions['store']['leaseDue'];
let stateOnLog: () => Deletion['state'];
let sweeps: number;
let publish: (size: number) => Promise<void>;

beforeEach(() => {
  clock = createVirtualClock();
  leaseDue = () => Promise.resolve([]);
  stateOnLog = () => 'completed';
  publish = () => Promise.resolve();
  start({});
});

function start(more: Partial<RelayOptions>): void {
  [published, publications, recorded, sweeps] = [[], [], [], 0];
  relay = startRelay({
    store: {
      leaseDue: (query) => {
        sweeps += 1;
        return leaseDue(query);
      },
      markPublished: (keys) =>
        Promise.resolve(void recorded.push(...keys.map(({ deletionId }) => deletionId))),
      endCancelled: (keys) =>
        Promise.resolve(void recorded.push(...keys.map(({ deletionId }) => deletionId))),
      findStates: (keys) => Promise.resolve(keys.map(stateOnLog)),
    },
    eventLog: {
      publish: async (topic, events) => {
        const idOf = ({ value }: EventRecord) =>
          (JSON.parse(String(value)) as { deletion_id: string }).deletion_id;
        publications.push([topic, ...new Set(events.map(idOf))]);
        await publish(events.length);
        published.push(...events.map(({ key }) => key));
      },
    },
    clock,
    random: { uuid: () => '', fraction: () => 1 },
    onError: () => undefined,
    ...more,
  });
}

const offer = (id: string, jobs = 1, accountId = acme): Deletion => {
  const deletion = aDeletion(jobIds(jobs), { id, accountId });
  relay.reserve(clock.now(), accountId, jobs).end(deletion);
  return deletion;
};
const hangUntil = ({ signal }: AbortController) => clock.sleep(3_600_000, signal);

test('a sweep that hangs delays no offered deletion, and the next one starts when it ends', async () => {
  const hung = new AbortController();
  leaseDue = () => hangUntil(hung).then(() => Promise.reject(new Error('a shard hangs')));
  await clock.advance(10_000);
  offer('offered');
  await clock.settle();
  expect(published).toEqual(['offered']);
  const left = [aDeletion(jobIds(1), { id: 'left' })];
  leaseDue = () => Promise.resolve(left.splice(0));
  hung.abort();
  await clock.advance(1_000);
  expect(published).toEqual(['offered', 'left']);
  await relay.stop();
});

test('a publication without an answer delays the others by one second, and eight of them hold all', async () => {
  const answer = new AbortController();
  const hang = async (id: string) => {
    publish = () => hangUntil(answer);
    offer(id);
    await clock.advance(1_000);
    publish = () => Promise.resolve();
  };
  await clock.settle();
  for (const id of jobIds(7)) await hang(id);
  offer('next');
  await clock.settle();
  expect(published).toEqual(['next']);
  await hang('eighth');
  offer('last');
  await clock.advance(5_000);
  expect(published).toEqual(['next']);
  answer.abort();
  await clock.settle();
  expect([...published].sort()).toEqual(['eighth', 'last', 'next', ...jobIds(7)].sort());
  await relay.stop();
});

test('the relay waits after a publication unless a full batch is queued, and publishes the first at once', async () => {
  await relay.stop();
  start({ lingerMs: 20, maxBatchDeletions: 3 });
  const startMs = clock.now();
  const batches: { atMs: number; size: number }[] = [];
  publish = async (size) => {
    batches.push({ atMs: clock.now() - startMs, size });
    await clock.sleep(2);
  };
  let offered = 0;
  const offerMany = (count: number) => {
    for (let each = 0; each < count; each++) offer(String(offered++));
  };

  await clock.advance(100);
  offerMany(1);
  await clock.advance(5);
  offerMany(1);
  await clock.advance(5);
  offerMany(1);
  await clock.advance(30);
  expect(batches).toEqual([
    { atMs: 100, size: 1 },
    { atMs: 120, size: 2 },
  ]);

  batches.length = 0;
  await clock.advance(60);
  offerMany(1);
  await clock.settle();
  offerMany(6);
  await clock.advance(10);
  expect(batches).toEqual([
    { atMs: 200, size: 1 },
    { atMs: 202, size: 3 },
    { atMs: 204, size: 3 },
  ]);
  batches.length = 0;
  offerMany(1);
  await clock.advance(15);
  offer('large', 5_000);
  offer('large too', 5_000);
  await clock.advance(5);
  expect(batches).toEqual([
    { atMs: 224, size: 1 },
    { atMs: 226, size: 10 },
  ]);
  offerMany(1);
  const stopped = relay.stop();
  await clock.advance(2);
  await stopped;
  expect(batches.at(-1)).toEqual({ atMs: 230, size: 1 });
});

test('a cancelled deletion and one to be removed are published apart, each once, and recorded', async () => {
  await relay.stop();
  const of = (id: string, state: Deletion['state']) => aDeletion(jobIds(1), { id, state });
  const cancelled = ['cancelled 1', 'cancelled 2', 'cancelled 3'].map((id) => of(id, 'cancelled'));
  const due = [of('accepted', 'accepted'), ...cancelled];
  leaseDue = () => Promise.resolve(due.splice(0));
  start({ maxBatchDeletions: 3 });
  await clock.settle();
  expect(publications).toEqual([
    [deletionAcceptedTopic, 'accepted'],
    [deletionCancelledTopic, 'cancelled 1', 'cancelled 2'],
    [deletionCancelledTopic, 'cancelled 3'],
  ]);
  expect(recorded.sort()).toEqual(['accepted', 'cancelled 1', 'cancelled 2', 'cancelled 3']);
  await relay.stop();
});

test('small deletions go before large ones, and about 10,000 jobs are published at a time', async () => {
  publish = () => clock.sleep(10);
  offer('first');
  await clock.settle();
  offer('9,900', 9_900);
  offer('200', 200);
  offer('199', 199);
  await clock.advance(10);
  offer('late');
  await clock.advance(100);
  expect(publications.map(([, ...ids]) => ids)).toEqual([['first'], ['199'], ['9,900'], ['late', '200']]);
  await relay.stop();
});

test('a waiting account takes no place in a batch of others', async () => {
  await relay.stop();
  stateOnLog = () => 'published';
  start({ maxBatchDeletions: 2, maxOpenJobs: { large: 1_000, small: 8 } });
  offer('a', 6, 'a');
  await clock.settle();
  offer('a waits', 1, 'a');
  offer('b', 1, 'b');
  offer('c', 1, 'c');
  await clock.settle();
  expect(publications.map(([, ...ids]) => ids)).toEqual([['a'], ['b', 'c']]);
  await relay.stop();
});

test('the outbox is swept again at once only for what memory has lost or never had', async () => {
  await relay.stop();
  const startMs = clock.now();
  stateOnLog = () => (clock.now() < startMs + 5_000 ? 'published' : 'completed');
  start({ leaseMs: 5_000, sweepMs: 3_600_000, maxQueuedJobs: 60, maxOpenJobs: { large: 1_000, small: 60 } });
  offer('first', 60, 'a');
  await clock.settle();
  expect([published, sweeps]).toEqual([['first'], 1]);
  // Its lease ends when permits are free again.
  offer('waits', 60, 'b');
  await clock.advance(4_999);
  relay.reserve(clock.now(), 'c', 1).end(undefined);
  await clock.settle();
  expect(sweeps).toBe(1);
  offer('beyond the memory', 1, 'c');
  await clock.settle();
  expect(sweeps).toBe(2);
  await clock.advance(1);
  expect([published, sweeps]).toEqual([['first'], 3]);
  await relay.stop();
});

test('the relay stops when the sweep and the publications in progress end, and records them', async () => {
  await relay.stop();
  const [swept, answer] = [new AbortController(), new AbortController()];
  const left = aDeletion(jobIds(1), { id: 'left' });
  leaseDue = () => hangUntil(swept).then(() => [left]);
  publish = () => hangUntil(answer);
  start({ recordAfterMs: 60_000 });
  offer('offered');
  await clock.advance(2_000);
  let hasStopped = false;
  const stopping = relay.stop().then(() => (hasStopped = true));
  leaseDue = () => Promise.resolve([]);
  swept.abort();
  await clock.advance(2_000);
  expect(publications.map(([, ...ids]) => ids)).toEqual([['offered'], ['left']]);
  expect(hasStopped).toBe(false);
  answer.abort();
  await stopping;
  expect(recorded).toEqual(['offered', 'left']);
});

test('a deletion has one event for each 1,000 jobs, or for fewer if the relay is told so', async () => {
  const events: number[] = [];
  publish = (size) => Promise.resolve(void events.push(size));
  await clock.settle();
  offer('large', 1_001);
  await clock.settle();
  await relay.stop();
  start({ maxJobsPerEvent: 2 });
  await clock.settle();
  offer('small', 5);
  await clock.settle();
  await relay.stop();
  expect(events).toEqual([2, 3]);
});
