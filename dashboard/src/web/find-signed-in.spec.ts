import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { unknownNetwork } from '@jobs-delete/runtime/net/remote-address';
import { createSessionLookUps } from './find-signed-in.ts';

const home = '192.0.2.7';
const full = { code: 'unavailable' };

/** One look-up runs at a time. Those of made-up cookies run until `release`. */
function start(maxWaiting: number) {
  const lookUp = createSessionLookUps({ maxWaiting, maxRunning: 1 });
  const held = new AbortController();
  const released = once(held.signal, 'abort').then(() => undefined);
  return {
    release: () => held.abort(),
    madeUp: (cookie: string, network: string) => lookUp(cookie, network, () => released),
    alive: (network: string) => lookUp('hers', network, () => Promise.resolve('ada')),
    ended: (network: string) => lookUp<string>('hers', network, () => Promise.resolve(undefined)),
  };
}

test('made-up cookies do not delay a session that was alive lately, not even from its network', async () => {
  const { madeUp, alive, release } = start(1);
  expect(await alive(home)).toBe('ada');
  const lookUps = [madeUp('one', home), madeUp('two', home)];
  await expect(madeUp('three', home)).rejects.toMatchObject(full);
  expect(await alive(home)).toBe('ada');
  release();
  await Promise.all(lookUps);
});

test('a session that has ended waits like any other', async () => {
  const { madeUp, alive, ended, release } = start(1);
  await alive(home);
  expect(await ended(home)).toBeUndefined();
  const lookUps = [madeUp('one', home), madeUp('two', home)];
  await expect(alive(home)).rejects.toMatchObject(full);
  release();
  await Promise.all(lookUps);
});

test('callers of unknown networks share no turn: the one who sends most is refused', async () => {
  const { madeUp, alive, release } = start(2);
  const cookies = ['one', 'two', 'two'];
  const lookUps = cookies.map((cookie) => madeUp(cookie, unknownNetwork));
  const outcomes = Promise.allSettled([...lookUps, alive(unknownNetwork)]);
  release();
  expect((await outcomes).map(({ status }) => status)).toEqual([
    ...['fulfilled', 'fulfilled', 'rejected'],
    'fulfilled',
  ]);
});
