import { describe, expect, jest, test } from '@jest/globals';
import { IncompleteError, type ClientOptions, type DeleteJobsOptions } from './index.ts';
import {
  accepted,
  connectToScript,
  ids,
  problem,
  startScriptedServer,
  type Script,
} from './scripted-server.fixture.ts';

async function failureOf(deletion: Promise<unknown>): Promise<IncompleteError> {
  const error = await deletion.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof IncompleteError)) throw new Error('it did not end early', { cause: error });
  return error;
}

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

test.each(['a failed request', 'the signal'])(
  '%s ends a call whose source waits for its next id',
  async (what) => {
    const stopping = new AbortController();
    const { client } = await connectToScript(
      () => {
        if (what === 'a failed request') return problem(401, 'token_invalid');
        setImmediate(() => stopping.abort(new Error('enough')));
        return 'hang';
      },
      { maxJobsPerRequest: 2, concurrency: 2 },
    );
    async function* source() {
      yield* ids(2);
      await new Promise(() => undefined);
    }
    const { cause } = await failureOf(client.deleteJobs(source(), { signal: stopping.signal }));
    expect(cause).toMatchObject(what === 'the signal' ? { message: 'enough' } : { code: 'token_invalid' });
  },
);

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

test('pauses between two requests to a server that answers at once', async () => {
  let calls = 0;
  const stopping = new AbortController();
  const fetch = () => {
    calls += 1;
    if (calls === 100) stopping.abort(new Error('too many requests'));
    return Promise.resolve(Response.json({ deletion_id: 'd1', completed_at: null }));
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

test('the signal ends outcomes, and closes the source of ids', async () => {
  const stopping = new AbortController();
  const { client } = await connectToScript(() => {
    setImmediate(() => stopping.abort(new Error('enough')));
    return 'hang';
  });
  let isClosed = false;
  function* source() {
    try {
      yield* ids(10_001);
    } finally {
      isClosed = true;
    }
  }
  const outcomes = client.outcomes(source(), { signal: stopping.signal });
  await expect(failureOf(outcomes.next())).resolves.toMatchObject({ message: 'enough' });
  expect(isClosed).toBe(true);
});

test('a caller that reads no more outcomes closes the source of ids', async () => {
  const { client } = await connectToScript(() => accepted, { maxJobsPerRequest: 1 });
  let isClosed = false;
  function* source() {
    try {
      yield* ids(100);
    } finally {
      isClosed = true;
    }
  }
  for await (const outcome of client.outcomes(source())) {
    expect(outcome).toEqual({ kind: 'accepted', jobId: 'Job0', deletionId: 'a-deletion' });
    break;
  }
  expect(isClosed).toBe(true);
});

test('tells of each attempt and of each retry', async () => {
  const log: string[] = [];
  const { client } = await connectToScript((_received, index) => (index === 0 ? 'reset' : accepted), {
    onRequest: ({ method, url, attempt }) => {
      log.push(`${method} ${new URL(url).pathname} ${String(attempt)}`);
    },
    onRetry: ({ attempt, error }) => void log.push(`${error.name} ${String(attempt)}`),
  });
  await client.deleteJobs(ids(1));
  expect(log).toEqual([
    'DELETE /v1/json/jobs-delete 1',
    'ConnectionError 1',
    'DELETE /v1/json/jobs-delete 2',
  ]);
});

/** Lists the errors that a client retries until its whole call fails. */
async function retriedBy(options: Partial<ClientOptions>) {
  const retried: Error[] = [];
  const { client } = await connectToScript(() => accepted, {
    retryForMs: 1_000,
    onRetry: ({ error }) => void retried.push(error),
    ...options,
  });
  const { cause } = await failureOf(client.deleteJobs(ids(1)));
  return { retried, cause };
}

describe('no retry follows, and the error names the cause, of', () => {
  test.each([
    ['getaddrinfo ENOTFOUND no-such-host.example', 'ENOTFOUND'],
    ['certificate has expired', 'CERT_HAS_EXPIRED'],
  ])('%s', async (message, code) => {
    const cause = Object.assign(new Error(message), { code });
    const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
    const failed = await retriedBy({ fetch });
    expect(failed.retried).toEqual([]);
    expect(failed.cause).toMatchObject({
      name: 'ConnectionError',
      message: expect.stringMatching(`^no answer from http.*: ${message}$`),
    });
  });

  test('https to a server without TLS', async () => {
    const { baseUrl } = await startScriptedServer(() => accepted);
    const { retried, cause } = await retriedBy({ baseUrl: baseUrl.replace('http:', 'https:') });
    expect(retried).toEqual([]);
    expect(cause).toMatchObject({ message: expect.stringContaining('SSL') });
  });
});

test('a host that is unknown after it has answered is retried', async () => {
  const cause = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
  const answers = [Response.json({ code: 'token_invalid' }, { status: 401 })];
  const fetch = () => {
    const answer = answers.shift();
    return answer === undefined
      ? Promise.reject(new TypeError('fetch failed', { cause }))
      : Promise.resolve(answer);
  };
  const baseUrl = 'https://answers-once.example';
  expect((await retriedBy({ baseUrl, fetch })).retried).toEqual([]);
  expect((await retriedBy({ baseUrl, fetch })).retried.length).toBeGreaterThan(0);
});

test('a refused connection is retried, and the error names the cause', async () => {
  const cause = Object.assign(new AggregateError([new Error('connect ECONNREFUSED ::1:1')]), {
    code: 'ECONNREFUSED',
  });
  const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
  const failed = await retriedBy({ fetch });
  expect(failed.retried.length).toBeGreaterThan(0);
  expect(failed.cause).toMatchObject({ message: expect.stringMatching(/: connect ECONNREFUSED ::1:1$/) });
});

test.each([
  ['retryForMs must be at least 0, not NaN', { retryForMs: NaN }],
  ['retryForMs must be at least 0, not 5', { retryForMs: '5' as unknown as number }],
  ['clientTechnology must be a text', { clientTechnology: 'Type\nScript' }],
  ['language must be a text', { language: '' as 'en' }],
  ['fetch must be a function', { fetch: null as unknown as typeof fetch }],
  ['allowHttp must be true or false, not 1', { allowHttp: 1 as unknown as boolean }],
  ['token must be a text', { token: 5 as unknown as string }],
  ['baseUrl must be a URL', { baseUrl: 'xhttps://jobs.example.com' }],
  ['could read the credentials. Set allowHttp to allow that.', { baseUrl: 'http://notlocalhost' }],
  ['baseUrl must begin with https://', { baseUrl: 'http://localhost.example.com' }],
])('refuses an option: %s', async (message, options) => {
  await expect(connectToScript(() => accepted, options)).rejects.toThrow(message);
});

test.each([{ token: 'x' }, { baseUrl: 'http://api.localhost' }, { baseUrl: 'http://127.0.0.11' }])(
  'accepts the option %j',
  async (options) => {
    await expect(connectToScript(() => accepted, options)).resolves.toBeDefined();
  },
);

test('a base path may end with slashes', async () => {
  const urls: unknown[] = [];
  const fetch = (url: unknown) => {
    urls.push(url);
    return Promise.resolve(Response.json({ code: 'token_invalid' }, { status: 401 }));
  };
  const { client } = await connectToScript(() => accepted, { baseUrl: 'https://a.example/api//', fetch });
  await expect(client.whoami()).rejects.toThrow();
  expect(urls).toEqual(['https://a.example/api/v1/whoami']);
});
