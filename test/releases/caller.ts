import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callerHeaders, jsonBody, send, type HttpAnswer } from '../harness/http-client.ts';
import type { TestAccount } from '../harness/service.ts';
import { succeed } from '../production/cluster.ts';
import { jobs } from './recording.ts';

/** Creates the account with all jobs, with commands of jobs-delete. */
export async function createCaller(env: NodeJS.ProcessEnv): Promise<TestAccount> {
  const accountId = 'acme';
  const origin = 'https://acme.example';
  const account = ['--account', accountId];
  await succeed(['accounts', 'create', accountId], env);
  await succeed(['origins', 'allow', ...account, origin], env);
  const { token } = (await succeed(['tokens', 'issue', ...account], env)) as { token: string };
  const issued = (await succeed(['secrets', 'issue', ...account], env)) as { secret_key: string };
  const folder = mkdtempSync(join(tmpdir(), 'jobs-delete-release-'));
  try {
    const file = join(folder, 'jobs.ndjson');
    const postings = Object.values(jobs).flat();
    writeFileSync(file, postings.map((id) => JSON.stringify({ id, title: `The job ${id}` })).join('\n'));
    await succeed(['jobs', 'import', file, ...account], env);
  } finally {
    rmSync(folder, { recursive: true });
  }
  return { accountId, token, secretKey: issued.secret_key, origin };
}

export function deleteJobs(
  baseUrl: string,
  caller: TestAccount,
  jobIds: readonly string[],
  key?: string,
): Promise<HttpAnswer> {
  const headers = { ...callerHeaders(caller), ...(key !== undefined && { 'Idempotency-Key': key }) };
  return send(baseUrl, { headers, body: jsonBody(jobIds) });
}

/** Returns the id of the deletion. Throws if the request was not accepted. */
export async function acceptedBy(answer: Promise<HttpAnswer>): Promise<string> {
  const { status, headers, text } = await answer;
  if (status !== 200) throw new Error(`answered ${status}: ${text}`);
  return String(headers['deletion-id']);
}
