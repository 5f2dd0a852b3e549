import type { Authenticator } from '@jobs-delete/accounts/authenticator';
import type { FailedAuthentications } from '../../limits/failed-authentications.ts';
import type { ProvenCredentials } from '../../limits/proven-credentials.ts';
import type { AuthenticationQueue } from '@jobs-delete/runtime/batching/authentication-queue';
import { networkOf } from '@jobs-delete/runtime/net/remote-network';
import { isRefusal, overloaded, type Refusal } from '../answer/refusal.ts';
import type { Exchange } from '../exchange.ts';
import { checkCredentials, tokenIdOf, type Caller } from './check-credentials.ts';
import { tooManyRequests } from './consume-quota.ts';

export interface AuthenticateOptions {
  readonly authenticator: Authenticator;
  /** Bounds the work for callers that are not proven. Undefined when it is unlimited. */
  readonly authenticationLimits?: AuthenticationLimits | undefined;
}

export interface AuthenticationLimits {
  readonly proven: ProvenCredentials;
  /** Undefined when failures are not limited. */
  readonly failures: FailedAuthentications | undefined;
  /** Undefined when look-ups are not limited. */
  readonly queue: AuthenticationQueue | undefined;
}

const queueFull: Refusal = { ...overloaded, limit: 'authentications' };

/**
 * Checks the credentials. A caller that is not proven waits for the turn of its look-up, and is refused while its network
 * has failed too often. A request without a token is no failure.
 */
export async function authenticateCaller(
  exchange: Exchange,
  options: AuthenticateOptions,
): Promise<Caller | Refusal> {
  const caller = await checkInTurn(exchange, options);
  if (!isRefusal(caller)) exchange.onAuthenticated();
  return caller;
}

async function checkInTurn(
  { request, facts }: Exchange,
  { authenticator, authenticationLimits: limits }: AuthenticateOptions,
): Promise<Caller | Refusal> {
  const { headersDistinct } = request;
  const tokenId = tokenIdOf(headersDistinct);
  if (tokenId !== undefined) facts.tokenId = tokenId;
  const check = () => checkCredentials(headersDistinct, authenticator, facts);
  if (limits === undefined) return check();

  const { proven, failures, queue } = limits;
  const credentials = JSON.stringify([headersDistinct.authorization, headersDistinct.usersecretkey]);
  const network = networkOf(request.ip);
  const isProven = proven.has(credentials);
  const blockedMs = isProven ? undefined : await failures?.blockedMs(network);
  if (blockedMs !== undefined) return tooManyRequests('failed_authentications', blockedMs);

  const mayWait = !isProven && tokenId !== undefined;
  const caller = mayWait && queue !== undefined ? await queue.run(network, check) : await check();
  if (caller === 'full') return queueFull;
  if (!isRefusal(caller)) {
    if (!isProven) proven.add(credentials);
  } else if (caller.code !== 'authentication_required') {
    proven.delete(credentials);
    await failures?.failed(network);
  }
  return caller;
}
