import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rootFolder } from '../folders.ts';
import type { Caller } from './system.ts';

export const pepper = 'pepper-of-the-bench-0123456789-0123456789';

/** The `jobs-delete` command, as an operator runs it. */
async function jobsDelete(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Record<string, string>> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(rootFolder, 'cli/bin/jobs-delete.js'), ...args, '--json'],
    { env: { PATH: process.env.PATH, ...env } },
  );
  return JSON.parse(stdout) as Record<string, string>;
}

/** Indexes and topics, where the storage has any to be made. */
export async function createStorage(env: NodeJS.ProcessEnv): Promise<void> {
  await jobsDelete(['indexes', 'create'], env);
  await jobsDelete(['topics', 'create', '--partitions', '4'], env);
}

/** An account that may call. Peers on the same database look up the same credentials. */
export async function createCaller(env: NodeJS.ProcessEnv, accountId = 'bench'): Promise<Caller> {
  const origin = 'https://bench.example';
  await jobsDelete(['accounts', 'create', accountId], env);
  await jobsDelete(['origins', 'allow', origin, '--account', accountId], env);
  const { token = '' } = await jobsDelete(['tokens', 'issue', '--account', accountId], env);
  const { secret_key: secretKey = '' } = await jobsDelete(['secrets', 'issue', '--account', accountId], env);
  return { accountId, token, secretKey, origin };
}
