import type { DeletionStatus, OwnJobs } from '../../deleter/repeated-calls.ts';
import type { Credential } from '@jobs-delete/accounts/accounts';
import { type Language, text } from '../../messages/messages.ts';
import type { WhoAmI } from '../serve-account.ts';

/** The body of a status. Its members are sent in this order. */
export interface DeletionStatusBody {
  readonly deletion_id: string;
  readonly state: DeletionStatus['state'];
  readonly jobs: number;
  readonly accepted_at: string;
  /** Only while the deletion waits for the end of its delay. */
  readonly removal_at?: string;
  readonly completed_at: string | null;
}

export function deletionStatusBody(status: DeletionStatus): DeletionStatusBody {
  const { deletionId, state, jobs, acceptedAtMs, removalAtMs, completedAtMs } = status;
  return {
    deletion_id: deletionId,
    state,
    jobs,
    accepted_at: new Date(acceptedAtMs).toISOString(),
    ...(removalAtMs !== undefined && { removal_at: new Date(removalAtMs).toISOString() }),
    completed_at: completedAtMs === undefined ? null : new Date(completedAtMs).toISOString(),
  };
}

export function whoAmIBody({ account, token, secretKey, origin, ...limits }: WhoAmI) {
  return {
    account_id: account.id,
    account_name: account.name ?? null,
    token: credentialBody(token),
    secret_key: credentialBody(secretKey),
    origin,
    limits: { max_jobs_per_request: limits.maxJobsPerRequest, max_body_bytes: limits.maxBodyBytes },
  };
}

function credentialBody({ id, expiresAtMs }: Pick<Credential, 'id' | 'expiresAtMs'>) {
  return { id, expires_at: expiresAtMs === undefined ? null : new Date(expiresAtMs).toISOString() };
}

/**
 * Returns the body of a 200: one result for each job, in the order sent. Concatenates strings, because there may be
 * 10,000 results. Job ids are letters and digits only, so they need no escaping.
 */
export function acceptedBody(jobIds: readonly string[], language: Language): string {
  const [before = '', after = ''] = text(language, 'job_queued').split('{id}').map(escape);
  const results = jobIds.map(
    (id) => `{"job_id":"${id}","status":"success","message":"${before}${id}${after}"}`,
  );
  const status = JSON.stringify(text(language, 'jobs_queued'));
  return `{"status":${status},"processed_jobs":${String(jobIds.length)},"results":[${results.join(',')}]}`;
}

/** Returns the body of a page of jobs. Like acceptedBody, it has up to 10,000 ids, which need no escaping. */
export function ownJobsBody({ jobIds, next }: OwnJobs): string {
  const jobs = jobIds.map((id) => `{"id":"${id}"}`);
  return `{"jobs":[${jobs.join(',')}],"next":${next === undefined ? 'null' : `"${next}"`}}`;
}

function escape(piece: string): string {
  return JSON.stringify(piece).slice(1, -1);
}
