import { expect, test } from '@jest/globals';
import { createFailedAuthentications } from './failed-authentications.ts';

const hour = { windowSeconds: 3_600 };
const home = '192.0.2.7';

test('a network that reaches the limit is blocked until the end of its window', async () => {
  const failures = createFailedAuthentications({ limit: 3, ...hour });
  for (let failure = 0; failure < 3; failure++) {
    expect(await failures.blockedMs(home)).toBeUndefined();
    await failures.failed(home);
  }
  expect(await failures.blockedMs(home)).toBeGreaterThan(3_000_000);
  expect(await failures.blockedMs('192.0.2.8')).toBeUndefined();
});

test('failures expire with their window', async () => {
  const failures = createFailedAuthentications({ limit: 1, windowSeconds: 1 });
  await failures.failed(home);
  while ((await failures.blockedMs(home)) !== undefined) await new Promise(setImmediate);
});

test('only the latest networks stay in memory', async () => {
  const failures = createFailedAuthentications({ limit: 1, ...hour, maxNetworks: 2 });
  for (const network of ['a', 'b', 'c']) await failures.failed(network);
  const isBlocked = async (network: string) => (await failures.blockedMs(network)) !== undefined;
  expect([await isBlocked('a'), await isBlocked('b'), await isBlocked('c')]).toEqual([false, true, true]);
});

test('the network with the oldest window is forgotten first, even if it failed last', async () => {
  const failures = createFailedAuthentications({ limit: 1, ...hour, maxNetworks: 2 });
  for (const network of ['a', 'b', 'a', 'c']) await failures.failed(network);
  expect(await failures.blockedMs('a')).toBeUndefined();
  expect(await failures.blockedMs('b')).toBeDefined();
});
