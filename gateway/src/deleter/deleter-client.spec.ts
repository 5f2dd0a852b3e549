import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { status, type sendUnaryData } from '@grpc/grpc-js';
import type { BatchDeleteJobsResponse } from '@jobs-delete/proto/generated/jobs/deleter/v1/BatchDeleteJobsResponse';
import { DeleterService } from '@jobs-delete/proto/load-deleter';
import { toStatus } from '@jobs-delete/proto/status-details';
import { connectDeleter, type DeleteJobsCall, type DeleterClient } from './deleter-client.ts';
import { serveDeleter } from './testing/serve-deleter.ts';

interface Batch {
  /** The ids of each request. */
  readonly asked: string[][];
  answer(): void;
  fail(code: status): void;
}

/** A deleter whose answers the test controls. It accepts even positions and does not find odd ones. */
async function setUp(timeoutMs = 10_000) {
  const batches: Batch[] = [];
  let arrived: () => void = () => undefined;
  const { address, stop } = await serveDeleter({
    BatchDeleteJobs: ({ request: { requests } }, callback: sendUnaryData<BatchDeleteJobsResponse>) => {
      const results = requests.map(({ jobIds }, index) =>
        index % 2 === 0
          ? { response: { deletionId: `of ${jobIds[0] ?? ''}`, replayed: false, language: 'en' } }
          : {
              error: toStatus(status.NOT_FOUND, 'no', [
                { kind: 'unavailable-jobs', positions: [0], truncated: false },
              ]),
            },
      );
      batches.push({
        asked: requests.map(({ jobIds }) => jobIds),
        answer: () => callback(null, { results }),
        fail: (code) => callback({ code, details: 'told so' }),
      });
      arrived();
    },
  });
  const client = connectDeleter({ address, serviceToken: undefined, timeoutMs });
  stops.push(() => {
    client.close();
    stop();
  });
  const untilArrived = async (count: number) => {
    while (batches.length < count) await new Promise<void>((resolve) => (arrived = resolve));
    return batches[count - 1] as Batch;
  };
  return { client, batches, untilArrived };
}

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Connects to a server whose answers are below gRPC. */
async function connectToStreams(onStream: (stream: http2.ServerHttp2Stream) => void) {
  const server = http2.createServer().on('stream', onStream);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const client = connectDeleter({ address, serviceToken: undefined, timeoutMs: 10_000 });
  stops.push(() => {
    client.close();
    server.close();
  });
  return client;
}

const call = (jobIds: string[]): DeleteJobsCall => ({
  accountId: 'Acme',
  jobIds,
  dryRun: false,
  idempotencyKey: undefined,
  origin: {},
});
const ask = (client: DeleterClient, id: string) => client.deleteJobs(call([id]));
const big = Array.from({ length: 500 }, (_, index) => `big${String(index)}`);

