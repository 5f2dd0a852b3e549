import { expect, jest, test } from '@jest/globals';
import { IncompleteError, JobsDeleteClient, type DeleteJobsOptions } from './index.ts';
import { accepted, connectToScript, ids, problem, type Script } from './scripted-server.fixture.ts';

async function failureOf(deletion: Promise<unknown>): Promise<IncompleteError> {
  const error = await deletion.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof IncompleteError)) throw new Error('it did not end early', { cause: error });
  return error;
}

const usable = {
  ...{ baseUrl: 'https://jobs.example.com', token: 't', secretKey: 's' },
  ...{ origin: 'https://example.com', userAgent: 'shop/1.0' },
};

test.each([
  ['http to another machine', { baseUrl: 'http://jobs.example.com' }, 'baseUrl must begin with https://'],
  ['an address without a scheme', { baseUrl: 'localhost:8080' }, 'baseUrl must be a URL'],
  ['another scheme', { baseUrl: 'ftp://jobs.example.com' }, 'baseUrl must be a URL'],
  ['a token with a line break', { token: 'secret\n' }, 'token must be a text'],
  ['a missing secret key', { secretKey: '' }, 'secretKey must be a text'],
])('refuses %s at once, without the value', (_, wrong, message) => {
  const create = () => new JobsDeleteClient({ ...usable, ...wrong });
  expect(create).toThrow(TypeError);
  expect(create).toThrow(message);
  expect(create).not.toThrow('secret\n');
});

test.each([
  ['https', {}],
  ['http to this machine', { baseUrl: 'http://127.0.0.1:8080' }],
  ['http to localhost', { baseUrl: 'http://localhost:8080/api' }],
  ['http to another machine if it is allowed', { baseUrl: 'http://gateway:8080', allowHttp: true }],
])('takes %s', (_, more) => {
  expect(() => new JobsDeleteClient({ ...usable, ...more })).not.toThrow();
});

test('sends every header, and the ids in their order', async () => {
  const { client, received } = await connectToScript(() => accepted, {
    language: 'es',
    clientTechnology: 'Deno',
  });
  expect(await client.deleteJobs(ids(3))).toEqual({
    acceptedJobs: 3,
    deletions: [{ deletionId: 'a-deletion', jobs: 3 }],
    refused: [],
    unknown: [],
  });
  expect(received).toMatchObject([
    {
      url: '/v1/json/jobs-delete',
      jobIds: ids(3),
      headers: {
        authorization: 'Bearer a-token',
        usersecretkey: 'a-key',
        origin: 'https://example.com',
        'content-type': 'application/json',
        'accept-language': 'es',
        'user-agent': 'shop/1.0',
        'x-client-lang': 'Deno',
      },
    },
  ]);
});

test('sends XML to the sandbox below a base path', async () => {
  const { client: first, received } = await connectToScript(() => accepted, { format: 'xml', sandbox: true });
  await first.deleteJobs(['Job1', 'a&b<c']);
  expect(received).toMatchObject([{ url: '/v1-sandbox/xml/jobs-delete', jobIds: ['Job1', 'a&amp;b&lt;c'] }]);
});

test('splits ids of any source by the largest request, each part with a key of its own', async () => {
  const { client, received } = await connectToScript(() => accepted, { maxJobsPerRequest: 4 });
  async function* source() {
    for (const id of ids(10)) yield await Promise.resolve(id);
  }
  expect((await client.deleteJobs(source())).acceptedJobs).toBe(10);
  expect(received.map(({ jobIds }) => jobIds.length)).toEqual([4, 4, 2]);
  expect(received.flatMap(({ jobIds }) => jobIds)).toEqual(ids(10));
  expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(3);
});

test('keeps at most `concurrency` requests in flight, and reads no further ahead', async () => {
  let read = 0;
  function* source() {
    for (const id of ids(100)) {
      read += 1;
      yield id;
    }
  }
  const readAtRequest: number[] = [];
  const script: Script = () => {
    readAtRequest.push(read);
    return accepted;
  };
  const { client } = await connectToScript(script, { maxJobsPerRequest: 10, concurrency: 3 });
  await client.deleteJobs(source());
  expect(readAtRequest[0]).toBeLessThanOrEqual(30);
  expect(read).toBe(100);
});

