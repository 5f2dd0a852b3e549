import { execFile } from 'node:child_process';
import { createSecretKey } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createAccount } from '@jobs-delete/accounts/accounts';
import { type Issuance, issueSecretKey, issueToken } from '@jobs-delete/accounts/credentials/credential';
import { openAccounts } from '@jobs-delete/accounts/open-accounts';
import { rootFolder } from '../folders.ts';
import type { Caller } from './system.ts';

export const pepper = 'pepper-of-the-bench-0123456789-0123456789';

/** Runs the `jobs-delete` command, like an operator. */
async function jobsDelete(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Record<string, string>> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(rootFolder, 'cli/bin/jobs-delete.js'), ...args, '--json'],
    { env: { PATH: process.env.PATH, ...env } },
  );
  return JSON.parse(stdout) as Record<string, string>;
}

/** Creates indexes and topics, if the storage needs any. */
export async function createStorage(env: NodeJS.ProcessEnv): Promise<void> {
  await jobsDelete(['indexes', 'create'], env);
  await jobsDelete(['topics', 'create', '--partitions', '4'], env);
}

/** Creates an account that may call. Peers on the same database use the same credentials. */
export async function createCaller(env: NodeJS.ProcessEnv, accountId = 'bench'): Promise<Caller> {
  const origin = 'https://bench.example';
  await jobsDelete(['accounts', 'create', accountId], env);
  await jobsDelete(['origins', 'allow', origin, '--account', accountId], env);
  const { token = '' } = await jobsDelete(['tokens', 'issue', '--account', accountId], env);
  const { secret_key: secretKey = '' } = await jobsDelete(['secrets', 'issue', '--account', accountId], env);
  return { accountId, token, secretKey, origin };
}

/** Creates many accounts in this process: the command would take a second for each. */
export async function createCallers(databaseUrl: string, count: number): Promise<Caller[]> {
  const origin = 'https://bench.example';
  const accounts = await openAccounts({ kind: 'mongodb', url: databaseUrl });
  const key = createSecretKey(Buffer.from(pepper));
  const textOf = (issued: Issuance) => (issued.kind === 'issued' ? issued.text : '');
  const create = async (index: number): Promise<Caller> => {
    const accountId = `neighbour-${String(index)}`;
    await createAccount(accounts, { id: accountId }, Date.now);
    await accounts.allowDomain(accountId, origin);
    const token = textOf(await issueToken(accounts, key, accountId, {}, Date.now));
    const secretKey = textOf(await issueSecretKey(accounts, key, accountId, {}, Date.now));
    return { accountId, token, secretKey, origin };
  };
  try {
    const callers: Caller[] = [];
    while (callers.length < count) {
      const some = Array.from(
        { length: Math.min(50, count - callers.length) },
        (_, index) => callers.length + index,
      );
      callers.push(...(await Promise.all(some.map(create))));
    }
    return callers;
  } finally {
    await accounts.close();
  }
}
