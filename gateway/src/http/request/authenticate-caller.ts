import type { Authenticator } from '@jobs-delete/accounts/authenticator';
import {
  digestOf,
  type AuthenticationLimits,
  type FailedAuthentications,
} from '../../limits/authentication-limits.ts';
import { networkOf, unknownNetwork } from '@jobs-delete/runtime/net/remote-address';
import { isRefusal, overloaded, type Refusal } from '../answer/refusal.ts';
import { excerpt } from '../answer/echo.ts';
import type { Exchange } from '../exchange.ts';
import { checkCredentials, tokenIdOf, type Caller } from './check-credentials.ts';
import { tooManyRequests } from './consume-quota.ts';

export interface AuthenticateOptions {
  readonly authenticator: Authenticator;
  /** Bounds the work for callers that are not proven. Undefined when it is unlimited. */
  readonly authenticationLimits?: AuthenticationLimits | undefined;
}

const queueFull: Refusal = { ...overloaded, limit: 'authentications' };

/**
 * Checks the credentials. A caller whose credentials were not valid recently waits for a permit for its look-up, and is refused
 * while its network has failed too often. Callers of unknown networks are not limited by failures: one of them would block all.
 */
export async function authenticateCaller(
  { request, facts }: Exchange,
  { authenticator, authenticationLimits: limits }: AuthenticateOptions,
): Promise<Caller | Refusal> {
  const { headersDistinct } = request;
  const tokenId = tokenIdOf(headersDistinct);
  if (tokenId !== undefined) facts.tokenId = tokenId;
  const check = () => checkCredentials(headersDistinct, authenticator, facts);
  if (limits === undefined) return check();

  const { proven, queue } = limits;
  const digest = digestOf(headersDistinct);
  // A proven caller's network matters only if it fails now.
  // `get` also marks the entry as recently used, so busy callers stay proven.
  if (proven.get(digest)) {
    const caller = await check();
    if (isFailure(caller)) {
      proven.delete(digest);
      failuresOf(request.ip, limits)?.failed(networkOf(request.ip));
    }
    return caller;
  }

  const network = networkOf(request.ip);
  const failures = failuresOf(request.ip, limits);
  const blockedMs = failures?.blockedMs(network);
  if (blockedMs !== undefined) return tooManyRequests('failed_authentications', blockedMs);

  const mayWait = tokenId !== undefined && queue !== undefined;
  const queueKey = network === unknownNetwork ? (request.ip ?? '') : network;
  const caller = mayWait ? await queue.run(queueKey, check) : await check();
  if (caller === 'full') return queueFull;
  if (!isRefusal(caller)) proven.set(digest, true);
  else if (isFailure(caller)) failures?.failed(network);
  return caller;
}

/** A request without a token is no failure. */
function isFailure(caller: Caller | Refusal): boolean {
  return isRefusal(caller) && caller.code !== 'authentication_required';
}

/** Returns nothing for an unknown network, and reports it. */
function failuresOf(ip: string | undefined, limits: AuthenticationLimits): FailedAuthentications | undefined {
  if (networkOf(ip) !== unknownNetwork) return limits.failures;
  limits.onUnknownNetwork?.(excerpt(ip ?? ''));
  return undefined;
}
