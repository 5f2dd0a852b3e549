import { once } from 'node:events';
import { expect, test, afterAll, beforeAll } from '@jest/globals';
import { unknownNetwork } from '@jobs-delete/runtime/net/remote-address';
import { hashSecret } from '@jobs-delete/accounts/people/one-time-secret';
import { createSessionLookUps, expireSessions } from './browser-sessions.ts';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';

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

test('each cookie of an unknown network has a queue of its own: the one that is sent most often is refused', async () => {
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

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard()));
afterAll(() => dashboard.stop());

test('sessions without a request in 12 hours and expired links are removed', async () => {
  const { accounts } = dashboard;
  const hours = (count: number) => ({ lastSeenAtMs: Date.now() - count * 3_600_000 });
  const [used, unused] = [
    await dashboard.signIn('acme', 'viewer', hours(11)),
    await dashboard.signIn('acme', 'viewer', hours(13)),
  ];
  const link = (secret: string, expiresAtMs: number) =>
    accounts.addOneTimeSecret({ kind: 'invitation', hash: hashSecret(secret), expiresAtMs, data: {} });
  await link('valid', Date.now() + 60_000);
  await link('expired', Date.now() - 60_000);

  await expireSessions({ accounts, now: Date.now });

  expect(await accounts.findSession(used.session.hash)).toBeDefined();
  expect(await accounts.findSession(unused.session.hash)).toBeUndefined();
  // As of a time at which both links were valid.
  const find = (secret: string) => accounts.findOneTimeSecret('invitation', hashSecret(secret), 0);
  expect(await find('valid')).toBeDefined();
  expect(await find('expired')).toBeUndefined();
});
