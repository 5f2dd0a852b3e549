import { expect, test } from '@jest/globals';
import {
  createAuthenticationLimits,
  createFailedAuthentications,
  digestOf,
} from './authentication-limits.ts';

const hour = { windowSeconds: 3_600 };
const home = '192.0.2.7';

test('a network that reaches the limit is blocked until the end of its window', () => {
  const failures = createFailedAuthentications({ limit: 3, ...hour });
  for (let failure = 0; failure < 3; failure++) {
    expect(failures.blockedMs(home)).toBeUndefined();
    failures.failed(home);
  }
  expect(failures.blockedMs(home)).toBeGreaterThan(3_000_000);
  expect(failures.blockedMs('192.0.2.8')).toBeUndefined();
});

test('failures expire with their window', async () => {
  const failures = createFailedAuthentications({ limit: 1, windowSeconds: 1 });
  failures.failed(home);
  while (failures.blockedMs(home) !== undefined) await new Promise(setImmediate);
});

test('only the latest networks stay in memory', () => {
  const failures = createFailedAuthentications({ limit: 1, ...hour }, 2);
  for (const network of ['a', 'b', 'c']) failures.failed(network);
  const isBlocked = (network: string) => failures.blockedMs(network) !== undefined;
  expect(['a', 'b', 'c'].map(isBlocked)).toEqual([false, true, true]);
});

test('the network with the oldest window is forgotten first, even if it failed last', () => {
  const failures = createFailedAuthentications({ limit: 1, ...hour }, 2);
  for (const network of ['a', 'b', 'a', 'c']) failures.failed(network);
  expect(failures.blockedMs('a')).toBeUndefined();
  expect(failures.blockedMs('b')).toBeDefined();
});

test('only the latest proven credentials stay in memory', () => {
  const limits = { failedAuthentications: { limit: 0, ...hour }, maxWaitingAuthentications: 0 };
  const { proven } = createAuthenticationLimits(limits, { warn: () => undefined });
  for (let digest = 0; digest <= 10_000; digest++) proven.set(String(digest), true);
  expect([proven.get('0'), proven.get('1')]).toEqual([undefined, true]);
});

test('a digest has every value of both headers, each in its place', () => {
  const digests = [
    { authorization: ['a'], usersecretkey: ['b'] },
    { authorization: ['b'], usersecretkey: ['a'] },
    { authorization: ['a', 'b'] },
    { usersecretkey: ['a', 'b'] },
    { authorization: ['a'] },
    {},
  ].map(digestOf);
  expect(new Set(digests).size).toBe(6);
  expect(digestOf({ authorization: ['a'], usersecretkey: ['b'], origin: ['c'] })).toBe(digests[0]);
});
