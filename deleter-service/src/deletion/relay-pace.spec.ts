import { beforeEach, expect, test } from '@jest/globals';
import { acme, aDeletion, jobIds } from '../testing/deletions.ts';
import { createVirtualClock, type VirtualClock } from '../testing/virtual-clock.ts';
import type { Deletion } from '../store/deletion.ts';
import { startRelay, type Relay, type RelayOptions } from './relay-outbox.ts';

let clock: VirtualClock;
let relay: Relay;
let published: string[];
let leaseDue: RelayOptions['store']['leaseDue'];
let publish: (size: number) => Promise<void>;

beforeEach(() => {
  clock = createVirtualClock();
  leaseDue = () => Promise.resolve([]);
  publish = () => Promise.resolve();
  start({});
});

function start(more: Partial<RelayOptions>): void {
  published = [];
  relay = startRelay({
    store: {
      leaseDue: (query) => leaseDue(query),
      markPublished: () => Promise.resolve(),
      endCancelled: () => Promise.resolve(),
      findStates: (keys) => Promise.resolve(keys.map(() => 'completed')),
    },
    eventLog: {
      publish: async (_, events) => {
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

const offer = (id: string): Deletion => {
  const deletion = aDeletion(jobIds(1), { id });
  relay.reserve(clock.now(), acme, 1).end(deletion);
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
  offerMany(7);
  await clock.advance(10);
  expect(batches).toEqual([
    { atMs: 200, size: 1 },
    { atMs: 202, size: 3 },
    { atMs: 204, size: 3 },
  ]);
  const stopped = relay.stop();
  await clock.advance(2);
  await stopped;
  expect(batches.at(-1)).toEqual({ atMs: 210, size: 1 });
});
