import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { status, type sendUnaryData, type ServerDuplexStream } from '@grpc/grpc-js';
import type { AcceptDeletionsRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/AcceptDeletionsRequest';
import type { AcceptDeletionsResponse } from '@jobs-delete/proto/generated/jobs/deleter/v1/AcceptDeletionsResponse';
import type { DeleteJobsRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsRequest';
import type { DeleteJobsResponse } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsResponse';
import type { NumberedRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/NumberedRequest';
import { largeRequestJobs } from '@jobs-delete/proto/ids';
import { toStatus } from '@jobs-delete/proto/status-details';
import { connectDeleter, type DeleteJobsCall, type DeleterClient } from './deleter-client.ts';
import { serveDeleter } from './testing/serve-deleter.ts';

type Stream = ServerDuplexStream<AcceptDeletionsRequest__Output, AcceptDeletionsResponse>;

const refusal = toStatus(status.NOT_FOUND, 'no', [{ kind: 'unavailable-jobs', positions: [0] }]);

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A replica whose answers the test controls. */
async function setUp(timeoutMs = 60_000) {
  const streams: Stream[] = [];
  const messages: NumberedRequest__Output[][] = [];
  const received = new Map<string, { request: DeleteJobsRequest__Output; accept(): void; refuse(): void }>();
  const unary: { request: DeleteJobsRequest__Output; accept(): void }[] = [];
  let token = 'first';
  let arrived: () => void = () => undefined;
  const { address, stop } = await serveDeleter({
    AcceptDeletions: (stream: Stream) => {
      streams.push(stream);
      stream.on('data', ({ requests }: AcceptDeletionsRequest__Output) => {
        messages.push(requests);
        for (const { number, request } of requests) {
          if (request === null) continue;
          const [id = ''] = request.jobIds;
          const response = { deletionId: `of ${id}`, replayed: false, language: 'en' };
          received.set(id, {
            request,
            accept: () => {
              stream.write({ outcomes: [{ number, response }] });
              if (stream.readableEnded) stream.end();
            },
            refuse: () => stream.write({ outcomes: [{ number, error: refusal }] }),
          });
        }
        arrived();
      });
    },
    DeleteJobs: ({ request }, callback: sendUnaryData<DeleteJobsResponse>) => {
      unary.push({ request, accept: () => callback(null, { deletionId: 'large', language: 'en' }) });
      arrived();
    },
  });
  const client = connectDeleter({ address, serviceToken: () => token, timeoutMs });
  stops.push(() => {
    client.close();
    stop();
  });
  const until = async (isTrue: () => boolean) => {
    while (!isTrue()) await new Promise<void>((resolve) => (arrived = resolve));
  };
  const untilReceived = async (id: string) => {
    await until(() => received.has(id));
    return received.get(id) as NonNullable<ReturnType<typeof received.get>>;
  };
  const changeToken = (next: string) => (token = next);
  return { client, streams, messages, unary, until, untilReceived, changeToken };
}

/** Connects to a server whose answers are below gRPC. */
async function connectToStreams(onStream: (stream: http2.ServerHttp2Stream, index: number) => void) {
  let streams = 0;
  const server = http2.createServer().on('stream', (stream, headers) => {
    if (String(headers[':path']).endsWith('/AcceptDeletions')) onStream(stream, streams++);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const client = connectDeleter({ address, serviceToken: undefined, timeoutMs: 60_000 });
  stops.push(() => {
    client.close();
    server.close();
  });
  return { client, streams: () => streams };
}

const call = (jobIds: string[]): DeleteJobsCall => ({
  accountId: 'Acme',
  jobIds,
  dryRun: false,
  idempotencyKey: undefined,
  origin: {},
});
const ask = (client: DeleterClient, id: string) => client.deleteJobs(call([id]));

describe('the client of the deleter', () => {
  test('the requests of one turn share a message, and each gets its own answer at once', async () => {
    const { client, messages, untilReceived } = await setUp();
    const [a, b, c] = ['a', 'b', 'c'].map((id) => ask(client, id));
    (await untilReceived('c')).accept();
    expect(await c).toEqual({ kind: 'accepted', deletionId: 'of c', replayed: false, language: 'en' });
    (await untilReceived('b')).refuse();
    expect(await b).toEqual({ kind: 'jobs-not-found', positions: [0] });
    (await untilReceived('a')).accept();
    expect(await a).toMatchObject({ deletionId: 'of a' });
    expect(messages.map(({ length }) => length)).toEqual([3]);
  });

  test('each request has a deletion id of its own, and the time that its caller waits', async () => {
    const { client, messages, untilReceived } = await setUp(30_000);
    const answers = ['a', 'b'].map((id) => ask(client, id));
    for (const id of ['a', 'b']) (await untilReceived(id)).accept();
    await Promise.all(answers);
    const requests = messages.flat();
    const ids = requests.map(({ request }) => request?.deletionId ?? '');
    expect(new Set(ids).size).toBe(2);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    for (const { timeoutMs } of requests) {
      expect(timeoutMs).toBeGreaterThan(0);
      expect(timeoutMs).toBeLessThanOrEqual(30_000);
    }
  });

  test('a message has at most 1 MiB', async () => {
    const { client, messages, until } = await setUp();
    const origin = { userAgent: 'x'.repeat(16_000) };
    for (let index = 0; index < 100; index++)
      client.deleteJobs({ ...call([`job${String(index)}`]), origin }).catch(() => undefined);
    await until(() => messages.flat().length === 100);
    for (const { length } of messages) expect(length * 2 * 16_000).toBeLessThanOrEqual(1024 * 1024);
  });

  test('a large request has a call of its own', async () => {
    const { client, messages, unary, until } = await setUp();
    const jobIds = Array.from({ length: largeRequestJobs }, (_, index) => `job${String(index)}`);
    const answer = client.deleteJobs(call(jobIds));
    await until(() => unary.length === 1);
    expect([unary[0]?.request.jobIds, messages]).toEqual([jobIds, []]);
    unary[0]?.accept();
    expect(await answer).toMatchObject({ kind: 'accepted', deletionId: 'large' });
  });

  test('a new token opens a new stream, and the former one ends after its outcomes', async () => {
    const { client, streams, untilReceived, changeToken } = await setUp();
    const first = ask(client, 'a');
    const a = await untilReceived('a');
    changeToken('second');
    const second = ask(client, 'b');
    (await untilReceived('b')).accept();
    await second;
    expect(streams.map(({ metadata }) => metadata.get('authorization'))).toEqual([
      ['Bearer first'],
      ['Bearer second'],
    ]);
    a.accept();
    expect(await first).toMatchObject({ deletionId: 'of a' });
    const [former] = streams;
    if (former?.writableEnded === false) await new Promise((resolve) => former.once('finish', resolve));
  });

  test('a stream that the server ends is replaced, and its requests are sent again with their ids', async () => {
    const { client, streams, messages, until, untilReceived } = await setUp();
    const answer = ask(client, 'a');
    await untilReceived('a');
    streams[0]?.end();
    await until(() => messages.length === 2);
    const [first, again] = messages.flat();
    expect(again?.request).toEqual(first?.request);
    (await untilReceived('a')).accept();
    expect(await answer).toMatchObject({ kind: 'accepted' });
  });

  test('each call ends at its own deadline, and later calls succeed', async () => {
    const { client, untilReceived } = await setUp(500);
    for (const id of ['a', 'b'])
      await expect(ask(client, id)).rejects.toMatchObject({ name: 'Fault', code: 'unknown-outcome' });
    let answer: unknown;
    for (let index = 0; answer === undefined; index++) {
      const asked = ask(client, `c${String(index)}`);
      (await untilReceived(`c${String(index)}`)).accept();
      answer = await asked.catch(() => undefined);
    }
    expect(answer).toMatchObject({ kind: 'accepted' });
  });

  test('a stream that a closing connection refuses is opened again until it is accepted', async () => {
    let accepted: () => void = () => undefined;
    const isAccepted = new Promise<void>((resolve) => (accepted = resolve));
    const { client } = await connectToStreams((stream, index) => {
      stream.on('error', () => undefined);
      if (index < 5) stream.close(http2.constants.NGHTTP2_REFUSED_STREAM);
      else accepted();
    });
    ask(client, 'a').catch(() => undefined);
    await isAccepted;
  });

  test.each([
    ['NO_ERROR', http2.constants.NGHTTP2_NO_ERROR],
    ['PROTOCOL_ERROR', http2.constants.NGHTTP2_PROTOCOL_ERROR],
    ['INTERNAL_ERROR', http2.constants.NGHTTP2_INTERNAL_ERROR],
    ['CANCEL', http2.constants.NGHTTP2_CANCEL],
  ])('a stream that is reset with %s three times is an unknown outcome', async (_name, code) => {
    const { client, streams } = await connectToStreams((stream) => {
      stream.on('error', () => undefined);
      stream.close(code);
    });
    await expect(ask(client, 'a')).rejects.toMatchObject({ name: 'Fault', code: 'unknown-outcome' });
    expect(streams()).toBe(3);
  });

  test('a closed client rejects calls with a Fault', async () => {
    const { client, untilReceived } = await setUp();
    const open = ask(client, 'a');
    await untilReceived('a');
    client.close();
    await expect(open).rejects.toMatchObject({ name: 'Fault', code: 'unknown-outcome' });
    await expect(ask(client, 'b')).rejects.toMatchObject({ name: 'Fault', code: 'unavailable' });
  });

  test.each([
    [status.RESOURCE_EXHAUSTED, 'busy'],
    [status.DEADLINE_EXCEEDED, 'unknown-outcome'],
    [status.UNAUTHENTICATED, 'unavailable'],
    [status.PERMISSION_DENIED, 'unavailable'],
    [status.INVALID_ARGUMENT, 'internal'],
  ])('a stream that fails with status %i rejects its calls with the fault %s', async (code, fault) => {
    const { client, streams, untilReceived } = await setUp();
    const answers = ['a', 'b'].map((id) => ask(client, id));
    await untilReceived('b');
    streams[0]?.emit('error', { code, details: 'told so' });
    for (const answer of answers) await expect(answer).rejects.toMatchObject({ name: 'Fault', code: fault });
  });
});