test('repeats a request with the same key after a reset, a 503 and a 429', async () => {
  const script: Script = (_received, index) => {
    if (index === 0) return 'reset';
    if (index === 1) return { ...problem(503, 'unavailable'), headers: { 'retry-after': '0' } };
    return index === 2 ? problem(429, 'too_many_requests') : accepted;
  };
  const { client, received } = await connectToScript(script);
  expect((await client.deleteJobs(ids(2))).acceptedJobs).toBe(2);
  expect(received).toHaveLength(4);
  expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
});

test('gives a request up after `retryForMs`, and reports its ids and key', async () => {
  const { client, received } = await connectToScript(
    () => ({ ...problem(503, 'unavailable'), headers: { 'retry-after': '3600' } }),
    { retryForMs: 60_000 },
  );
  const { report, cause } = await failureOf(client.deleteJobs(ids(2)));
  expect(cause).toMatchObject({ name: 'ProblemError', status: 503, code: 'unavailable' });
  const key = received[0]?.headers['idempotency-key'];
  expect(report.unknown).toEqual([{ idempotencyKey: key, jobIds: ids(2) }]);
});

test('a request without an answer in time is a ConnectionError', async () => {
  const { client } = await connectToScript(() => 'hang', { requestTimeoutMs: 20, retryForMs: 0 });
  const { cause } = await failureOf(client.deleteJobs(ids(1)));
  expect(cause).toMatchObject({ name: 'ConnectionError' });
});

test('sends smaller requests to a server that allows fewer jobs', async () => {
  const script: Script = ({ jobIds }) => (jobIds.length > 3 ? problem(400, 'too_many_jobs') : accepted);
  const { client, received } = await connectToScript(script, { maxJobsPerRequest: 8 });
  expect((await client.deleteJobs(ids(16))).acceptedJobs).toBe(16);
  const taken = received.filter(({ jobIds }) => jobIds.length <= 3).flatMap(({ jobIds }) => jobIds);
  expect(taken).toEqual(ids(16));
  expect(received.map(({ jobIds }) => jobIds.length)).toEqual([8, 4, 2, 2, 4, 2, 2, 2, 2, 2, 2]);
});

test('ends at the first refusal, and reports what was accepted before', async () => {
  const script: Script = (_received, index) =>
    index === 1 ? problem(404, 'job_not_found', ['/jobs/job/0/id']) : accepted;
  const { client, received } = await connectToScript(script, { maxJobsPerRequest: 2 });
  const { report, cause } = await failureOf(client.deleteJobs(ids(6)));
  expect(cause).toMatchObject({ status: 404, code: 'job_not_found', requestId: 'a-request' });
  expect(report).toMatchObject({ acceptedJobs: 2, refused: [], unknown: [] });
  expect(received).toHaveLength(2);
});

test('takes refused jobs out, sends the rest with another key, and reports both', async () => {
  const script: Script = ({ jobIds }) => {
    const bad = jobIds.flatMap((id, index) =>
      id === 'Job1' || id === 'Job3' ? [`/jobs/job/${String(index)}/id`] : [],
    );
    return bad.length > 0 ? problem(404, 'job_not_found', bad.slice(0, 1)) : accepted;
  };
  const { client, received } = await connectToScript(script);
  const progress: unknown[] = [];
  const options: DeleteJobsOptions = { onRefusal: 'split', onProgress: (made) => progress.push(made) };
  const report = await client.deleteJobs(ids(5), options);
  expect(report.refused).toMatchObject([
    { jobId: 'Job1', reason: { code: 'job_not_found' } },
    { jobId: 'Job3', reason: { code: 'job_not_found' } },
  ]);
  expect(report.acceptedJobs).toBe(3);
  expect(received.at(-1)?.jobIds).toEqual(['Job0', 'Job2', 'Job4']);
  expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(3);
  expect(progress).toEqual([
    { acceptedJobs: 0, refusedJobs: 1 },
    { acceptedJobs: 0, refusedJobs: 2 },
    { acceptedJobs: 3, refusedJobs: 2 },
  ]);
});

test('a refusal that names no job ends the call in either mode', async () => {
  const { client } = await connectToScript(() => problem(403, 'token_invalid'));
  const { cause } = await failureOf(client.deleteJobs(ids(2), { onRefusal: 'split' }));
  expect(cause).toMatchObject({ status: 403, code: 'token_invalid' });
});

test('an answer that is no problem document says so', async () => {
  const { client } = await connectToScript(() => ({ status: 404, body: 'not here' }));
  const { cause } = await failureOf(client.deleteJobs(ids(1)));
  expect(cause).toMatchObject({ code: 'unexpected_answer', message: 'The server answered 404.' });
});

