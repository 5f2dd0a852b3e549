import type { Account, Accounts, Credential } from '@jobs-delete/accounts/accounts';
import { Fault } from '@jobs-delete/runtime/fault';
import type { DeleterClient } from '../deleter/deleter-client.ts';
import type { OwnJobs } from '../deleter/repeated-calls.ts';
import { isRefusal, type Refusal } from './answer/refusal.ts';
import type { CheckedCall, CheckedCallOptions } from './checked-call.ts';
import { readJobsQuery } from './request/read-query.ts';

export interface WhoAmIOptions extends CheckedCallOptions {
  readonly accounts: Pick<Accounts, 'findAccount' | 'findCredential'>;
  readonly maxJobsPerRequest: number;
  readonly maxBodyBytes: number;
}

/** The account and the credentials of a request, without their secrets. */
export interface WhoAmI {
  readonly account: Account;
  readonly token: Credential;
  readonly secretKey: Credential;
  readonly origin: string;
  readonly maxJobsPerRequest: number;
  readonly maxBodyBytes: number;
}

/** @throws Fault */
export async function whoAmI(
  { caller }: CheckedCall,
  { accounts, maxJobsPerRequest, maxBodyBytes }: WhoAmIOptions,
): Promise<WhoAmI> {
  const [account, token, secretKey] = await Promise.all([
    accounts.findAccount(caller.accountId),
    accounts.findCredential({ kind: 'token', id: caller.tokenId }),
    accounts.findCredential({ kind: 'secret-key', id: caller.secretKeyId }),
  ]);
  // Accounts and credentials are never removed.
  if (account === undefined || token === undefined || secretKey === undefined)
    throw new Fault('internal', `the account ${caller.accountId} or its credentials are gone`);
  return { account, token, secretKey, origin: caller.webOrigin, maxJobsPerRequest, maxBodyBytes };
}

/** @throws Fault */
export async function listOwnJobs(
  { exchange, caller: { accountId } }: CheckedCall,
  { deleter }: CheckedCallOptions & { readonly deleter: DeleterClient },
): Promise<OwnJobs | Refusal> {
  const query = readJobsQuery(exchange.request.url);
  return isRefusal(query) ? query : deleter.listJobs({ accountId, ...query });
}
