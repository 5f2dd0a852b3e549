import { expect, test } from '@jest/globals';
import { acme, aDeletion, jobIds } from '../testing/deletions.ts';
import { createVirtualClock } from '../testing/virtual-clock.ts';
import { startRelay } from './relay-outbox.ts';

test('the relay waits after a publication unless a full batch is queued, and publishes the first at once', async () => {
  const clock = createVirtualClock();
  const startMs = clock.now();
  const batches: { atMs: number; size: number }[] = [];
  const relay = startRelay({
    store: {
      leaseDue: () => Promise.resolve([]),
      markPublished: () => Promise.resolve(),
      endCancelled: () => Promise.resolve(),
      findStates: () => Promise.resolve([]),
    },
    eventLog: {
      publish: async (_, events) => {
        batches.push({ atMs: clock.now() - startMs, size: events.length });
        await clock.sleep(2);
      },
    },
    clock,
    random: { uuid: () => '', fraction: () => 1 },
    onError: () => undefined,
    lingerMs: 20,
    maxBatchDeletions: 3,
  });
  let offered = 0;
  const offer = (count: number) => {
    for (let each = 0; each < count; each++)
      relay.reserve(clock.now(), acme, 1).end(aDeletion(jobIds(1), { id: String(offered++) }));
  };

  await clock.advance(100);
  offer(1);
  await clock.advance(5);
  offer(1);
  await clock.advance(5);
  offer(1);
  await clock.advance(30);
  expect(batches).toEqual([
    { atMs: 100, size: 1 },
    { atMs: 120, size: 2 },
  ]);

  batches.length = 0;
  await clock.advance(60);
  offer(1);
  await clock.settle();
  offer(7);
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
