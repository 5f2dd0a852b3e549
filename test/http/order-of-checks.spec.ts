import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startAnotherGateway, startService, type TestService } from '../harness/service.ts';
import {
  createClient,
  expectAccepted,
  expectProblem,
  newJobIds,
  type Client,
  type ClientCall,
} from './client.ts';
import type { Code } from './contract.ts';

let service: TestService;
let gateway: Awaited<ReturnType<typeof startAnotherGateway>>;
let client: Client;
let other: Client;
let existing: string[];
beforeAll(async () => {
  service = await startService();
  gateway = await startAnotherGateway(service, { MAX_BODY_BYTES: '5000', MAX_JOBS_PER_REQUEST: '10' });
  client = (await createClient(service, 'order')).at(gateway.baseUrl);
  other = await createClient(service, 'other');
  existing = await client.newJobs(2);
  await client.call({ jobIds: await client.newJobs(1), idempotencyKey: 'used' });
});
afterAll(async () => {
  await gateway.stop();
  await service.stop();
});

interface Check {
  readonly name: string;
  readonly code: Code;
  /** The call made wrong in this one respect; whatever else is wrong with it stays, where it can. */
  readonly spoil: (call: ClientCall) => ClientCall;
}

const withHeader = (call: ClientCall, name: string, value: string | undefined): ClientCall => ({
  ...call,
  headers: { ...call.headers, [name]: value },
});
const withIds = (change: (jobIds: readonly string[]) => readonly string[]) => (call: ClientCall) => ({
  ...call,
  jobIds: change(call.jobIds ?? []),
});

/** In the order of the checks. */
const checks: readonly Check[] = [
  { name: 'path', code: 'route_not_found', spoil: (call) => ({ ...call, path: '/v1/json/nothing' }) },
  { name: 'method', code: 'method_not_allowed', spoil: (call) => ({ ...call, method: 'PUT' }) },
  {
    name: 'credential',
    code: 'authentication_required',
    spoil: (call) => withHeader(call, 'Authorization', 'Basic eA=='),
  },
  { name: 'token', code: 'token_invalid', spoil: (call) => withHeader(call, 'Authorization', 'Bearer x') },
  {
    name: 'secret key',
    code: 'secret_key_invalid',
    spoil: (call) => withHeader(call, 'Usersecretkey', other.account.secretKey),
  },
  { name: 'origin', code: 'origin_not_allowed', spoil: (call) => withHeader(call, 'Origin', 'null') },
  { name: 'header', code: 'header_invalid', spoil: (call) => withHeader(call, 'X-Client-Lang', undefined) },
  {
    name: 'size',
    code: 'body_too_large',
    spoil: (call) => ({ ...call, body: (call.body ?? '').toString().padEnd(5_001) }),
  },
  {
    name: 'body',
    code: 'body_malformed',
    spoil: (call) => ({ ...call, body: '{"jobs":{"job":[5,{"id":"-"}]}}' }),
  },
  { name: 'count', code: 'too_many_jobs', spoil: withIds((jobIds) => [...jobIds, ...newJobIds(10)]) },
  { name: 'id', code: 'job_id_malformed', spoil: withIds((jobIds) => ['-', ...jobIds]) },
  {
    name: 'reused key',
    code: 'idempotency_key_reused',
    spoil: (call) => ({ ...call, idempotencyKey: 'used' }),
  },
  { name: 'ownership', code: 'job_not_found', spoil: withIds((jobIds) => [...newJobIds(1), ...jobIds]) },
];

const pairs = checks.flatMap((earlier, index) =>
  checks.slice(index + 1).map((later) => ({ earlier, later })),
);

test.each(checks)('the $name alone is refused', async ({ code, spoil }) => {
  expectProblem(await client.call(spoil({ jobIds: existing })), code, { header: 'X-Client-Lang' });
});

test.each(pairs)('the $earlier.name is checked before the $later.name', async ({ earlier, later }) => {
  const call = earlier.spoil(later.spoil({ jobIds: existing }));
  expectProblem(await client.call(call), earlier.code, { header: 'X-Client-Lang' });
});

test.each(checks)('with all the later ones wrong too, the $name decides', async ({ code }) => {
  const wrong = checks.slice(checks.findIndex((check) => check.code === code));
  const call = wrong.reduceRight<ClientCall>((spoilt, { spoil }) => spoil(spoilt), { jobIds: existing });
  expectProblem(await client.call(call), code, { header: 'X-Client-Lang' });
});

describe('before the authentication has passed nothing is told of a job', () => {
  const anonymous = { Authorization: undefined };
  test('existing, foreign and unknown ids are refused alike', async () => {
    const foreign = await other.newJobs(1);
    const texts = new Set<string>();
    for (const jobIds of [existing, foreign, newJobIds(1), ['-']]) {
      const answer = await client.call({ jobIds, headers: anonymous });
      expectProblem(answer, 'authentication_required');
      texts.add(answer.text.replace(String(answer.headers['request-id']), ''));
    }
    expect(texts.size).toBe(1);
  });
});

test('with nothing wrong it is accepted', async () => {
  expectAccepted(await client.call({ jobIds: existing, sandbox: true }), existing, true);
});
