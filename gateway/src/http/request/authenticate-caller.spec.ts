import { beforeEach, expect, test } from '@jest/globals';
import type { Authenticator } from '@jobs-delete/accounts/authenticator';
import { createAuthenticationQueue } from '../../limits/authentication-queue.ts';
import { createProvenCredentials } from '../../limits/proven-credentials.ts';
import type { Exchange } from '../exchange.ts';
import { isRefusal } from '../answer/refusal.ts';
import { authenticateCaller, type AuthenticationLimits } from './authenticate-caller.ts';

/** Checks of unknown tokens hang until their end. Checks of the right one do not. */
let hanging: (() => void)[];
let limits: AuthenticationLimits;
beforeEach(() => {
  hanging = [];
  limits = {
    proven: createProvenCredentials(),
    failures: undefined,
    queue: createAuthenticationQueue({ maxWaiting: 1, maxRunning: 1 }),
  };
});

const authenticator: Authenticator = {
  authenticateToken: (token) => {
    if (token === 'right')
      return Promise.resolve({ accountId: 'Acme', tokenId: 't', allowedDomains: ['acme.example'] });
    return new Promise((resolve) => hanging.push(() => resolve('token_invalid')));
  },
  verifySecretKey: () => Promise.resolve({ secretKeyId: 'k' }),
  recordUse: () => undefined,
  recordRefusal: () => undefined,
};

async function call(token: string, ip = '192.0.2.7'): Promise<string> {
  const headersDistinct = {
    authorization: [`Bearer ${token}`],
    usersecretkey: ['key'],
    origin: ['https://acme.example'],
  };
  // The function reads these members only.
  const rest = { facts: {}, onAuthenticated: () => undefined };
  const exchange = { request: { headersDistinct, ip }, ...rest } as unknown as Exchange;
  const result = await authenticateCaller(exchange, { authenticator, authenticationLimits: limits });
  return isRefusal(result) ? `${result.code} ${result.limit ?? ''}`.trim() : result.accountId;
}

test('a proven caller never waits behind unknown tokens', async () => {
  expect(await call('right')).toBe('Acme');
  const running = call('unknown1');
  const waiting = call('unknown2');
  const refused = call('unknown3');
  expect(await refused).toBe('unavailable authentications');
  expect(await call('right')).toBe('Acme');
  hanging.shift()?.();
  expect(await running).toBe('token_invalid');
  while (hanging.length === 0) await new Promise(setImmediate);
  hanging.shift()?.();
  expect(await waiting).toBe('token_invalid');
});