describe('the client of the deleter', () => {
  test('concurrent calls share a batch, and each gets its own answer', async () => {
    const { client, untilArrived } = await setUp();
    const answers = ['a', 'b', 'c'].map((id) => ask(client, id));
    const batch = await untilArrived(1);
    expect(batch.asked).toEqual([['a'], ['b'], ['c']]);
    batch.answer();
    expect(await Promise.all(answers)).toEqual([
      { kind: 'accepted', deletionId: 'of a', replayed: false, language: 'en' },
      { kind: 'jobs-not-found', positions: [0], truncated: false },
      { kind: 'accepted', deletionId: 'of c', replayed: false, language: 'en' },
    ]);
  });

  test('small calls wait while two batches are in flight, but a large one does not', async () => {
    const { client, untilArrived } = await setUp();
    const answers = [ask(client, 'a')];
    const first = await untilArrived(1);
    answers.push(ask(client, 'b'));
    const second = await untilArrived(2);
    answers.push(ask(client, 'c'), ask(client, 'd'), client.deleteJobs(call(big)));
    const third = await untilArrived(3);
    expect([first.asked, second.asked, third.asked]).toEqual([[['a']], [['b']], [big]]);
    first.answer();
    const fourth = await untilArrived(4);
    expect(fourth.asked).toEqual([['c'], ['d']]);
    for (const batch of [second, third, fourth]) batch.answer();
    expect((await Promise.all(answers)).map(({ kind }) => kind)).toEqual([
      'accepted',
      'accepted',
      'accepted',
      'jobs-not-found',
      'accepted',
    ]);
  });

  test('a batch has no more requests than the deleter takes', async () => {
    const { client, batches, untilArrived } = await setUp();
    const answers = Array.from({ length: 4_500 }, (_, index) => ask(client, String(index)));
    for (const count of [1, 2, 3]) (await untilArrived(count)).answer();
    await Promise.all(answers);
    expect(batches.map(({ asked }) => asked.length)).toEqual([2_000, 2_000, 500]);
  });

  test('each call ends at its own deadline, and later calls succeed', async () => {
    const { client, untilArrived } = await setUp(500);
    const [a, b, c] = ['a', 'b', 'c'];
    const first = ask(client, a);
    await untilArrived(1);
    const second = ask(client, b);
    await untilArrived(2);
    // Stays in the queue until its deadline.
    const third = ask(client, c);
    for (const answer of [first, second, third]) {
      await expect(answer).rejects.toMatchObject({ name: 'Fault', code: 'unknown-outcome' });
    }
    const fourth = ask(client, 'd');
    // The third call may have been sent just before its deadline.
    for (let count = 3; ; count++) {
      const batch = await untilArrived(count);
      batch.answer();
      if (batch.asked.flat().includes('d')) break;
    }
    expect(await fourth).toMatchObject({ kind: 'accepted' });
  });

  test('calls that a closing connection refuses are sent again until they are accepted', async () => {
    const results = [{ response: { deletionId: 'late', replayed: false, language: 'en' } }];
    const message = DeleterService.service.BatchDeleteJobs.responseSerialize({ results });
    // The gRPC frame header: uncompressed, and the length (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md).
    const prefix = Buffer.from([0, 0, 0, 0, message.length]);
    let refusals = 0;
    const client = await connectToStreams((stream) => {
      if (refusals < 5) {
        refusals += 1;
        stream.on('error', () => undefined);
        stream.close(http2.constants.NGHTTP2_REFUSED_STREAM);
        return;
      }
      stream.respond({ 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.end(Buffer.concat([prefix, message]));
    });
    expect(await ask(client, 'a')).toMatchObject({ kind: 'accepted', deletionId: 'late' });
    expect(refusals).toBe(5);
  });

  test.each([
    ['NO_ERROR', http2.constants.NGHTTP2_NO_ERROR],
    ['PROTOCOL_ERROR', http2.constants.NGHTTP2_PROTOCOL_ERROR],
    ['INTERNAL_ERROR', http2.constants.NGHTTP2_INTERNAL_ERROR],
    ['CANCEL', http2.constants.NGHTTP2_CANCEL],
  ])('a stream that is reset with %s is an unknown outcome', async (_name, code) => {
    const client = await connectToStreams((stream) => {
      stream.on('error', () => undefined);
      stream.close(code);
    });
    await expect(ask(client, 'a')).rejects.toMatchObject({ name: 'Fault', code: 'unknown-outcome' });
  });

  test('a closed client rejects calls with a Fault', async () => {
    const { client } = await setUp();
    client.close();
    await expect(ask(client, 'a')).rejects.toMatchObject({ name: 'Fault', code: 'unavailable' });
  });

  test.each([
    [status.UNAVAILABLE, 'unknown-outcome'],
    [status.DEADLINE_EXCEEDED, 'unknown-outcome'],
    [status.UNAUTHENTICATED, 'unavailable'],
    [status.PERMISSION_DENIED, 'unavailable'],
    [status.INVALID_ARGUMENT, 'internal'],
  ])('a batch that fails with status %i rejects all its calls with the fault %s', async (code, fault) => {
    const { client, untilArrived } = await setUp();
    const answers = ['a', 'b'].map((id) => ask(client, id));
    (await untilArrived(1)).fail(code);
    for (const answer of answers) await expect(answer).rejects.toMatchObject({ name: 'Fault', code: fault });
  });
});
