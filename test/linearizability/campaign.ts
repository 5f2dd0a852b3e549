import { createSeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';
import { createConnect, type Connection } from '@jobs-delete/gateway/deleter/connection';
import { channelSecurity } from '@jobs-delete/proto/client-channel';
import type { Whereabouts } from '../durability/sent-requests.ts';
import type { Operator, TestAccount } from '../harness/service.ts';
import { serviceToken } from '../production/cluster.ts';
import { runGroups } from './group-client.ts';
import type { History } from './history.ts';

export interface Campaign {
  readonly seed: number;
  /** The number of kills, freezes and cuts. */
  readonly kills: number;
  /** The longest pause between them. */
  readonly pauseMs: number;
  /** The number of groups that run at the same time. */
  readonly clients: number;
  readonly history: History;
}

/** Creates an account without a delay, and one whose deletions can be cancelled for a second. */
export async function createHistoryAccounts(operator: Operator): Promise<readonly TestAccount[]> {
  const accounts = [await operator.createAccount('Acme'), await operator.createAccount('Careful')];
  await operator.store.setRules('Careful', { removalDelayMs: 1_000 });
  return accounts;
}

export interface ClientsOptions extends Pick<Campaign, 'seed' | 'clients' | 'history'> {
  readonly accounts: readonly TestAccount[];
  readonly operator: Operator;
  readonly service: Whereabouts;
  readonly apis: readonly Connection[];
}

/** Starts the clients, which share the accounts. Resolves when the service has ended and they have their last answers. */
export async function startClients(options: ClientsOptions): Promise<void> {
  const { seed, clients, history, accounts, operator, service, apis } = options;
  await Promise.all(
    Array.from({ length: clients }, (_, number) => {
      const account = accounts[number % accounts.length];
      if (account === undefined) throw new Error('no account');
      const random = createSeededRandom(seed + number + 1);
      return runGroups({ history, service, apis, store: operator.store, account, random, number });
    }),
  );
}

/** Connects to an api, as a caller with the service token. */
export function connectTo(address: string): Connection {
  const connect = createConnect({
    serviceToken: () => serviceToken,
    security: channelSecurity(undefined),
    hostName: undefined,
    timeoutMs: 10_000,
  });
  return connect(address);
}
