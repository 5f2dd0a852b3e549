import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startService, type TestService } from '../harness/service.ts';
import { expectChecksInOrder } from './checks.ts';
import { createClient, expectAccepted, expectProblem, expectStamped, type Client } from './client.ts';

const hourMs = 3_600_000;
let service: TestService;
let client: Client;
let other: Client;
let undelayed: Client;
beforeAll(async () => {
  service = await startService();
  client = await createClient(service, 'delayed');
  other = await createClient(service, 'other');
  undelayed = await createClient(service, 'undelayed');
  // Before the first request: the api remembers an account's rules for 5 s.
  for (const { account } of [client, other])
    await service.operator.store.setRules(account.accountId, { removalDelayMs: hourMs });
});
afterAll(() => service.stop());

const unknownId = '01936d5e-7d53-7000-8000-0123456789ab';
const withoutBody = { body: '', headers: { 'Content-Type': undefined } };
const pathOf = (deletionId: string, query = '') => `/v1/deletions/${deletionId}${query}`;
const read = (deletionId: string) => client.call({ method: 'GET', path: pathOf(deletionId), ...withoutBody });
const cancel = (deletionId: string, from = client, query = '') =>
  from.call({ method: 'DELETE', path: pathOf(deletionId, query), ...withoutBody });

async function deleteJobs(
  jobIds: readonly string[],
  from = client,
  idempotencyKey?: string,
): Promise<string> {
  const answer = await from.call({ jobIds, ...(idempotencyKey !== undefined && { idempotencyKey }) });
  return expectAccepted(answer, jobIds);
}

interface Status {
  readonly accepted_at: string;
  readonly removal_at: string;
}

describe('a deletion of an account with a delay', () => {
  test('is accepted as ever, and its status says when the removal begins', async () => {
    const jobIds = await client.newJobs(2);
    const deletionId = await deleteJobs(jobIds);
    const answer = await read(deletionId);
    expect([answer.status, answer.headers['retry-after']]).toEqual([200, '1']);
    const body = answer.json as Status;
    const names = ['deletion_id', 'state', 'jobs', 'accepted_at', 'removal_at', 'completed_at'];
    expect(Object.keys(body)).toEqual(names);
    expect(body).toMatchObject({ deletion_id: deletionId, state: 'queued', jobs: 2, completed_at: null });
    expect(Date.parse(body.removal_at) - Date.parse(body.accepted_at)).toBe(hourMs);
    expectProblem(await client.call({ jobIds }), 'job_not_found');
  });

  test('is cancelled as a whole, and again; its jobs can be deleted again at once', async () => {
    const jobIds = await client.newJobs(3);
    const deletionId = await deleteJobs(jobIds);
    const answer = await cancel(deletionId);
    expectStamped(answer.headers, 'en');
    expect([answer.status, answer.headers['retry-after']]).toEqual([200, undefined]);
    const names = ['deletion_id', 'state', 'jobs', 'accepted_at', 'completed_at'];
    expect(Object.keys(answer.json as object)).toEqual(names);
    const body = { deletion_id: deletionId, state: 'cancelled', jobs: 3, completed_at: null };
    expect(answer.json).toMatchObject(body);
    for (const same of [await cancel(deletionId), await read(deletionId)]) {
      expect(same.status).toBe(200);
      expect(same.json).toEqual(answer.json);
    }
    const again = await deleteJobs(jobIds);
    expect((await cancel(deletionId)).json).toEqual(answer.json);
    expect((await read(again)).json).toMatchObject({ state: 'queued' });
  });

  test('that is cancelled twice at once is cancelled', async () => {
    const deletionId = await deleteJobs(await client.newJobs(1));
    const answers = await Promise.all([cancel(deletionId), cancel(deletionId), cancel(deletionId)]);
    for (const { status, json } of answers)
      expect([status, json]).toMatchObject([200, { state: 'cancelled' }]);
  });

  test('ends the wait of a reader when it is cancelled', async () => {
    const deletionId = await deleteJobs(await client.newJobs(1));
    const reading = client.call({ method: 'GET', path: pathOf(deletionId, '?wait=30'), ...withoutBody });
    expect((await cancel(deletionId)).status).toBe(200);
    expect((await reading).json).toMatchObject({ state: 'cancelled' });
  });

  test('answers its first response to its Idempotency-Key after it is cancelled', async () => {
    const jobIds = await client.newJobs(2);
    const deletionId = await deleteJobs(jobIds, client, 'key-1');
    await cancel(deletionId);
    const replay = await client.call({ jobIds, idempotencyKey: 'key-1' });
    expect(replay.headers).toMatchObject({ 'idempotent-replayed': 'true', 'deletion-id': deletionId });
    expect((await cancel(deletionId)).json).toMatchObject({ state: 'cancelled' });
    await deleteJobs(jobIds);
  });

  test('is not there for another account', async () => {
    const deletionId = await deleteJobs(await client.newJobs(1));
    const answers = [await cancel(deletionId, other), await cancel(unknownId), await cancel('x')];
    const bodies = answers.map((answer) => ({
      ...expectProblem(answer, 'deletion_not_found'),
      instance: '',
    }));
    for (const body of bodies) expect(body).toEqual(bodies[0]);
    expect((await read(deletionId)).json).toMatchObject({ state: 'queued' });
  });
});

