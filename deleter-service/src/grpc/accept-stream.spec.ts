import { EventEmitter, once } from 'node:events';
import { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { credentials, Metadata, status } from '@grpc/grpc-js';
import type { AcceptDeletionsResponse__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/AcceptDeletionsResponse';
import type { DeleteJobsRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsRequest';
import type { DeleteJobsResponse } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsResponse';
import { DeleterService } from '@jobs-delete/proto/load-deleter';
import { Fault } from '@jobs-delete/runtime/fault';
import { serveAcceptStream, type AcceptStream } from './accept-stream.ts';
import { toGrpcError } from './grpc-error.ts';
import { startGrpcServer } from './start-grpc-server.ts';
import { unusedHandlers } from '../testing/unused-handlers.ts';

const stops: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

const unused = () => {
  throw new Error('no such call was expected');
};

/** One stream to a server whose answers the test controls. */
async function setUp(maxUnanswered?: number) {
  const stopping = new AbortController();
  const changes = new EventEmitter();
  const changed = () => changes.emit('change');
  /** Checks again after each call of the server, each message and each end of a stream. */
  const until = async (isTrue: () => boolean) => {
    while (!isTrue()) await once(changes, 'change');
  };
  const asked = new Map<
    string,
    { deadlineMs: number | undefined; accept(): void; fail(fault: Fault): void }
  >();
  const deleteOne = ({ jobIds }: DeleteJobsRequest__Output, deadlineMs: number | undefined) =>
    new Promise<DeleteJobsResponse>((resolve, reject) => {
      const [id = ''] = jobIds;
      asked.set(id, { deadlineMs, accept: () => resolve({ deletionId: `of ${id}` }), fail: reject });
      changed();
    });
  const server = await startGrpcServer(
    {
      ...unusedHandlers,
      AcceptDeletions: (call) => {
        const options = { deleteOne, report: toGrpcError, stopping: stopping.signal };
        serveAcceptStream(call, maxUnanswered === undefined ? options : { ...options, maxUnanswered });
      },
    },
    { host: '127.0.0.1', port: 0, callers: undefined },
  );
  const client = new DeleterService(`127.0.0.1:${String(server.port)}`, credentials.createInsecure());
  stops.push(
    () => server.stop(100),
    () => client.close(),
  );
  const open = () => {
    const call = client.AcceptDeletions(new Metadata());
    const outcomes = new Map<number, string>();
    const state = { messages: 0, code: undefined as status | undefined };
    call.on('data', (message: AcceptDeletionsResponse__Output) => {
      state.messages += 1;
      for (const { number, response, error } of message.outcomes)
        outcomes.set(number, response?.deletionId ?? status[error?.code ?? 0] ?? '');
      changed();
    });
    call.on('error', () => undefined);
    call.on('status', ({ code }) => {
      state.code = code;
      changed();
    });
    const send = (...numbers: number[]) =>
      call.write({
        requests: numbers.map((number) => ({ number, request: { jobIds: [`job${String(number)}`] } })),
      });
    return { call, outcomes, state, send };
  };
  const answerTo = (number: number) => asked.get(`job${String(number)}`);
  return { open, asked, answerTo, until, stopping, server };
}

test('each request is answered as soon as its own outcome is known', async () => {
  const { open, asked, answerTo, until } = await setUp();
  const { send, outcomes } = open();
  send(1, 2);
  send(3);
  await until(() => asked.size === 3);
  answerTo(3)?.accept();
  await until(() => outcomes.size === 1);
  expect([...outcomes]).toEqual([[3, 'of job3']]);
  answerTo(1)?.fail(new Fault('busy', 'told so'));
  await until(() => outcomes.has(1));
  answerTo(2)?.fail(new Fault('unavailable', 'told so'));
  await until(() => outcomes.has(2));
  expect([outcomes.get(1), outcomes.get(2)]).toEqual(['RESOURCE_EXHAUSTED', 'UNAVAILABLE']);
});

test('the outcomes of one turn share a message, up to 400', async () => {
  const { open, asked, answerTo, until } = await setUp();
  const { send, outcomes, state } = open();
  const numbers = Array.from({ length: 1_000 }, (_, index) => index);
  send(...numbers);
  await until(() => asked.size === 1_000);
  for (const number of numbers) answerTo(number)?.accept();
  await until(() => outcomes.size === 1_000);
  expect(state.messages).toBe(3);
});

test('a request has its own deadline, counted from its arrival', async () => {
  const { open, asked, until } = await setUp();
  const { call } = open();
  const startMs = Date.now();
  call.write({
    requests: [
      { number: 1, request: { jobIds: ['limited'] }, timeoutMs: 5_000 },
      { number: 2, request: { jobIds: ['unlimited'] } },
    ],
  });
  await until(() => asked.size === 2);
  expect(asked.get('limited')?.deadlineMs).toBeGreaterThanOrEqual(startMs + 5_000);
  expect(asked.get('unlimited')?.deadlineMs).toBeUndefined();
});

test('an invalid entry is refused alone: without a request, or with a number in use', async () => {
  const { open, asked, answerTo, until } = await setUp();
  const { call, send, outcomes } = open();
  send(1);
  await until(() => asked.size === 1);
  call.write({ requests: [{ number: 7 }, { number: 1, request: { jobIds: ['again'] } }] });
  await until(() => outcomes.size === 2);
  expect([outcomes.get(7), outcomes.get(1), asked.size]).toEqual(['INVALID_ARGUMENT', 'INVALID_ARGUMENT', 1]);
  answerTo(1)?.accept();
  await until(() => outcomes.get(1) === 'of job1');
  send(1);
  answerTo(1)?.accept();
  expect(outcomes.size).toBe(2);
});

test('a request beyond the bound of the stream is refused, and the stream goes on', async () => {
  const { open, answerTo, until } = await setUp(2);
  const { send, outcomes } = open();
  send(1, 2, 3);
  await until(() => outcomes.size === 1);
  expect(outcomes.get(3)).toBe('RESOURCE_EXHAUSTED');
  answerTo(1)?.accept();
  await until(() => outcomes.has(1));
  send(4);
  await until(() => answerTo(4) !== undefined);
});

test('a stream that the caller half-closes ends after its last outcome', async () => {
  const { open, asked, answerTo, until } = await setUp();
  const { call, send, outcomes, state } = open();
  send(1);
  call.end();
  await until(() => asked.size === 1);
  expect(state.code).toBeUndefined();
  answerTo(1)?.accept();
  await until(() => state.code !== undefined);
  expect([state.code, outcomes.get(1)]).toEqual([status.OK, 'of job1']);
});

test('a server that stops answers what it has, refuses the rest, and ends the stream', async () => {
  const { open, asked, answerTo, stopping, server, until } = await setUp();
  const [busy, idle] = [open(), open()];
  busy.send(1);
  idle.send(2);
  await until(() => asked.size === 2);
  answerTo(2)?.accept();
  await until(() => idle.outcomes.size === 1);
  stopping.abort();
  const stopped = server.stop(60_000);
  await until(() => idle.state.code !== undefined);
  busy.send(3);
  await until(() => busy.outcomes.has(3));
  expect([idle.state.code, busy.state.code, busy.outcomes.get(3)]).toEqual([
    status.OK,
    undefined,
    'UNAVAILABLE',
  ]);
  answerTo(1)?.accept();
  await stopped;
  await until(() => busy.state.code !== undefined);
  expect([busy.state.code, busy.outcomes.get(1)]).toEqual([status.OK, 'of job1']);
});

test('outcomes of a cancelled stream are dropped, and other streams go on', async () => {
  const { open, asked, answerTo, until } = await setUp();
  const [gone, other] = [open(), open()];
  gone.send(1);
  other.send(2);
  await until(() => asked.size === 2);
  gone.call.cancel();
  await until(() => gone.state.code === status.CANCELLED);
  answerTo(1)?.accept();
  answerTo(2)?.accept();
  await until(() => other.outcomes.size === 1);
  expect(gone.outcomes.size).toBe(0);
});

test('a caller that does not read its outcomes is not read from', async () => {
  const unread: (() => void)[] = [];
  const call = new Duplex({
    objectMode: true,
    writableHighWaterMark: 1,
    read: () => undefined,
    write: (_message, _encoding, onRead) => unread.push(onRead),
  });
  const options = { deleteOne: unused, report: toGrpcError, stopping: new AbortController().signal };
  // Reads `cancelled` and the members of a stream only.
  serveAcceptStream(Object.assign(call, { cancelled: false }) as unknown as AcceptStream, options);
  // Refused at once: it makes an outcome.
  call.push({ requests: [{ number: 1, request: null }] });
  while (unread.length === 0) await nextTurn();
  expect(call.isPaused()).toBe(true);
  unread.shift()?.();
  while (call.isPaused()) await nextTurn();
});
