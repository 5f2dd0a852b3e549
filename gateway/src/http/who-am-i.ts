import type { Account, Accounts, Credential } from '@jobs-delete/accounts/accounts';
import { Fault } from '@jobs-delete/runtime/fault';
import type { Refusal } from './answer/refusal.ts';
import { checkedCall, type CheckedCallOptions } from './checked-call.ts';
import { whoamiEndpoint } from './endpoints.ts';
import type { Exchange } from './exchange.ts';

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
export function whoAmI(exchange: Exchange, options: WhoAmIOptions): Promise<WhoAmI | Refusal> {
  return checkedCall<WhoAmI>(exchange, options, whoamiEndpoint.methods, async ({ caller }) => {
    const { accounts, maxJobsPerRequest, maxBodyBytes } = options;
    const [account, token, secretKey] = await Promise.all([
      accounts.findAccount(caller.accountId),
      accounts.findCredential({ kind: 'token', id: caller.tokenId }),
      accounts.findCredential({ kind: 'secret-key', id: caller.secretKeyId }),
    ]);
    // Accounts and credentials are never removed.
    if (account === undefined || token === undefined || secretKey === undefined)
      throw new Fault('internal', `the account ${caller.accountId} or its credentials are gone`);
    return { account, token, secretKey, origin: caller.webOrigin, maxJobsPerRequest, maxBodyBytes };
  });
}
