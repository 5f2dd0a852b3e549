import type { Request } from 'express';
import type { Authenticator } from '@jobs-delete/accounts/authenticator';
import type { FailedAuthentications } from '../../limits/failed-authentications.ts';
import { networkOf } from '../../limits/remote-network.ts';
import { isRefusal, type Refusal } from '../answer/refusal.ts';
import { checkCredentials, type Caller } from './check-credentials.ts';
import { tooManyRequests } from './consume-quota.ts';

export interface AuthenticateOptions {
  readonly authenticator: Authenticator;
  /** Undefined when failures are not limited. */
  readonly failedAuthentications?: FailedAuthentications | undefined;
}

/** Checks the credentials, unless the caller's network has failed too often. A request without a token is no failure. */
export async function authenticateCaller(
  request: Request,
  { authenticator, failedAuthentications }: AuthenticateOptions,
): Promise<Caller | Refusal> {
  const { headersDistinct } = request;
  if (failedAuthentications === undefined) return checkCredentials(headersDistinct, authenticator);

  const network = networkOf(request.ip);
  const credentials = JSON.stringify([headersDistinct.authorization, headersDistinct.usersecretkey]);
  const blockedMs = await failedAuthentications.blockedMs(network, credentials);
  if (blockedMs !== undefined) return tooManyRequests('failed_authentications', blockedMs);

  const caller = await checkCredentials(headersDistinct, authenticator);
  if (!isRefusal(caller)) failedAuthentications.passed(credentials);
  else if (caller.code !== 'authentication_required')
    await failedAuthentications.failed(network, credentials);
  return caller;
}
