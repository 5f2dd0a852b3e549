import { beforeAll, describe, expect, test } from '@jest/globals';
import { startAnotherGateway } from '../harness/service.ts';
import { useService } from '../harness/use-service.ts';
import { expectChecksInOrder, noHeaders } from './checks.ts';
import { createClient, expectAccepted, expectProblem, expectStamped, type Client } from './client.ts';

const service = useService();
let client: Client;
let other: Client;
beforeAll(async () => {
  client = await createClient(service, 'status');
  other = await createClient(service, 'other');
});

const unknownId = '01936d5e-7d53-7000-8000-0123456789ab';
const pathOf = (deletionId: string, query = '') => `/v1/deletions/${deletionId}${query}`;
const withoutBody = { body: '', headers: { 'Content-Type': undefined } };
const read = (deletionId: string, query = '', from = client) =>
  from.call({ method: 'GET', path: pathOf(deletionId, query), ...withoutBody });

async function deleteJobs(count: number): Promise<string> {
  const jobIds = await client.newJobs(count);
  return expectAccepted(await client.call({ jobIds }), jobIds);
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('a deletion', () => {
  test('is completed at the end of the wait', async () => {
    const deletionId = await deleteJobs(3);
    const answer = await read(deletionId, '?wait=30');
    expectStamped(answer.headers, 'en');
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
    expect(answer.headers['retry-after']).toBeUndefined();
    const body = answer.json as Record<string, string>;
    expect(Object.keys(body)).toEqual(['deletion_id', 'state', 'jobs', 'accepted_at', 'completed_at']);
    expect(body).toEqual({
      deletion_id: deletionId,
      state: 'completed',
      jobs: 3,
      accepted_at: expect.stringMatching(time),
      completed_at: expect.stringMatching(time),
    });
    expect(Date.parse(body.completed_at ?? '')).toBeGreaterThanOrEqual(Date.parse(body.accepted_at ?? ''));
    expect((await read(deletionId)).json).toEqual(body);
  });

  test('HEAD has the same headers, and no body', async () => {
    const deletionId = await deleteJobs(1);
    const got = await read(deletionId, '?wait=30');
    const head = await client.call({ method: 'HEAD', path: pathOf(deletionId), ...withoutBody });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(got.headers['content-length']);
  });

  test('the Content-Type is ignored', async () => {
    const deletionId = await deleteJobs(1);
    for (const type of ['text/plain', 'application/xml', 'nonsense']) {
      const headers = { 'Content-Type': type };
      const answer = await client.call({ method: 'GET', path: pathOf(deletionId), body: '', headers });
      expect(answer.status).toBe(200);
    }
  });
});

test('an unknown or malformed deletion and one of another account get the same 404', async () => {
  const deletionId = await deleteJobs(1);
  expect((await read(deletionId)).status).toBe(200);
  const foreign = await read(deletionId, '', other);
  const ids = [unknownId, 'x', deletionId.toUpperCase(), `${deletionId}0`, '%zz', '%00', 'a'.repeat(2_000)];
  const answers = [foreign, ...(await Promise.all(ids.map((id) => read(id))))];
  const bodies = answers.map((answer) => ({ ...expectProblem(answer, 'deletion_not_found'), instance: '' }));
  for (const body of bodies) expect(body).toEqual(bodies[0]);
});

describe('the order of the checks', () => {
  test.each([
    '/v1/deletions',
    '/v1/deletions/',
    `/v1/deletions/${unknownId}/`,
    '/v1/Deletions/x',
    '/v1/deletions/a/b',
  ])('%s is not a path of the API', async (path) => {
    expectProblem(await client.call({ method: 'GET', path, body: '' }), 'route_not_found');
  });

  test.each(['POST', 'PUT', 'PATCH', 'OPTIONS'])('%s is not allowed', async (method) => {
    const answer = await client.call({ method, path: pathOf(unknownId), headers: noHeaders });
    expectProblem(answer, 'method_not_allowed', { allow: 'GET, HEAD, DELETE' });
  });

  test('credentials come first, then headers, then the query, then the deletion', async () => {
    const answer = await expectChecksInOrder(client, {
      method: 'GET',
      path: pathOf(unknownId),
      query: '?wait=x',
      parameter: 'wait',
    });
    expectProblem(answer, 'deletion_not_found');
  });

  test.each(['fr', 'en', 'es'] as const)('a refusal is in %s', async (language) => {
    const answer = await client.call({ method: 'GET', path: pathOf(unknownId), language, ...withoutBody });
    expectProblem(answer, 'deletion_not_found', { language });
  });
});

test('waiting requests are limited, and do not block requests that delete', async () => {
  const gateway = await startAnotherGateway(service, {}, { protection: { maxWaitingRequests: 0 } });
  try {
    const deletionId = await deleteJobs(1);
    const there = client.at(gateway.baseUrl);
    expectProblem(await read(deletionId, '?wait=1', there), 'unavailable');
    expect((await read(deletionId, '?wait=0', there)).status).toBe(200);
    const jobIds = await client.newJobs(1);
    expectAccepted(await there.call({ jobIds }), jobIds);
  } finally {
    await gateway.stop();
  }
});
