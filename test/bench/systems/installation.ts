import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
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
