import type { DeleterClient, DeleteJobsAnswer } from '../deleter/deleter-client.ts';
import { sentence } from '../messages/messages.ts';
import { maxErrors } from './answer/problem.ts';
import { isRefusal, overloaded, type Refusal } from './answer/refusal.ts';
import type { AcceptedRequest } from './answer/send.ts';
import { checkJobIds, idPointer } from './body/check-job-ids.ts';
import { readBody } from './body/read-body.ts';
import { readJsonJobs } from './body/read-json-jobs.ts';
import { readXmlJobs } from './body/read-xml-jobs.ts';
import { originOf, type CheckedCall, type CheckedCallOptions } from './checked-call.ts';
import { consumeQuota } from './request/consume-quota.ts';

export interface DeleteJobsOptions extends CheckedCallOptions {
  readonly deleter: DeleterClient;
  readonly maxJobsPerRequest: number;
  readonly maxBodyBytes: number;
}

/**
 * Checks the body of a request and the quota of its jobs, then calls the deleter.
 * @throws Fault, CallerGone
 */
export async function deleteJobs(
  checked: CheckedCall,
  options: DeleteJobsOptions,
): Promise<AcceptedRequest | Refusal> {
  const { exchange, caller, headers } = checked;
  const { sandbox } = checked.endpoint;
  const { facts, prefersAllErrors } = exchange;
  const errorLimit = prefersAllErrors ? Math.max(options.maxJobsPerRequest, maxErrors) : maxErrors;
  const jobIds = await readJobIds(checked, options, errorLimit);
  if (isRefusal(jobIds)) return jobIds;
  facts.jobs = jobIds.length;

  const overQuota = await consumeQuota('jobs', jobIds.length, checked, options);
  if (overQuota !== undefined) return overQuota;

  const answer = await options.deleter.deleteJobs({
    accountId: caller.accountId,
    jobIds,
    dryRun: sandbox,
    idempotencyKey: headers.idempotencyKey,
    origin: originOf(checked),
  });
  if (answer.kind !== 'accepted') return refusalOf(answer, jobIds, errorLimit);

  const { language, deletionId, replayed } = answer;
  if (sandbox) return { jobIds, language, deletionId: undefined, replayed: false };
  options.authenticator.recordUse(caller);
  facts.deletionId = deletionId;
  return { jobIds, language, deletionId, replayed };
}

/** The body is garbage once this returns. A request that waits for the deleter keeps only its ids in memory. */
async function readJobIds(
  { exchange: { request, response }, endpoint, admission }: CheckedCall,
  { maxBodyBytes, maxJobsPerRequest }: DeleteJobsOptions,
  errorLimit: number,
): Promise<string[] | Refusal> {
  const body = await readBody(request, response, maxBodyBytes, admission);
  if (isRefusal(body)) return body;
  if (!admission.enter()) return overloaded;
  const readJobs = endpoint.mediaType === 'application/xml' ? readXmlJobs : readJsonJobs;
  const jobs = readJobs(body, maxJobsPerRequest, errorLimit);
  if (isRefusal(jobs)) return jobs;
  return checkJobIds(jobs, maxJobsPerRequest, errorLimit);
}

function refusalOf(
  answer: Exclude<DeleteJobsAnswer, { kind: 'accepted' }>,
  jobIds: readonly string[],
  errorLimit: number,
): Refusal {
  if (answer.kind === 'key-reused') return { code: 'idempotency_key_reused', header: 'Idempotency-Key' };
  if (answer.kind === 'limit-exceeded') {
    const { limit, used } = answer;
    const detail = [sentence('deletion_limit', { limit, used, count: jobIds.length })];
    return { code: 'deletion_limit_exceeded', detail };
  }
  const errors = answer.positions.slice(0, errorLimit).map((position) => {
    const jobId = jobIds[position] ?? '';
    const detail = [sentence('id_unknown', { id: jobId })];
    return { code: 'job_not_found' as const, pointer: idPointer(position), jobId, detail };
  });
  return { code: 'job_not_found', errors, truncated: answer.positions.length > errorLimit };
}
