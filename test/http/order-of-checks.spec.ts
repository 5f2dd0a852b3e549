import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startAnotherGateway, startService, type TestService } from '../harness/service.ts';
import { checksFor } from './checks.ts';
import {
  createClient,
  expectAccepted,
  expectProblem,
  newJobIds,
  type Client,
  type ClientCall,
} from './client.ts';

let service: TestService;
let gateway: Awaited<ReturnType<typeof startAnotherGateway>>;
let client: Client;
let other: Client;
let existing: string[];
/** More jobs than the account may delete. */
let many: string[];
beforeAll(async () => {
  service = await startService();
  gateway = await startAnotherGateway(service, { MAX_BODY_BYTES: '5000', MAX_JOBS_PER_REQUEST: '10' });
  client = (await createClient(service, 'order')).at(gateway.baseUrl);
  other = await createClient(service, 'other');
  await service.operator.store.setRules('order', { limit: { kind: 'jobs', jobs: 5 } });
  existing = await client.newJobs(2);
  many = await client.newJobs(6);
  await client.call({ jobIds: await client.newJobs(1), idempotencyKey: 'used' });
});
afterAll(async () => {
  await gateway.stop();
  await service.stop();
});

const checks = checksFor(() => other.account.secretKey);
const pairs = checks.flatMap((earlier, index) =>
  checks.slice(index + 1).map((later) => ({ earlier, later })),
);

test.each(checks)('a call with only a wrong $name is refused', async ({ code, spoil }) => {
  expectProblem(await client.call(spoil({ jobIds: existing })), code, { header: 'X-Client-Lang' });
});

test.each(pairs)('the $earlier.name is checked before the $later.name', async ({ earlier, later }) => {
  const call = earlier.spoil(later.spoil({ jobIds: existing }));
  expectProblem(await client.call(call), earlier.code, { header: 'X-Client-Lang' });
});

test.each(checks)('a wrong $name decides when all later checks fail too', async ({ code }) => {
  const wrong = checks.slice(checks.findIndex((check) => check.code === code));
  const call = wrong.reduceRight<ClientCall>((spoilt, { spoil }) => spoil(spoilt), { jobIds: existing });
  expectProblem(await client.call(call), code, { header: 'X-Client-Lang' });
});

test.each([false, true])('the limit of the account is checked last (sandbox: %s)', async (sandbox) => {
  const call = { jobIds: many, sandbox };
  expectProblem(await client.call(call), 'deletion_limit_exceeded');
  for (const { code, spoil } of checks) {
    // The sandbox has no keys.
    if (sandbox && code === 'idempotency_key_reused') continue;
    expectProblem(await client.call(spoil(call)), code, { header: 'X-Client-Lang' });
  }
});

describe('without authentication, an answer reveals nothing about a job', () => {
  const anonymous = { Authorization: undefined };
  test('existing, foreign and unknown ids get the same refusal', async () => {
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

test('a valid call is accepted', async () => {
  expectAccepted(await client.call({ jobIds: existing, sandbox: true }), existing, true);
});
