import { beforeAll, describe, expect, test } from '@jest/globals';
import { startAnotherGateway } from '../harness/service.ts';
import { useService } from '../harness/use-service.ts';
import { send, type HttpAnswer } from '../harness/http-client.ts';
import { readDocument } from '../readme/readme.ts';
import {
  createClient,
  expectProblem,
  expectStamped,
  newJobIds,
  type Client,
  type ClientCall,
} from './client.ts';
import type { Code } from './contract.ts';

const service = useService();

const path = '/openapi.json';
const get = (baseUrl: string, headers: Record<string, string> = {}): Promise<HttpAnswer> =>
  send(baseUrl, { method: 'GET', path, headers });

test('the gateway serves the committed document, without credentials', async () => {
  const answer = await get(service.baseUrl);
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json');
  expect(answer.json).toEqual(JSON.parse(readDocument('docs/openapi.json')));
});

test('an unchanged document is not sent again', async () => {
  const { headers } = await get(service.baseUrl);
  expect(headers['cache-control']).toBe('no-cache');
  const again = await get(service.baseUrl, { 'If-None-Match': String(headers.etag) });
  expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag]);
  expect((await get(service.baseUrl, { 'If-None-Match': '"other"' })).status).toBe(200);
});

test('HEAD has the same headers and no body', async () => {
  const { headers } = await get(service.baseUrl);
  const head = await send(service.baseUrl, { method: 'HEAD', path });
  expect([head.status, head.text]).toEqual([200, '']);
  expect(head.headers).toMatchObject({ etag: headers.etag, 'content-length': headers['content-length'] });
});

test.each(['POST', 'DELETE', 'OPTIONS'])('%s is not allowed', async (method) => {
  const client = await createClient(service, `openapi-${method}`);
  const answer = await client.call({ method, path, jobIds: [] });
  expectProblem(answer, 'method_not_allowed', { allow: 'GET, HEAD' });
});

test('the document has the address of the gateway and its limits', async () => {
  const other = await startAnotherGateway(service, {
    PUBLIC_URL: 'https://api.example.com',
    BASE_PATH: '/jobs',
    MAX_JOBS_PER_REQUEST: '7',
  });
  const { json, text } = await get(other.baseUrl);
  expect(json).toMatchObject({ servers: [{ url: 'https://api.example.com/jobs' }] });
  expect(text).toContain('"maxItems":7');
  await other.stop();
});

describe('an example is the answer to a real request', () => {
  const [known, unknown] = ['DEMO0100', 'DEMO0101'];
  const unknownToken = `jdt_${'0'.repeat(24)}_${'0'.repeat(64)}`;
  const status = '/v1/deletions/01936d5e-7d53-7000-8000-0123456789ab';
  type Provoked = Exclude<Code, 'too_many_requests' | 'internal_error' | 'unavailable'>;
  const calls: Readonly<Record<Exclude<Provoked, 'deletion_not_cancellable'>, ClientCall>> = {
    job_id_required: { jobIds: [known, ''] },
    job_id_malformed: { jobIds: [known, 'DEMO-0101'] },
    job_id_duplicated: { jobIds: [known, known] },
    body_malformed: { body: '{"jobs": ' },
    too_many_jobs: { jobIds: newJobIds(15_000) },
    header_invalid: { jobIds: [known], headers: { 'User-Agent': 'node' } },
    idempotency_key_reused: { jobIds: [known], idempotencyKey: 'reused' },
    query_invalid: { method: 'GET', path: `${status}?wait=60`, body: undefined },
    authentication_required: { jobIds: [known], headers: { Authorization: undefined } },
    token_invalid: { jobIds: [known], headers: { Authorization: `Bearer ${unknownToken}` } },
    secret_key_invalid: { jobIds: [known], headers: { Usersecretkey: undefined } },
    origin_not_allowed: { jobIds: [known], headers: { Origin: 'https://other.example' } },
    job_not_found: { jobIds: [known, unknown] },
    deletion_limit_exceeded: {
      jobIds: Array.from({ length: 11 }, (_, index) => `DEMO02${String(index).padStart(2, '0')}`),
    },
    deletion_not_found: { method: 'GET', path: status, body: undefined },
    route_not_found: { path: '/v1/json/job-delete', jobIds: [known] },
    method_not_allowed: { method: 'POST', jobIds: [known] },
    body_too_large: { body: ' '.repeat(5_000_000) },
  };
  let client: Client;
  let deletionId: string;
  let examples: Readonly<Record<string, { readonly value: unknown }>>;
  beforeAll(async () => {
    client = await createClient(service, 'examples');
    await service.operator.store.setRules('examples', { limit: { kind: 'jobs', jobs: 10 } });
    await service.operator.importJobs('examples', [known, ...(calls.deletion_limit_exceeded.jobIds ?? [])]);
    const first = await client.call({ jobIds: await client.newJobs(1), idempotencyKey: 'reused' });
    expect(first.status).toBe(200);
    deletionId = String(first.headers['deletion-id']);
    const { json } = await get(service.baseUrl);
    ({ examples } = (json as { components: { examples: typeof examples } }).components);
  });

  test.each(Object.entries(calls))('%s', async (code, call) => {
    await expectExample(code, call);
  });

  test('deletion_not_cancellable', () =>
    expectExample('deletion_not_cancellable', { path: `/v1/deletions/${deletionId}`, body: undefined }));

  const expectExample = async (code: string, call: ClientCall) => {
    const { json } = await client.call(call);
    const instance = expect.stringMatching(/^urn:uuid:/);
    expect({ ...(json as object), instance }).toEqual({ ...(examples[code]?.value as object), instance });
  };
});

test('DOCS=off hides the document', async () => {
  const other = await startAnotherGateway(service, { DOCS: 'off' });
  const answer = await get(other.baseUrl, { 'Accept-Language': 'es' });
  expect(answer.status).toBe(404);
  expect(answer.json).toMatchObject({ code: 'route_not_found' });
  expectStamped(answer.headers, 'es');
  await other.stop();
});