test('a 200 of something else than the service accepts nothing', async () => {
  const { client } = await connectToScript(() => ({ status: 200 }));
  const { cause, report } = await failureOf(client.deleteJobs(ids(2)));
  expect(cause).toMatchObject({ status: 200, code: 'unexpected_answer' });
  expect(report).toMatchObject({ acceptedJobs: 0, unknown: [{ jobIds: ids(2) }] });
});

test('a redirect is a refusal, and is not followed', async () => {
  const { client, received } = await connectToScript((_received, index) =>
    index === 0 ? { status: 303, headers: { location: '/login' } } : accepted,
  );
  const { cause } = await failureOf(client.deleteJobs(ids(1)));
  expect(cause).toMatchObject({ status: 303, code: 'unexpected_answer' });
  expect(received).toHaveLength(1);
});

test('the signal ends a call that waits for its answer, and closes the source of ids', async () => {
  const stopping = new AbortController();
  const { client } = await connectToScript(
    () => {
      setImmediate(() => stopping.abort(new Error('enough')));
      return 'hang';
    },
    { maxJobsPerRequest: 2 },
  );
  let isClosed = false;
  function* source() {
    try {
      yield* ids(10);
    } finally {
      isClosed = true;
    }
  }
  const { report, cause } = await failureOf(client.deleteJobs(source(), { signal: stopping.signal }));
  expect(cause).toMatchObject({ message: 'enough' });
  expect(report.unknown).toMatchObject([{ jobIds: ids(2) }]);
  expect(isClosed).toBe(true);
});

test('a source of ids that fails ends the call', async () => {
  const { client } = await connectToScript(() => accepted, { maxJobsPerRequest: 2 });
  function* source() {
    yield* ids(2);
    throw new Error('the file is gone');
  }
  const { report, cause } = await failureOf(client.deleteJobs(source()));
  expect(cause).toMatchObject({ message: 'the file is gone' });
  expect(report.acceptedJobs).toBe(2);
});

test('waits until the deletion is completed', async () => {
  const queued = { deletion_id: 'd1', jobs: 2, accepted_at: '2026-01-01T00:00:00.000Z', completed_at: null };
  const completed = { ...queued, completed_at: '2026-01-01T00:00:01.000Z' };
  const script: Script = (_received, index) => {
    if (index === 0) return { ...problem(503, 'unavailable'), headers: { 'retry-after': '0' } };
    return { status: 200, body: index === 1 ? queued : completed };
  };
  const { client, received } = await connectToScript(script);
  expect(await client.waitUntilRemoved('d/1')).toEqual({
    deletionId: 'd1',
    jobs: 2,
    acceptedAt: new Date('2026-01-01T00:00:00.000Z'),
    completedAt: new Date('2026-01-01T00:00:01.000Z'),
  });
  expect(received.map(({ url }) => url)).toEqual(Array(3).fill('/v1/deletions/d%2F1?wait=15'));
  expect(received[0]?.headers).toMatchObject({ authorization: 'Bearer a-token', 'user-agent': 'shop/1.0' });
});

test('pauses between two requests to a server that answers at once', async () => {
  let calls = 0;
  const stopping = new AbortController();
  const fetch = () => {
    calls += 1;
    if (calls === 100) stopping.abort(new Error('too many requests'));
    return Promise.resolve(Response.json({ completed_at: null }));
  };
  const { client } = await connectToScript(() => accepted, { fetch, requestTimeoutMs: 1_000 });
  jest.useFakeTimers();
  try {
    const ended = expect(client.waitUntilRemoved('d1', { signal: stopping.signal })).rejects.toThrow(
      'enough',
    );
    await jest.advanceTimersByTimeAsync(1_000);
    expect(calls).toBeLessThanOrEqual(6);
    stopping.abort(new Error('enough'));
    await ended;
  } finally {
    jest.useRealTimers();
  }
});

test('a deletion that does not exist is a ProblemError', async () => {
  const { client } = await connectToScript(() => problem(404, 'deletion_not_found'));
  await expect(client.waitUntilRemoved('none')).rejects.toMatchObject({ code: 'deletion_not_found' });
});

test.each([
  [{ concurrency: 0 }, 'concurrency must be at least 1, not 0'],
  [{ retryForMs: NaN }, 'retryForMs must be at least 0, not NaN'],
])('an option out of range is refused: %j', async (options, message) => {
  await expect(connectToScript(() => accepted, options)).rejects.toThrow(message);
});
