import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { deadLetterTopic, deletionAcceptedTopic } from '@jobs-delete/proto/events';
import { callerHeaders, type HttpAnswer, jsonBody, send } from '../harness/http-client.ts';
import type { TestAccount } from '../harness/service.ts';
import { succeed } from '../production/cluster.ts';
import { root } from '../readme/readme.ts';

/**
 * Stored data and published events of a release. `npm run record-release` runs the release on both storage pairs. Until a
 * release is recorded, the specs record this version, so that the machinery keeps working. An
 * account has six jobs and three deletions:
 * - jobs 1 and 2: completed, with the idempotency key `key-1`;
 * - job 3: published, and its valid event is a dead letter;
 * - jobs 4 and 5: accepted and not published.
 */
export interface Recording {
  readonly caller: Readonly<Record<'production' | 'embedded', TestAccount>>;
  /** The documents of the MongoDB database, as Extended JSON. */
  readonly collections: string;
  readonly topics: Readonly<Record<RecordedTopic, readonly RecordedEvent[]>>;
  /** The dumps of the SQLite files in the data folder. */
  readonly sql: Readonly<Record<'jobs-delete.db' | 'events.db', string>>;
}

/** The topics that the program reads. `jobs.deleted.v1` is for other services. */
type RecordedTopic = typeof deletionAcceptedTopic | typeof deadLetterTopic;

export interface RecordedEvent {
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly value: string;
}

export const jobs = {
  completed: ['job0001', 'job0002'],
  published: ['job0003'],
  accepted: ['job0004', 'job0005'],
  untouched: ['job0006'],
} as const;
export const idempotencyKey = 'key-1';
/** The pepper of the recorded credentials. */
export const pepper = 'pepper-of-the-recorded-releases-0123456789';

export const recordings = join(root, 'test/releases');
export const recordedReleases: readonly string[] = readdirSync(recordings).filter((name) =>
  /^v\d/.test(name),
);

/** The name of this version, which the specs record themselves while there is no release. */
export const thisVersion = 'this version';
export const checkedReleases = recordedReleases.length > 0 ? recordedReleases : [thisVersion];

/** No collector listens here. Deletions and events carry trace ids only if one is set. */
export const recordedEnv = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };

export function readRecording(release: string): Recording {
  const read = (name: string) => readFileSync(join(recordings, release, name), 'utf8');
  return {
    caller: JSON.parse(read('callers.json')) as Recording['caller'],
    collections: read('mongodb.json'),
    topics: JSON.parse(read('kafka.json')) as Recording['topics'],
    sql: { 'jobs-delete.db': read('jobs-delete.sql'), 'events.db': read('events.sql') },
  };
}

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
