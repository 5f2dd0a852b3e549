import { languages, text, type Language, type ProblemCode } from '../../messages/messages.ts';
import { sentence, type Sentence } from '../../messages/sentences.ts';
import { problemBody } from '../answer/problem.ts';
import { problemTable } from '../answer/problem-table.ts';
import type { EntryFault, Refusal } from '../answer/refusal.ts';
import { acceptedBody, deletionStatusBody } from '../answer/success-bodies.ts';
import { idPointer } from '../body/check-job-ids.ts';
import { explainHeader } from '../request/explain-header.ts';
import { fromNames, ref, type Json, type JsonObject } from './json.ts';

/** Jobs of the demo account. The examples of both formats can run one after the other. */
const jobIds = ['DEMO0010', 'DEMO0011'] as const;
const xmlJobIds = ['DEMO0012', 'DEMO0013'] as const;
const xmlText = `<jobs>${xmlJobIds.map((id) => `<job><id>${id}</id></job>`).join('')}</jobs>`;
export const exampleDeletionId = '01936d5e-7d53-7000-8000-0123456789ab';
export const exampleRequestId = '7f0c1b52-3c8e-4b8a-9d0e-2f1a6c5b4d3e';
const acceptedAtMs = Date.UTC(2026, 10, 22, 9);
export const completedDeletion = {
  deletionId: exampleDeletionId,
  jobs: jobIds.length,
  acceptedAtMs,
  completedAtMs: acceptedAtMs + 420,
} as const;

/** Returns the examples of all bodies, by their names in the components. */
export function examples(typeBase: string): JsonObject {
  const accepted = languages.map(
    (language) => [nameOf('accepted', language), acceptedExample(language)] as const,
  );
  const problems = problemTable.flatMap(({ code }) =>
    languages.map((language) => [nameOf(code, language), problemExample(code, language, typeBase)] as const),
  );
  return { ...bodies(), ...Object.fromEntries([...accepted, ...problems]) };
}

/** Returns references to the examples of `name`, by language. */
export function examplesInAllLanguages(names: readonly string[]): JsonObject {
  const all = names.flatMap((name) => languages.map((language) => nameOf(name, language)));
  return fromNames(all, (name) => ref('examples', name));
}

function nameOf(name: string, language: Language): string {
  return `${name}.${language}`;
}

function bodies(): JsonObject {
  return {
    JSON: { summary: 'Two jobs', value: { jobs: { job: jobIds.map((id) => ({ id })) } } },
    XML: {
      summary: 'Two jobs',
      description: `As text: \`${xmlText}\``,
      value: { job: xmlJobIds.map((id) => ({ id })) },
    },
    queued: {
      summary: 'The jobs are not removed yet',
      value: { ...deletionStatusBody({ ...completedDeletion, completedAtMs: undefined }) },
    },
    completed: {
      summary: 'All jobs are removed',
      value: { ...deletionStatusBody(completedDeletion) },
    },
  };
}

function acceptedExample(language: Language): JsonObject {
  const value = JSON.parse(acceptedBody(jobIds, language)) as Json;
  return { summary: text(language, 'jobs_queued'), value };
}

/** The members of a typical refusal, without its code. */
const refusals: Partial<Record<ProblemCode, Omit<Refusal, 'code'>>> = {
  job_id_required: fault('job_id_required', { pointer: idPointer(1) }, sentence('id_empty')),
  job_id_malformed: fault(
    'job_id_malformed',
    { pointer: idPointer(1), jobId: 'DEMO-0011' },
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
  body_malformed: fault(
    'body_malformed',
    { pointer: '' },
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
};

function fault(code: ProblemCode, entry: Omit<EntryFault, 'code' | 'detail'>, ...detail: Sentence[]) {
  return { errors: [{ ...entry, code, detail }] };
}

function problemExample(code: ProblemCode, language: Language, typeBase: string): JsonObject {
  const context = { language, requestId: exampleRequestId, typeBase };
  const body = problemBody({ code, ...refusals[code] }, context);
  return { summary: body.title, value: JSON.parse(JSON.stringify(body)) as Json };
}
