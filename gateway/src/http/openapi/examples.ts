import { languages, type Sentence, sentence, text } from '../../messages/messages.ts';
import { problemTable, problemTexts, type ProblemCode } from '../../messages/problems.ts';
import { problemBody, type ProblemBody, type ProblemContext } from '../answer/problem.ts';
import { methodNotAllowed, overloaded, type EntryFault, type Refusal } from '../answer/refusal.ts';
import { acceptedBody, deletionStatusBody, ownJobsBody, whoAmIBody } from '../answer/send.ts';
import { idPointer } from '../body/check-job-ids.ts';
import { exampleJobIds } from '../documents/docs-page/examples.ts';
import { apiPaths } from '../endpoints.ts';
import { explainAuthorization, explainOrigin, explainSecretKey } from '../request/check-credentials.ts';
import { explainHeader } from '../request/read-headers.ts';
import { fromNames, type Json, type JsonObject } from './schemas.ts';

/** Jobs of the demo account. The examples of both formats can run one after the other. */
const jobIds = exampleJobIds;
const xmlJobIds = ['DEMO0102', 'DEMO0103'] as const;
const xmlText = `<jobs>${xmlJobIds.map((id) => `<job><id>${id}</id></job>`).join('')}</jobs>`;
export const exampleDeletionId = '01936d5e-7d53-7000-8000-0123456789ab';
export const exampleRequestId = '7f0c1b52-3c8e-4b8a-9d0e-2f1a6c5b4d3e';
const acceptedAtMs = Date.UTC(2026, 10, 22, 9);
export const completedDeletion = {
  deletionId: exampleDeletionId,
  state: 'completed',
  jobs: jobIds.length,
  acceptedAtMs,
  removalAtMs: undefined,
  completedAtMs: acceptedAtMs + 420,
} as const;

export const exampleCaller = {
  account: { id: 'acc_5f0c1b523c8e4b8a9d0e2f1a', name: 'Acme', createdAtMs: 0 },
  token: {
    kind: 'token',
    accountId: '',
    id: '5f0c1b523c8e4b8a9d0e2f1b',
    createdAtMs: 0,
    expiresAtMs: acceptedAtMs,
  },
  secretKey: { kind: 'secret-key', accountId: '', id: '5f0c1b523c8e4b8a9d0e2f1c', createdAtMs: 0 },
  origin: 'https://acme.example',
  maxJobsPerRequest: 10_000,
  maxBodyBytes: 4_194_304,
} as const;

export const lastPage = { jobIds, next: undefined };
const queuedDeletion = { ...completedDeletion, state: 'queued', completedAtMs: undefined } as const;

/** Returns the examples of all bodies, by their names in the components. A refusal has the name of its code. */
export function examples(typeBase: string): JsonObject {
  const context = { language: 'en', requestId: exampleRequestId, typeBase } as const;
  const refusals = problemTable.map(({ code }) => {
    const value = JSON.parse(JSON.stringify(exampleProblem(code, context))) as Json;
    return [code, { description: problemTexts('en', code).meaning, value }] as const;
  });
  return { ...bodies(), ...Object.fromEntries(refusals) };
}

function bodies(): JsonObject {
  const accepted = fromNames(languages, (language) => ({
    summary: text(language, 'jobs_queued'),
    value: JSON.parse(acceptedBody(jobIds, language)) as Json,
  }));
  return {
    JSON: { summary: 'Two jobs', value: { jobs: { job: jobIds.map((id) => ({ id })) } } },
    XML: {
      summary: 'Two jobs',
      description: `As text: \`${xmlText}\``,
      value: { job: xmlJobIds.map((id) => ({ id })) },
    },
    ...accepted,
    whoami: { summary: 'A token that expires', value: whoAmIBody(exampleCaller) },
    page: { summary: 'The last page', value: JSON.parse(ownJobsBody(lastPage)) as Json },
    queued: {
      summary: 'The jobs are not removed yet',
      value: { ...deletionStatusBody(queuedDeletion) },
    },
    waiting: {
      summary: 'The account has a delay',
      value: { ...deletionStatusBody({ ...queuedDeletion, removalAtMs: acceptedAtMs + 86_400_000 }) },
    },
    cancelled: {
      summary: 'No job is removed',
      value: { ...deletionStatusBody({ ...queuedDeletion, state: 'cancelled' }) },
    },
    completed: {
      summary: 'All jobs are removed',
      value: { ...deletionStatusBody(completedDeletion) },
    },
  };
}

/** Returns the answer of the gateway to a typical wrong request. test/http/openapi.spec.ts sends these requests. */
export function exampleProblem(code: ProblemCode, context: ProblemContext): ProblemBody {
  return problemBody({ code, ...refusals[code] }, context);
}

/** The members of typical refusals, without their codes. */
const refusals: Partial<Record<ProblemCode, Omit<Refusal, 'code'>>> = {
  job_id_required: fault('job_id_required', { pointer: idPointer(1) }, sentence('id_empty')),
  job_id_malformed: fault(
    'job_id_malformed',
    { pointer: idPointer(1), jobId: 'DEMO-0101' },
    sentence('id_character', { found: '-', position: 5 }),
  ),
  job_id_duplicated: fault(
    'job_id_duplicated',
    { pointer: idPointer(1), jobId: jobIds[0] },
    sentence('id_duplicated', { entry: 1, pointer: idPointer(0) }),
  ),
  job_not_found: fault(
    'job_not_found',
    { pointer: idPointer(1), jobId: jobIds[1] },
    sentence('id_unknown', { id: jobIds[1] }),
  ),
  deletion_limit_exceeded: { detail: [sentence('deletion_limit', { limit: 10, used: 1, count: 11 })] },
  body_malformed: fault(
    'body_malformed',
    { pointer: '/jobs' },
    sentence('json_ends', { line: 1, column: 10 }),
    sentence('json_close'),
  ),
  too_many_jobs: fault(
    'too_many_jobs',
    { pointer: '/jobs/job' },
    sentence('jobs_exceeded', { count: 15_000, limit: 10_000, requests: 2 }),
  ),
  header_invalid: { header: 'User-Agent', detail: explainHeader('User-Agent', ['node'], 'application/json') },
  query_invalid: {
    parameter: 'wait',
    detail: [sentence('value_wrong', { value: '60' }), sentence('expect_wait')],
  },
  idempotency_key_reused: { header: 'Idempotency-Key' },
  authentication_required: { detail: explainAuthorization(undefined) },
  token_invalid: { detail: [sentence('token_unknown')] },
  secret_key_invalid: { detail: explainSecretKey(undefined) },
  origin_not_allowed: { detail: explainOrigin(['https://other.example'], []) },
  route_not_found: {
    detail: [
      sentence('path_unknown', { path: '/v1/json/job-delete' }),
      sentence('paths', { paths: apiPaths.join(', ') }),
    ],
  },
  method_not_allowed: methodNotAllowed('POST', ['DELETE']),
  body_too_large: { detail: [sentence('body_bytes', { count: 5_000_000, limit: 4_194_304 })] },
  too_many_requests: {
    detail: [sentence('requests_exceeded', { quota: 100, window: 60, seconds: 60 })],
  },
  unavailable: overloaded,
};

function fault(code: ProblemCode, entry: Omit<EntryFault, 'code' | 'detail'>, ...detail: Sentence[]) {
  return { errors: [{ ...entry, code, detail }] };
}
