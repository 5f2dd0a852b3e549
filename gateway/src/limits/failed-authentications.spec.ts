import { expect, test } from '@jest/globals';
import { createFailedAuthentications } from './failed-authentications.ts';

const hour = { windowSeconds: 3_600 };
const home = '192.0.2.7';

test('a network that reaches the limit is blocked until the end of its window', async () => {
  const failures = createFailedAuthentications({ limit: 3, ...hour });
  for (let failure = 0; failure < 3; failure++) {
    expect(await failures.blockedMs(home, 'guess')).toBeUndefined();
    await failures.failed(home, `guess ${String(failure)}`);
  }
  expect(await failures.blockedMs(home, 'another')).toBeGreaterThan(3_000_000);
  expect(await failures.blockedMs('192.0.2.8', 'another')).toBeUndefined();
});

test('failures expire with their window', async () => {
  const failures = createFailedAuthentications({ limit: 1, windowSeconds: 1 });
  await failures.failed(home, 'guess');
  while ((await failures.blockedMs(home, 'guess')) !== undefined) await new Promise(setImmediate);
});

test('proven credentials pass from a blocked network until they fail', async () => {
  const failures = createFailedAuthentications({ limit: 1, ...hour });
  failures.passed('right');
  await failures.failed(home, 'guess');
  expect(await failures.blockedMs(home, 'guess')).toBeDefined();
  expect(await failures.blockedMs(home, 'right')).toBeUndefined();
  await failures.failed(home, 'right');
  expect(await failures.blockedMs(home, 'right')).toBeDefined();
});

test('only the latest networks and credentials stay in memory', async () => {
  const failures = createFailedAuthentications({ limit: 1, ...hour, maxNetworks: 2, maxProven: 2 });
  for (const network of ['a', 'b', 'c']) await failures.failed(network, 'guess');
  const isBlocked = async (network: string, credentials = 'guess') =>
    (await failures.blockedMs(network, credentials)) !== undefined;
  expect([await isBlocked('a'), await isBlocked('b'), await isBlocked('c')]).toEqual([false, true, true]);
  for (const credentials of ['1', '2', '1', '3']) failures.passed(credentials);
  expect([await isBlocked('c', '1'), await isBlocked('c', '2'), await isBlocked('c', '3')]).toEqual([
    false,
    true,
    false,
  ]);
});

test('the network with the oldest window is forgotten first, even if it failed last', async () => {
  const failures = createFailedAuthentications({ limit: 1, ...hour, maxNetworks: 2 });
  for (const network of ['a', 'b', 'a', 'c']) await failures.failed(network, 'guess');
  expect(await failures.blockedMs('a', 'guess')).toBeUndefined();
  expect(await failures.blockedMs('b', 'guess')).toBeDefined();
});
