import type { Request } from 'express';
import type { Authenticator } from '@jobs-delete/accounts/authenticator';
import type { FailedAuthentications } from '../../limits/failed-authentications.ts';
import { networkOf } from '../../limits/remote-network.ts';
import { authenticate, type Caller } from './check-credentials.ts';
import { tooManyRequests } from './consume-from-limit.ts';
import type { Refusal } from '../answer/problem.ts';

export interface AuthenticateOptions {
  readonly authenticator: Authenticator;
  readonly failedAuthentications?: FailedAuthentications | undefined;
}

/** Refuses at once who has failed too often. A request without a token is no attempt. */
export async function authenticateCaller(
  request: Request,
  { authenticator, failedAuthentications }: AuthenticateOptions,
): Promise<Caller | Refusal> {
  const { headersDistinct } = request;
  if (failedAuthentications === undefined) return authenticate(headersDistinct, authenticator);

  const network = networkOf(request.ip);
  const credentials = JSON.stringify([headersDistinct.authorization, headersDistinct.usersecretkey]);
  const blockedMs = await failedAuthentications.blockedMs(network, credentials);
  if (blockedMs !== undefined) return tooManyRequests('failed_authentications', blockedMs);
  const caller = await authenticate(headersDistinct, authenticator);
  if ('accountId' in caller) failedAuthentications.passed(credentials);
  else if (caller.code !== 'authentication_required')
    await failedAuthentications.failed(network, credentials);
  return caller;
}
