import { expect, test } from '@jest/globals';
import {
  IncompleteError,
  ProblemError,
  type ClientOptions,
  type Journal,
  type JournaledRequest,
} from './index.ts';
import { accepted, connectToScript, ids, problem, type Script } from './scripted-server.fixture.ts';

async function setUp(script: Script, more: Partial<ClientOptions> = {}) {
  const log: string[] = [];
  const { client, received } = await connectToScript((request, index) => {
    log.push(`received ${request.jobIds.join()}`);
    return script(request, index);
  }, more);
  const journal: Journal = {
    onRequest: ({ jobIds }) => void log.push(`request ${jobIds.join()}`),
    onOutcome: ({ jobIds }, { kind }) => void log.push(`${kind} ${jobIds.join()}`),
  };
  return { client, received, log, journal };
}

test('gets each request before it is sent, and its outcome after the answer', async () => {
  const { client, log, journal } = await setUp(() => accepted, { maxJobsPerRequest: 2 });
  expect(await client.deleteJobs(ids(3), { journal })).toEqual({
    acceptedJobs: 3,
    deletions: [],
    refused: [],
    unknown: [],
  });
  expect(log).toEqual([
    ...['request Job0,Job1', 'received Job0,Job1', 'accepted Job0,Job1'],
    ...['request Job2', 'received Job2', 'accepted Job2'],
  ]);
});

test('gets refused jobs, and the request without them', async () => {
  const script: Script = (_received, index) =>
    index === 0 ? problem(404, 'job_not_found', ['/jobs/job/1/id']) : accepted;
  const { client, log, journal } = await setUp(script);
  const outcomes: unknown[] = [];
  const recording = {
    ...journal,
    onOutcome: (_: JournaledRequest, outcome: unknown) => void outcomes.push(outcome),
  };
  await client.deleteJobs(ids(3), { journal: recording, onRefusal: 'split' });
  expect(log.filter((line) => line.startsWith('request'))).toEqual([
    'request Job0,Job1,Job2',
    'request Job0,Job2',
  ]);
  expect(outcomes).toMatchObject([
    { kind: 'refused', jobs: [{ jobId: 'Job1', reason: { code: 'job_not_found' } }] },
    { kind: 'accepted', deletionId: 'a-deletion' },
  ]);
});

test('gets the halves of a request that is too large', async () => {
  const script: Script = ({ jobIds }) => (jobIds.length > 2 ? problem(413, 'body_too_large') : accepted);
  const { client, log, journal } = await setUp(script);
  await client.deleteJobs(ids(3), { journal });
  expect(log.filter((line) => !line.startsWith('received'))).toEqual([
    ...['request Job0,Job1,Job2', 'too-large Job0,Job1,Job2'],
    ...['request Job0,Job1', 'accepted Job0,Job1', 'request Job2', 'accepted Job2'],
  ]);
});

test('gets the refusal that ends the call', async () => {
  const { client, log, journal } = await setUp(() => problem(403, 'token_invalid'));
  await expect(client.deleteJobs(ids(1), { journal })).rejects.toThrow(IncompleteError);
  expect(log).toEqual(['request Job0', 'received Job0', 'failed Job0']);
});

test.each([
  ['the token is revoked after a lost answer', ['reset', problem(403, 'token_invalid')]],
  ['the server has an internal error', [problem(500, 'internal_error')]],
  ['a retry after a lost answer is too large', ['reset', problem(413, 'body_too_large')]],
] as const)('a request has no outcome if %s', async (_reason, answers) => {
  const { client, log, journal } = await setUp((_received, index) => answers[index] ?? accepted);
  await expect(client.deleteJobs(ids(2), { journal })).rejects.toMatchObject({
    cause: expect.any(ProblemError),
    report: { unknown: [{ jobIds: ['Job0', 'Job1'] }] },
  });
  expect(log).toEqual(['request Job0,Job1', ...answers.map(() => 'received Job0,Job1')]);
});

test('a request that it cannot store is not sent', async () => {
  const { client, received } = await setUp(() => accepted);
  const journal = {
    onRequest: () => Promise.reject(new Error('the disk is full')),
    onOutcome: () => undefined,
  };
  await expect(client.deleteJobs(ids(1), { journal })).rejects.toMatchObject({
    message: 'the disk is full',
    report: { unknown: [] },
  });
  expect(received).toEqual([]);
});

test('gets no request of a call that is already aborted', async () => {
  const { client, log, journal } = await setUp(() => accepted);
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(client.deleteJobs(ids(1), { journal, signal })).rejects.toMatchObject({
    message: 'enough',
    report: { unknown: [] },
  });
  expect(log).toEqual([]);
});

test('unfinished requests are sent first, with their keys', async () => {
  const { client, received, log, journal } = await setUp(() => accepted);
  async function* unfinished() {
    yield await Promise.resolve({ idempotencyKey: 'key-1', jobIds: ['Job0', 'Job2'] });
  }
  await client.deleteJobs(['Job3', 'Job4'], {
    journal: { ...journal, unfinished: unfinished() },
  });
  expect(received.map(({ jobIds }) => jobIds)).toEqual([
    ['Job0', 'Job2'],
    ['Job3', 'Job4'],
  ]);
  expect(received[0]?.headers['idempotency-key']).toBe('key-1');
  expect(log).toContain('request Job3,Job4');
});

test.each([
  ['not split', {}, []],
  ['split if it allows that', { maySplit: true }, ['too-large', 'accepted', 'accepted']],
] as const)('an unfinished request that is now too large is %s', async (_title, allowance, outcomes) => {
  const { client, log, journal } = await setUp(({ jobIds }) =>
    jobIds.length > 1 ? problem(400, 'too_many_jobs') : accepted,
  );
  async function* unfinished() {
    const request = { idempotencyKey: 'key-1', jobIds: ids(2) };
    yield await Promise.resolve({ ...request, ...allowance });
  }
  const outcome = client.deleteJobs([], { journal: { ...journal, unfinished: unfinished() } });
  if (outcomes.length > 0) await outcome;
  else await expect(outcome).rejects.toMatchObject({ report: { unknown: [{ idempotencyKey: 'key-1' }] } });
  expect(log.flatMap((line) => /^(too-large|accepted|failed)/.exec(line)?.[1] ?? [])).toEqual(outcomes);
});
