import { beforeEach, expect, test } from '@jest/globals';
import { acme, aDeletion, jobIds } from '../testing/deletions.ts';
import { createVirtualClock, type VirtualClock } from '../testing/virtual-clock.ts';
import type { Deletion } from '../store/deletion.ts';
import { startRelay, type Relay, type RelayOptions } from './relay-outbox.ts';

let clock: VirtualClock;
let relay: Relay;
let published: string[];
let leaseDue: RelayOptions['store']['leaseDue'];
let publish: () => Promise<void>;

beforeEach(() => {
  clock = createVirtualClock();
  published = [];
  leaseDue = () => Promise.resolve([]);
  publish = () => Promise.resolve();
  relay = startRelay({
    store: {
      leaseDue: (query) => leaseDue(query),
      markPublished: () => Promise.resolve(),
      endCancelled: () => Promise.resolve(),
      findStates: (keys) => Promise.resolve(keys.map(() => 'completed')),
    },
    eventLog: {
      publish: async (_, events) => {
        await publish();
        published.push(...events.map(({ key }) => key));
      },
    },
    clock,
    random: { uuid: () => '', fraction: () => 1 },
    onError: () => undefined,
  });
});

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
