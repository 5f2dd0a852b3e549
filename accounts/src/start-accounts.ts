import type { MongoPool } from '@jobs-delete/runtime/mongo/open-mongo';
import {
  watchDatabase,
  type ServiceContext,
  type StopStack,
} from '@jobs-delete/runtime/process/service-context';
import type { AccountsConfig } from './accounts-config.ts';
import { openAccounts } from './open-accounts.ts';
import { loadPeppers } from './pepper/load-pepper.ts';

/**
 * Opens the accounts of a service, once their database is up, and checks it for the health report.
 * @throws StartupError
 */
export async function startAccounts(
  config: AccountsConfig,
  context: Pick<ServiceContext, 'health' | 'waitFor'>,
  stack: Pick<StopStack, 'push'>,
  pool: MongoPool,
) {
  const accounts = await context.waitFor('database', () =>
    openAccounts(config.database, { pool, inThread: true }),
  );
  stack.push('accounts', () => accounts.close());
  const peppers = await context.waitFor('database', () => loadPeppers(accounts, config));
  await watchDatabase(context, stack, {
    database: config.database,
    check: () => accounts.findAccount('').then(() => undefined),
    // Not required: the service stays ready and answers itself, in place of the balancer's error page.
    required: false,
  });
  return { accounts, peppers };
}
