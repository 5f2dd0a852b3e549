import { afterEach, expect, test } from '@jest/globals';
import { Server, ServerCredentials, status, type ServerWritableStream } from '@grpc/grpc-js';
import type { Deletion } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import type { DeleterServiceHandlers } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleterService';
import type { GetDeletionRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/GetDeletionRequest';
import { DeleterService } from '@jobs-delete/proto/load-deleter';
import { connectDeleter } from './deleter-client.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

type Watch = ServerWritableStream<GetDeletionRequest__Output, Deletion>;
const accepted = { id: 'd1', jobCount: 3, state: 'DELETION_STATE_ACCEPTED', acceptedAtMs: 1_000 } as const;
const completed = { ...accepted, state: 'DELETION_STATE_COMPLETED', completedAtMs: 2_000 } as const;
const queuedStatus = { deletionId: 'd1', jobs: 3, acceptedAtMs: 1_000, completedAtMs: undefined };

/** A deleter with the deletion `d1` of Acme. `onWatch` decides what a watch sends. */
async function setUp(onWatch: (watch: Watch, index: number) => void = () => undefined) {
  let watches = 0;
  const unused = () => {
    throw new Error('not to be called');
  };
  const handlers: DeleterServiceHandlers = {
    GetDeletion: ({ request }, callback) => {
      const exists = request.accountId === 'Acme' && request.deletionId === 'd1';
      if (exists) callback(null, accepted);
      else callback({ code: status.NOT_FOUND, details: 'none' });
    },
    WatchDeletion: (watch) => onWatch(watch, watches++),
    BatchDeleteJobs: unused,
    DeleteJobs: unused,
    ListDeletions: unused,
  };
  const server = new Server();
  server.addService(DeleterService.service, handlers);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  const client = connectDeleter({
    address: `127.0.0.1:${String(port)}`,
    serviceToken: undefined,
    timeoutMs: 5_000,
  });
  stops.push(() => {
    client.close();
    server.forceShutdown();
  });
  await client.check();
  const stopping = new AbortController();
  const read = (waitMs = 0, accountId = 'Acme') =>
    client.readDeletion({ accountId, deletionId: 'd1', waitMs, signal: stopping.signal });
  return { read, stop: () => stopping.abort(), watches: () => watches };
}

test('reads a deletion of the account, and none of another', async () => {
  const { read } = await setUp();
  expect(await read()).toEqual(queuedStatus);
  expect(await read(0, 'Umbrella')).toBeUndefined();
});

test('waits until the deletion is completed', async () => {
  const { read } = await setUp((watch) => {
    watch.write(accepted);
    setImmediate(() => {
      watch.write(completed);
      watch.end();
    });
  });
  expect(await read(30_000)).toEqual({ ...queuedStatus, completedAtMs: 2_000 });
});

test('answers the latest state when the time is up', async () => {
  const { read } = await setUp((watch) => void watch.write(accepted));
  expect(await read(50)).toEqual(queuedStatus);
});

test('answers the latest state at once when the wait is ended', async () => {
  const { read, stop } = await setUp((watch) => {
    watch.write(accepted);
    setTimeout(stop, 20);
  });
  expect(await read(30_000)).toEqual(queuedStatus);
});

test('watches again when a deleter ends the watch', async () => {
  const { read, watches } = await setUp((watch, index) => {
    if (index === 0) watch.emit('error', { code: status.UNAVAILABLE, details: 'watch again' });
    else {
      watch.write(completed);
      watch.end();
    }
  });
  expect(await read(30_000)).toMatchObject({ completedAtMs: 2_000 });
  expect(watches()).toBe(2);
});

test('a deletion that a watch does not find is none', async () => {
  const { read } = await setUp((watch) => watch.emit('error', { code: status.NOT_FOUND, details: 'none' }));
  expect(await read(30_000)).toBeUndefined();
});

test('too many watches are a Fault', async () => {
  const { read } = await setUp((watch) =>
    watch.emit('error', { code: status.RESOURCE_EXHAUSTED, details: 'too many' }),
  );
  await expect(read(30_000)).rejects.toMatchObject({ name: 'Fault', code: 'unknown-outcome' });
});
