import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dumpTables, untilSettled } from '../harness/dump-tables.ts';
import { exchange } from '../harness/raw-http.ts';
import { startAnotherGateway, startService, type TestService } from '../harness/service.ts';
import { completed, createClient, credentialsOf, newJobIds, type Client, type ClientCall } from './client.ts';
import { codes } from './contract.ts';
import { requestText } from './details.ts';

let service: TestService;
let small: Awaited<ReturnType<typeof startAnotherGateway>>;
let client: Client;
let other: Client;
let limited: Client;
let own: string[];
let guarded: string[];
let foreign: string[];
let removed: string;
beforeAll(async () => {
  service = await startService();
  small = await startAnotherGateway(service, { MAX_BODY_BYTES: '1000', MAX_JOBS_PER_REQUEST: '5' });
  client = await createClient(service, 'refused');
  other = await createClient(service, 'other');
  limited = await createClient(service, 'limited');
  await service.operator.store.setRules('limited', { limit: { kind: 'jobs', jobs: 1 } });
  own = await client.newJobs(6);
  guarded = await limited.newJobs(2);
  foreign = await other.newJobs(1);
  const answer = await client.call({ jobIds: await client.newJobs(2), idempotencyKey: 'used' });
  removed = String(answer.headers['deletion-id']);
  await untilSettled(service.dataDir);
});
afterAll(async () => {
  await small.stop();
  await service.stop();
});

const without = (name: string) => () => ({ jobIds: own, headers: { [name]: undefined } });
const withHeader = (name: string, value: () => string | string[]) => () => ({
  jobIds: own,
  headers: { [name]: value() },
});
const deletionPath = '/v1/deletions/01936d5e-7d53-7000-8000-0123456789ab';
const key = { idempotencyKey: 'fresh' };

/** Every refused request has jobs that exist and an unused key. */
const refusals: Readonly<Record<string, () => ClientCall>> = {
  job_id_required: () => ({ jobIds: [...own, ''] }),
  job_id_malformed: () => ({ jobIds: [...own, '-'] }),
  job_id_duplicated: () => ({ jobIds: [...own, ...own] }),
  body_malformed: () => ({ body: `{"jobs":{"job":[{"id":"${own[0] ?? ''}"},5]}}` }),
  'body_malformed, for a duplicated name': () => ({
    body: `{"jobs":{"job":[{"id":"${own[0] ?? ''}"}]},"a":1,"a":1}`,
  }),
  'body_malformed, for XML not closed': () => ({
    format: 'xml',
    body: `<jobs><job><id>${own[0] ?? ''}</id></job>`,
  }),
  'body_malformed, for no body': () => ({ body: '' }),
  'header_invalid: Content-Type': without('Content-Type'),
  'header_invalid: Accept-Language': without('Accept-Language'),
  'header_invalid: User-Agent': without('User-Agent'),
  'header_invalid: X-Client-Lang': without('X-Client-Lang'),
  'header_invalid: Content-Encoding': withHeader('Content-Encoding', () => 'gzip'),
  'header_invalid: Idempotency-Key': withHeader('Idempotency-Key', () => ''),
  idempotency_key_reused: () => ({ jobIds: own, idempotencyKey: 'used' }),
  authentication_required: without('Authorization'),
  token_invalid: withHeader('Authorization', () => 'Bearer x'),
  secret_key_invalid: withHeader('Usersecretkey', () => other.account.secretKey),
  'secret_key_invalid, for a repeated one': withHeader('Usersecretkey', () => [
    client.account.secretKey,
    client.account.secretKey,
  ]),
  origin_not_allowed: withHeader('Origin', () => other.account.origin),
  'job_not_found, for an unknown job': () => ({ jobIds: [...own, ...newJobIds(1)] }),
  'job_not_found, for another account’s job': () => ({ jobIds: [...own, ...foreign] }),
  deletion_limit_exceeded: () => ({ jobIds: guarded, headers: credentialsOf(limited.account) }),
  route_not_found: () => ({ jobIds: own, path: '/v1/json/jobs-delete/' }),
  method_not_allowed: () => ({ jobIds: own, method: 'POST' }),
  query_invalid: () => ({ jobIds: own, method: 'GET', path: `${deletionPath}?wait=31` }),
  deletion_not_cancellable: () => ({ jobIds: own, path: `/v1/deletions/${removed}` }),
  'deletion_not_found, for a cancellation': () => ({ jobIds: own, path: deletionPath }),
  deletion_not_found: () => ({ jobIds: own, method: 'GET', path: deletionPath }),
};

const atSmall: Readonly<Record<string, () => ClientCall>> = {
  body_too_large: () => ({
    body: JSON.stringify({ jobs: { job: own.map((id) => ({ id })) } }).padEnd(1_001),
  }),
  too_many_jobs: () => ({ jobIds: own }),
};

describe.each([false, true])('sandbox: %s', (sandbox) => {
  test.each(Object.entries({ ...refusals, ...atSmall }))('%s', async (name, call) => {
    if (sandbox && name === 'idempotency_key_reused') return;
    const before = dumpTables(service.dataDir);
    const at = name in atSmall ? client.at(small.baseUrl) : client;
    const answer = await at.call({ sandbox, ...key, ...call() });
    expect(answer.json).toMatchObject({ code: name.replace(/[,:].*/, '') });
    expect(dumpTables(service.dataDir)).toBe(before);
  });
});

test('the cases cover every refusal of a healthy service', () => {
  const tested = new Set(Object.keys({ ...refusals, ...atSmall }).map((name) => name.replace(/[,:].*/, '')));
  const never = ['too_many_requests', 'internal_error', 'unavailable'];
  expect([...tested].toSorted()).toEqual(codes.filter((code) => !never.includes(code)).toSorted());
});

test.each<[string, (request: string) => string]>([
  ['two Hosts', (request) => request.replace(/Host: .*\r\n/, '$&$&')],
  ['no Host', (request) => request.replace(/Host: .*\r\n/, '')],
  ['two lengths', (request) => request.replace(/Content-Length: .*\r\n/, '$&$&')],
  ['two framings', (request) => request.replace('\r\n', '\r\nTransfer-Encoding: chunked\r\n')],
  [
    'an unknown transfer coding',
    (request) => request.replace(/Content-Length: .*\r\n/, 'Transfer-Encoding: xchunked\r\n'),
  ],
  ['another version', (request) => request.replace('HTTP/1.1', 'HTTP/2.0')],
])('an improper request, by %s', async (_, spoil) => {
  const before = dumpTables(service.dataDir);
  const request = requestText(service.baseUrl, completed(client.account, { jobIds: own, ...key }));
  const spoilt = spoil(request);
  expect(spoilt).not.toBe(request);
  const answers = await exchange(service.baseUrl, spoilt);
  expect(answers.map(({ status }) => status)).toEqual([expect.any(Number)]);
  expect(answers[0]?.status).not.toBe(200);
  expect(dumpTables(service.dataDir)).toBe(before);
});

test('the dumps show what an accepted request changes', async () => {
  const before = dumpTables(service.dataDir);
  expect((await client.call({ jobIds: own, ...key })).status).toBe(200);
  expect(dumpTables(service.dataDir)).not.toBe(before);
});
