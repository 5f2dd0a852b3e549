import type { DeleterClient, DeleteJobsAnswer } from '../deleter/deleter-client.ts';
import type { Admission, LoadShedder } from '../limits/load-shedder.ts';
import type { AccountLimits } from '../limits/open-account-limits.ts';
import { sentence } from '../messages/sentences.ts';
import { maxErrors } from './answer/problem.ts';
import { isRefusal, methodNotAllowed, overloaded, type Refusal } from './answer/refusal.ts';
import type { AcceptedRequest } from './answer/send.ts';
import { checkJobIds, idPointer } from './body/check-job-ids.ts';
import { readBody } from './body/read-body.ts';
import { readJsonJobs } from './body/read-json-jobs.ts';
import { readXmlJobs } from './body/read-xml-jobs.ts';
import type { Endpoint } from './endpoints.ts';
import type { Exchange } from './exchange.ts';
import { authenticateCaller, type AuthenticateOptions } from './request/authenticate-caller.ts';
import type { Caller } from './request/check-credentials.ts';
import { consumeQuota } from './request/consume-quota.ts';
import { readHeaders, type RequestHeaders } from './request/read-headers.ts';

export interface DeleteJobsOptions extends AuthenticateOptions {
  /** Undefined when accounts have no limits. */
  readonly accountLimits?: AccountLimits | undefined;
  readonly loadShedder: LoadShedder;
  readonly deleter: DeleterClient;
  readonly maxJobsPerRequest: number;
  readonly maxBodyBytes: number;
}

/**
 * Runs the checks of one request in the order of the contract, then calls the deleter. The first refusal ends it.
 * @throws Fault, CallerGone
 */
export async function deleteJobs(
  endpoint: Endpoint,
  exchange: Exchange,
  options: DeleteJobsOptions,
): Promise<AcceptedRequest | Refusal> {
  const { request, response, facts } = exchange;
  const errorLimit = exchange.prefersAllErrors ? Math.max(options.maxJobsPerRequest, maxErrors) : maxErrors;
  if (request.method !== 'DELETE') return methodNotAllowed(request.method, 'DELETE');
  if (options.loadShedder.isFull()) return overloaded;

  const caller = await authenticateCaller(exchange, options);
  if (isRefusal(caller)) return caller;

  const admission = options.loadShedder.admit(caller.accountId);
  if (admission === undefined) return overloaded;
  const consumer = { accountId: caller.accountId, sandbox: endpoint.sandbox, limits: options.accountLimits };
  const refuse = (refusal: Refusal) => {
    options.authenticator.recordRefusal(caller.tokenId, caller.secretKeyId);
    return refusal;
  };
  const requestQuota = await consumeQuota('requests', 1, consumer, response);
  if (isRefusal(requestQuota)) return refuse(requestQuota);

  const headers = readHeaders(request.headersDistinct, endpoint.mediaType);
  if (isRefusal(headers)) return headers;
  facts.clientTechnology = headers.clientTechnology;

  try {
    const jobIds = await readJobIds(endpoint, exchange, admission, { ...options, errorLimit });
    if (isRefusal(jobIds)) return jobIds;
    facts.jobs = jobIds.length;

    const jobQuota = await consumeQuota('jobs', jobIds.length, consumer, response);
    if (isRefusal(jobQuota)) return refuse(jobQuota);

    const call = deleterCall(endpoint, exchange, caller, headers, jobIds);
    const answer = await options.deleter.deleteJobs(call);
    if (answer.kind !== 'accepted') return refusalOf(answer, jobIds, errorLimit);

    const { language } = answer;
    if (endpoint.sandbox) return { jobIds, language, deletionId: undefined, replayed: false };
    options.authenticator.recordUse(caller);
    facts.deletionId = answer.deletionId;
    return { jobIds, language, deletionId: answer.deletionId, replayed: answer.replayed };
  } finally {
    admission.leave();
  }
}

/** The body is garbage once this returns. A request that waits for the deleter keeps only its ids in memory. */
async function readJobIds(
  { mediaType }: Endpoint,
  { request, response }: Exchange,
  admission: Admission,
  { maxBodyBytes, maxJobsPerRequest, errorLimit }: DeleteJobsOptions & { readonly errorLimit: number },
): Promise<string[] | Refusal> {
  const body = await readBody(request, response, maxBodyBytes, admission);
  if (isRefusal(body)) return body;
  if (!admission.enter()) return overloaded;
  const readJobs = mediaType === 'application/json' ? readJsonJobs : readXmlJobs;
  const jobs = readJobs(body, maxJobsPerRequest, errorLimit);
  if (isRefusal(jobs)) return jobs;
  return checkJobIds(jobs, maxJobsPerRequest, errorLimit);
}

function deleterCall(
  endpoint: Endpoint,
  { requestId }: Exchange,
  { accountId, tokenId, webOrigin }: Caller,
  { idempotencyKey, language, userAgent, clientTechnology }: RequestHeaders,
  jobIds: string[],
) {
  const origin = { requestId, language, userAgent, clientTechnology, webOrigin, tokenId };
  return { accountId, jobIds, dryRun: endpoint.sandbox, idempotencyKey, origin };
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