test('a deletion of an account without a delay can’t be cancelled, and is removed', async () => {
  const deletionId = await deleteJobs(await undelayed.newJobs(1), undelayed);
  expectProblem(await cancel(deletionId, undelayed), 'deletion_not_cancellable');
  const path = pathOf(deletionId, '?wait=30');
  const answer = await undelayed.call({ method: 'GET', path, ...withoutBody });
  expect(answer.json).toMatchObject({ state: 'completed' });
  expectProblem(await cancel(deletionId, undelayed), 'deletion_not_cancellable');
});

test('a deletion is removed at the end of its delay, and can’t be cancelled then', async () => {
  const soon = await createClient(service, 'soon');
  await service.operator.store.setRules('soon', { removalDelayMs: 1_000 });
  const deletionId = await deleteJobs(await soon.newJobs(2), soon);
  const answer = await soon.call({ method: 'GET', path: pathOf(deletionId, '?wait=30'), ...withoutBody });
  const { accepted_at, completed_at } = answer.json as { accepted_at: string; completed_at: string };
  expect(Date.parse(completed_at) - Date.parse(accepted_at)).toBeGreaterThanOrEqual(1_000);
  expectProblem(await cancel(deletionId, soon), 'deletion_not_cancellable');
});

test('the sandbox has no delay: it stores nothing', async () => {
  const jobIds = await client.newJobs(1);
  const answer = await client.call({ jobIds, sandbox: true });
  expect([answer.status, answer.headers['deletion-id']]).toEqual([200, undefined]);
  await deleteJobs(jobIds);
});

describe('a cancellation', () => {
  test('has its checks in the order of a status', async () => {
    const answer = await expectChecksInOrder(client, {
      method: 'DELETE',
      path: pathOf(unknownId),
      query: '?wait=x',
      parameter: 'wait',
    });
    expectProblem(answer, 'deletion_not_found');
  });

  test('ignores the Content-Type', async () => {
    for (const type of ['text/plain', 'nonsense']) {
      const deletionId = await deleteJobs(await client.newJobs(1));
      const headers = { 'Content-Type': type };
      const answer = await client.call({ method: 'DELETE', path: pathOf(deletionId), body: '', headers });
      expect([answer.status, answer.json]).toMatchObject([200, { state: 'cancelled' }]);
    }
  });

  test.each(['fr', 'en', 'es'] as const)('is refused in %s', async (language) => {
    const deletionId = await deleteJobs(await undelayed.newJobs(1), undelayed);
    const answer = await undelayed.call({
      method: 'DELETE',
      path: pathOf(deletionId),
      language,
      ...withoutBody,
    });
    expectProblem(answer, 'deletion_not_cancellable', { language });
  });
});
