import { beforeEach, expect, test } from '@jest/globals';
import type { Authenticator } from '@jobs-delete/accounts/authenticator';
import { createFairSemaphore } from '@jobs-delete/runtime/batching/permits';
import { LRUCache } from 'lru-cache';
import type { AuthenticationLimits } from '../../limits/authentication-limits.ts';
import type { Exchange, RequestFacts } from '../exchange.ts';
import { isRefusal } from '../answer/refusal.ts';
import { authenticateCaller } from './authenticate-caller.ts';

const unknown = (digit: string) => `jdt_${digit.repeat(24)}_${digit.repeat(64)}`;

/** Look-ups of unknown tokens hang until their end. */
let hanging: (() => void)[];
let isRevoked: boolean;
let isBlocked: boolean;
/** The networks whose failures were counted. */
let failed: string[];
let limits: AuthenticationLimits | undefined;
beforeEach(() => {
  hanging = [];
  isRevoked = false;
  isBlocked = false;
  failed = [];
  limits = {
    proven: new LRUCache({ max: 10 }),
    failures: {
      blockedMs: () => (isBlocked ? 1_000 : undefined),
      failed: (network) => void failed.push(network),
    },
    queue: createFairSemaphore({ maxWaiting: 1, maxRunning: 1 }),
  };
});

const authenticator: Authenticator = {
  authenticateToken: (token) => {
    if (token === 'right' && !isRevoked)
      return Promise.resolve({ accountId: 'Acme', tokenId: 't', allowedDomains: ['acme.example'] });
    if (!token.startsWith('jdt_')) return Promise.resolve('token_invalid');
    return new Promise((resolve) => hanging.push(() => resolve('token_invalid')));
  },
  verifySecretKey: () => Promise.resolve({ secretKeyId: 'k' }),
  recordUse: () => undefined,
  recordRefusal: () => undefined,
};

async function call(token: string, facts: RequestFacts = {}, ip = '192.0.2.7'): Promise<string> {
  const headersDistinct = {
    authorization: [`Bearer ${token}`],
    usersecretkey: ['key'],
    origin: ['https://acme.example'],
  };
  // The function reads these members only.
  const exchange = { request: { headersDistinct, ip }, facts } as unknown as Exchange;
  const result = await authenticateCaller(exchange, { authenticator, authenticationLimits: limits });
  return isRefusal(result) ? `${result.code} ${result.limit ?? ''}`.trim() : result.accountId;
}

test('a proven caller never waits behind unknown tokens', async () => {
  expect(await call('right')).toBe('Acme');
  const running = call(unknown('1'));
  const waiting = call(unknown('2'));
  const refused = call(unknown('3'));
  expect(await refused).toBe('unavailable authentications');
  expect(await call('right')).toBe('Acme');
  hanging.shift()?.();
  expect(await running).toBe('token_invalid');
  while (hanging.length === 0) await new Promise(setImmediate);
  hanging.shift()?.();
  expect(await waiting).toBe('token_invalid');
});

test('a request without a token to look up never waits', async () => {
  const pending = [call(unknown('1')), call(unknown('2'))];
  expect(await call('no-token-of-ours')).toBe('token_invalid');
  expect(await call('')).toBe('authentication_required');
  hanging.shift()?.();
  while (hanging.length === 0) await new Promise(setImmediate);
  hanging.shift()?.();
  expect(await Promise.all(pending)).toEqual(['token_invalid', 'token_invalid']);
});

test('a network that has failed too often is refused with the public id of its token', async () => {
  isBlocked = true;
  const facts: RequestFacts = {};
  expect(await call(unknown('1'), facts)).toBe('too_many_requests failed_authentications');
  expect(facts).toEqual({ tokenId: '1'.repeat(24) });
  const ofOther: RequestFacts = {};
  await call('no-token-of-ours', ofOther);
  expect(ofOther).toStrictEqual({});
});

test('failures do not block callers whose network is unknown, because it may be another one each time', async () => {
  const reported: string[] = [];
  isBlocked = true;
  limits = limits && { ...limits, onUnknownNetwork: (address) => reported.push(address) };
  expect(await call('right', {}, 'unknown')).toBe('Acme');
  expect(reported).toEqual(['unknown']);
  limits = limits && { ...limits, proven: new LRUCache({ max: 10 }) };
  expect(await call('right', {}, '192.0.2.7:1234')).toBe('too_many_requests failed_authentications');
  expect(reported).toHaveLength(1);
});

test('a wrong credential counts against its network; a right or a missing one does not', async () => {
  for (const token of ['no-token-of-ours', 'right', '']) await call(token);
  expect(failed).toEqual(['192.0.2.7']);
});

test('a proven caller is not blocked with its network, until its credentials fail', async () => {
  await call('right');
  isBlocked = true;
  expect([await call('right'), await call('right')]).toEqual(['Acme', 'Acme']);
  isRevoked = true;
  expect(await call('right')).toBe('token_invalid');
  expect(failed).toEqual(['192.0.2.7']);
  isRevoked = false;
  expect(await call('right')).toBe('too_many_requests failed_authentications');
});

test('a proven caller that calls often is not forgotten for a newer one', async () => {
  limits = limits && { ...limits, proven: new LRUCache({ max: 2 }) };
  await call('right');
  limits?.proven.set('another', true);
  await call('right');
  limits?.proven.set('a newer one', true);
  isBlocked = true;
  expect(await call('right')).toBe('Acme');
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['192.0.2', '192.0.2'],
])('a caller from %s waits in the queue of %s', async (ip, queue) => {
  const keys: string[] = [];
  const run = (key: string) => {
    keys.push(key);
    return Promise.resolve('full' as const);
  };
  limits = limits && { ...limits, queue: { run, state: () => ({ running: 0, waiting: 0 }) } };
  expect(await call(unknown('1'), {}, ip)).toBe('unavailable authentications');
  expect(keys).toEqual([queue]);
});

test.each(['without limits', 'without a queue'])('%s nobody waits', async (what) => {
  limits = what === 'without limits' ? undefined : limits && { ...limits, queue: undefined };
  const calls = ['1', '2', '3'].map((digit) => call(unknown(digit)));
  while (hanging.length < 3) await new Promise(setImmediate);
  for (const end of hanging) end();
  expect(await Promise.all(calls)).toEqual(['token_invalid', 'token_invalid', 'token_invalid']);
});
