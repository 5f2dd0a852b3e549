import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { DeleterClient, DeleteJobsAnswer } from '../deleter/deleter-client.ts';
import type { LimitName } from '../limits/limit-names.ts';
import type { LoadShedder, Admission } from '../limits/load-shedder.ts';
import type { AccountLimits } from '../limits/open-account-limits.ts';
import { acceptedBody } from './answer/accepted-body.ts';
import type { Caller } from './request/check-credentials.ts';
import { authenticateCaller, type AuthenticateOptions } from './request/authenticate-caller.ts';
import { checkJobIds, idPointer } from './body/check-job-ids.ts';
import { consumeFromLimit } from './request/consume-from-limit.ts';
import type { Refusal } from './answer/problem.ts';
import { overloaded, readBody } from './body/read-body.ts';
import { readHeaders, type RequestHeaders } from './request/read-headers.ts';
import { readJsonJobs } from './body/read-json-jobs.ts';
import { readXmlJobs } from './body/read-xml-jobs.ts';
import { isRefusal } from './refused.ts';
import { sendJson } from './answer/send.ts';

export interface Endpoint {
  readonly path: string;
  readonly mediaType: 'application/json' | 'application/xml';
  /** Every check and no effect. */
  readonly sandbox: boolean;
}

export const endpoints: readonly Endpoint[] = [
  { path: '/v1/json/jobs-delete', mediaType: 'application/json', sandbox: false },
  { path: '/v1/xml/jobs-delete', mediaType: 'application/xml', sandbox: false },
  { path: '/v1-sandbox/json/jobs-delete', mediaType: 'application/json', sandbox: true },
  { path: '/v1-sandbox/xml/jobs-delete', mediaType: 'application/xml', sandbox: true },
];

export interface DeleteJobsOptions extends AuthenticateOptions {
  readonly accountLimits?: AccountLimits | undefined;
  readonly loadShedder: LoadShedder;
  readonly deleter: DeleterClient;
  readonly maxJobsPerRequest: number;
  readonly maxBodyBytes: number;
}

/** What the log tells of a request. */
export interface RequestFacts {
  accountId?: string;
  clientTechnology?: string;
  jobs?: number;
  deletionId?: string;
  /** The code of the problem it was answered with. */
  refusal?: string;
  /** Named as OpenTelemetry names it in logs. */
  trace_id?: string;
  /** Which of our limits it was refused by. */
  limit?: LimitName;
}

/**
 * One DELETE, from its headers to its answer; each step may refuse, and the first one that does decides. The
 * order of the steps is part of the contract.
 * @returns the refusal, or undefined when the answer has been sent
 * @throws Fault, CallerGone
 */
export async function deleteJobs(
  endpoint: Endpoint,
  request: Request,
  response: ServerResponse,
  requestId: string,
  facts: RequestFacts,
  options: DeleteJobsOptions,
): Promise<Refusal | undefined> {
  const caller = await authenticateCaller(request, options);
  if (isRefusal(caller)) return caller;
  const { accountId } = caller;
  facts.accountId = accountId;

  const { accountLimits } = options;
  const draw = { accountId, sandbox: endpoint.sandbox };
  const tooOften = accountLimits && (await consumeFromLimit(response, accountLimits, 'requests', 1, draw));
  if (tooOften) return tooOften;

  const headers = readHeaders(request.headersDistinct, endpoint.mediaType);
  if (!headers.ok) return headers.refusal;
  facts.clientTechnology = headers.clientTechnology;

  const admission = options.loadShedder.startAdmission();
  try {
    const jobIds = await readJobIds(endpoint, request, response, admission, options);
    if (isRefusal(jobIds)) return jobIds;
    facts.jobs = jobIds.length;
    const tooMany =
      accountLimits && (await consumeFromLimit(response, accountLimits, 'jobs', jobIds.length, draw));
    if (tooMany) return tooMany;

    const answer = await options.deleter.deleteJobs({
      accountId,
      jobIds,
      dryRun: endpoint.sandbox,
      idempotencyKey: headers.idempotencyKey,
      origin: requestOrigin(requestId, caller, headers),
    });
    admission.served();
    if (answer.kind !== 'accepted') return refusalOf(answer, jobIds);

    if (!endpoint.sandbox) {
      options.authenticator.recordUse(caller.tokenId, caller.secretKeyId);
      facts.deletionId = answer.deletionId;
      response.setHeader('Deletion-Id', answer.deletionId);
      if (answer.replayed) response.setHeader('Idempotent-Replayed', 'true');
    }
    response.setHeader('Content-Language', answer.language);
    sendJson(response, 200, 'application/json', acceptedBody(jobIds, answer.language));
    return undefined;
  } finally {
    admission.leave();
  }
}

/** Lets go of the body: what waits for the deleter holds its ids alone. */
async function readJobIds(
  { mediaType }: Endpoint,
  request: Request,
  response: ServerResponse,
  admission: Admission,
  { maxBodyBytes, maxJobsPerRequest: maxJobs }: DeleteJobsOptions,
): Promise<string[] | Refusal> {
  const body = await readBody(request, response, maxBodyBytes, admission);
  if (isRefusal(body)) return body;
  if (!admission.enter()) return overloaded;
  const read = mediaType === 'application/json' ? readJsonJobs : readXmlJobs;
  const jobs = read(body, maxJobs);
  if (isRefusal(jobs)) return jobs;
  return checkJobIds(jobs.ids, maxJobs) ?? (jobs.ids as string[]);
}

function requestOrigin(requestId: string, caller: Caller, headers: RequestHeaders) {
  const { language, userAgent, clientTechnology } = headers;
  const { webOrigin, tokenId } = caller;
  return { requestId, language, userAgent, clientTechnology, webOrigin, tokenId };
}

function refusalOf(
  answer: Exclude<DeleteJobsAnswer, { kind: 'accepted' }>,
  jobIds: readonly string[],
): Refusal {
  if (answer.kind === 'key-reused') return { code: 'idempotency_key_reused', header: 'Idempotency-Key' };
  const errors = answer.positions.map((position) => ({
    code: 'job_not_found' as const,
    pointer: idPointer(position),
    jobId: jobIds[position] ?? '',
  }));
  return { code: 'job_not_found', errors, truncated: answer.truncated };
}
