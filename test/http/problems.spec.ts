import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { problemTable, problemTexts, type ProblemCode } from '@jobs-delete/gateway/messages/problems';
import { startAnotherGateway, startService, type TestService } from '../harness/service.ts';
import {
  createClient,
  credentialsOf,
  expectProblem,
  newJobIds,
  type Client,
  type ClientCall,
} from './client.ts';
import { codes, languages, problems, type Code } from './contract.ts';

let service: TestService;
let small: Awaited<ReturnType<typeof startAnotherGateway>>;
let cutOff: Awaited<ReturnType<typeof startAnotherGateway>>;
let client: Client;
let other: Client;
let limited: Client;
let existing: string[];
let guarded: string[];

let removed: string;
beforeAll(async () => {
  service = await startService();
  small = await startAnotherGateway(service, { MAX_BODY_BYTES: '1000', MAX_JOBS_PER_REQUEST: '5' });
  cutOff = await startAnotherGateway(service, { DELETER_ADDRESS: '127.0.0.1:1' });
  client = await createClient(service, 'problems');
  other = await createClient(service, 'other');
  limited = await createClient(service, 'limited');
  await service.operator.store.setRules('limited', { limit: { kind: 'jobs', jobs: 0 } });
  existing = await client.newJobs(2);
  guarded = await limited.newJobs(2);
  const answer = await client.call({ jobIds: await client.newJobs(1), idempotencyKey: 'used' });
  removed = String(answer.headers['deletion-id']);
});
afterAll(async () => {
  await cutOff.stop();
  await small.stop();
  await service.stop();
});

const deletionPath = (query = '') => `/v1/deletions/01936d5e-7d53-7000-8000-0123456789ab${query}`;

interface Provocation {
  readonly call: () => ClientCall;
  readonly at?: () => string;
  readonly header?: string;
}

/** A request for each code. Codes of an unhealthy service have tests elsewhere. */
const provocations: Readonly<Record<Exclude<Code, 'too_many_requests' | 'internal_error'>, Provocation>> = {
  job_id_required: { call: () => ({ jobIds: [...existing, ''] }) },
  job_id_malformed: { call: () => ({ jobIds: [...existing, 'a-b-c'] }) },
  job_id_duplicated: { call: () => ({ jobIds: [...existing, ...existing] }) },
  body_malformed: { call: () => ({ body: '{' }) },
  too_many_jobs: { call: () => ({ jobIds: newJobIds(6) }), at: () => small.baseUrl },
  header_invalid: { call: () => ({ headers: { 'X-Client-Lang': undefined } }), header: 'X-Client-Lang' },
  idempotency_key_reused: { call: () => ({ jobIds: existing, idempotencyKey: 'used' }) },
  authentication_required: { call: () => ({ headers: { Authorization: undefined } }) },
  token_invalid: { call: () => ({ headers: { Authorization: 'Bearer nobody' } }) },
  secret_key_invalid: { call: () => ({ headers: { Usersecretkey: other.account.secretKey } }) },
  origin_not_allowed: { call: () => ({ headers: { Origin: other.account.origin } }) },
  query_invalid: { call: () => ({ method: 'GET', path: deletionPath('?wait=31') }), header: 'wait' },
  deletion_limit_exceeded: {
    call: () => ({ jobIds: guarded, headers: credentialsOf(limited.account) }),
  },
  deletion_not_found: { call: () => ({ method: 'GET', path: deletionPath() }) },
  deletion_not_cancellable: { call: () => ({ method: 'DELETE', path: `/v1/deletions/${removed}` }) },
  job_not_found: { call: () => ({ jobIds: [...existing, ...newJobIds(1)] }) },
  route_not_found: { call: () => ({ path: '/v1/json/job-delete' }) },
  method_not_allowed: { call: () => ({ method: 'POST' }) },
  body_too_large: { call: () => ({ body: ' '.repeat(1_001) }), at: () => small.baseUrl },
  unavailable: { call: () => ({ jobIds: existing }), at: () => cutOff.baseUrl },
};

describe.each(Object.entries(provocations) as [Code, Provocation][])(
  '%s',
  (code, { call, at = () => service.baseUrl, header }) => {
    test.each(languages)('in %s', async (language) => {
      const answer = await client.at(at()).call({ ...call(), language });
      expectProblem(answer, code, { language, ...(header !== undefined && { header }) });
    });

    test('in French when the language is unreadable', async () => {
      if (code === 'header_invalid') return;
      const { headers, ...rest } = call();
      const wish = { ...headers, 'Accept-Language': 'de' };
      const answer = await client.at(at()).call({ ...rest, headers: wish });
      const before = ['authentication_required', 'token_invalid', 'secret_key_invalid', 'origin_not_allowed'];
      const isBefore = [...before, 'route_not_found', 'method_not_allowed'].includes(code);
      // The header checks would refuse the language itself.
      if (isBefore) expectProblem(answer, code, { language: 'fr' });
      else expectProblem(answer, 'header_invalid', { language: 'fr', header: 'Accept-Language' });
    });
  },
);

test('the title belongs to the first wrong entry of the request', async () => {
  const [job = ''] = existing;
  const mixed = expectProblem(await client.call({ jobIds: [job, 'é', '', job] }), 'job_id_malformed');
  expect(mixed.errors).toEqual([
    {
      pointer: '/jobs/job/1/id',
      job_id: 'é',
      code: 'job_id_malformed',
      message: problems.job_id_malformed.en,
      detail: "The 'id' has 'é' at character 1. Only A to Z, a to z and 0 to 9 are allowed.",
    },
    {
      pointer: '/jobs/job/2/id',
      code: 'job_id_required',
      message: problems.job_id_required.en,
      detail: "The 'id' is empty. Send the id of a job, or remove the entry.",
    },
    {
      pointer: '/jobs/job/3/id',
      job_id: job,
      code: 'job_id_duplicated',
      message: problems.job_id_duplicated.en,
      detail: 'Entry 1 of the request has the same id (/jobs/job/0/id). Remove one of the two entries.',
    },
  ]);
  expectProblem(await client.call({ jobIds: [job, job, '', 'é'] }), 'job_id_duplicated');
  expectProblem(await client.call({ jobIds: [job, '', job, 'é'] }), 'job_id_required');
});

test('an unavailable service says when to retry', async () => {
  const answer = await client.at(cutOff.baseUrl).call({ jobIds: existing });
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  expectProblem(await client.at(cutOff.baseUrl).call({ jobIds: existing, sandbox: true }), 'unavailable');
});

test('the codes, statuses and texts are exactly the documented ones', () => {
  const documented = Object.fromEntries(codes.map((code) => [code, problems[code].status]));
  expect(Object.fromEntries(problemTable.map(({ code, status }) => [code, status]))).toEqual(documented);
  for (const code of codes satisfies readonly ProblemCode[])
    for (const language of languages)
      expect(problemTexts(language, code).title).toBe(problems[code][language]);
});
