import { afterEach, describe, expect, test } from '@jest/globals';
import { status, type ServerWritableStream } from '@grpc/grpc-js';
import type { Deletion } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import type { GetDeletionRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/GetDeletionRequest';
import { createFairSemaphore } from '@jobs-delete/runtime/batching/permits';
import { asFault } from '@jobs-delete/runtime/fault';
import { within } from '@jobs-delete/runtime/testing/within';
import { systemClock } from '@jobs-delete/runtime/time/clock';
import { connectDeleter } from './deleter-client.ts';
import { readDeletion } from './repeated-calls.ts';
import { setUpPool } from './testing/fake-deleter.ts';
import { serveDeleter } from './testing/serve-deleter.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

type Watch = ServerWritableStream<GetDeletionRequest__Output, Deletion>;
const accepted = { id: 'd1', jobCount: 3, state: 'DELETION_STATE_ACCEPTED', acceptedAtMs: 1_000 } as const;
const completed = { ...accepted, state: 'DELETION_STATE_COMPLETED', completedAtMs: 2_000 } as const;
const queuedStatus = {
  deletionId: 'd1',
  state: 'queued',
  jobs: 3,
  acceptedAtMs: 1_000,
  removalAtMs: undefined,
  completedAtMs: undefined,
};

/** A deleter with the deletion `d1` of Acme. `onWatch` decides what a watch sends. */
async function setUp(onWatch: (watch: Watch, index: number) => void = () => undefined) {
  let watches = 0;
  const { address, stop: stopDeleter } = await serveDeleter({
    GetDeletion: ({ request }, callback) => {
      const exists = request.accountId === 'Acme' && request.deletionId === 'd1';
      if (exists) callback(null, accepted);
      else callback({ code: status.NOT_FOUND, details: 'none' });
    },
    WatchDeletion: (watch) => onWatch(watch, watches++),
  });
  const client = connectDeleter({ address, serviceToken: undefined, timeoutMs: 5_000 });
  stops.push(() => {
    client.close();
    stopDeleter();
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
  expect(await read(30_000)).toEqual({ ...queuedStatus, state: 'completed', completedAtMs: 2_000 });
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

test('a wait that ends before the first state still answers that state', async () => {
  const { read, stop, watches } = await setUp((watch) => {
    stop();
    setTimeout(() => watch.write(accepted), 20);
  });
  expect(await read(30_000)).toEqual(queuedStatus);
  expect(watches()).toBe(1);
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

test('a wait that ends while the deletion is watched again answers the state of the first watch', async () => {
  const { read, stop, watches } = await setUp((watch, index) => {
    if (index > 0) stop();
    else {
      watch.write(accepted);
      setImmediate(() => watch.emit('error', { code: status.UNAVAILABLE, details: 'watch again' }));
    }
  });
  expect(await read(30_000)).toEqual(queuedStatus);
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
  await expect(read(30_000)).rejects.toMatchObject({ name: 'Fault', code: 'busy' });
});

describe('with several deleters', () => {
  function setUpReads() {
    const { pool, deleter, tick } = setUpPool(['a', 'b']);
    const reads = createFairSemaphore({ maxRunning: 4, maxWaiting: 1 });
    const options = { replicas: () => pool.replicas(), reads, timeoutMs: 60_000, clock: systemClock };
    const read = (waitMs = 0, accountId = 'Acme') =>
      readDeletion({ accountId, deletionId: 'd1', waitMs }, options);
    return { deleter, tick, read };
  }

  test('concurrent reads are spread over them', async () => {
    const { read } = setUpReads();
    const answers = await Promise.all([1, 2, 3, 4].map(() => read()));
    expect(answers.map((answer) => answer?.deletionId)).toEqual(['a', 'b', 'a', 'b']);
  });

  test('reads are bounded, watches are not, and a full semaphore is busy', async () => {
    const { deleter, tick, read } = setUpReads();
    await tick(3);
    for (const name of ['a', 'b']) deleter(name).isSilent = true;
    for (let each = 0; each < 5; each++) read().catch(() => undefined);
    const settled = [read(0, 'Acme'), read(0, 'Other')].map((answer) =>
      answer.then(
        () => 'answered',
        (error: unknown) => asFault(error).code,
      ),
    );
    expect(await settled[0]).toBe('busy');
    deleter('a').isSilent = false;
    expect(await read(10)).toMatchObject({ deletionId: 'a' });
  });

  test.each([
    ['read', 0],
    ['watch', 5_000],
  ])('a %s that is caught on a silent one is repeated on another', async (_name, waitMs) => {
    const { deleter, tick, read } = setUpReads();
    await tick(3);
    deleter('a').isSilent = true;
    const answer = read(waitMs);
    await tick(20);
    expect(await within(answer, () => 'an answer')).toMatchObject({ deletionId: 'b' });
  });

  test('a watch whose deleter falls silent moves to another, and ends with the state known there', async () => {
    const { deleter, tick, read } = setUpReads();
    await tick(3);
    const answer = read(2_000);
    deleter('a').isSilent = true;
    await tick(20);
    expect(await within(answer, () => 'an answer')).toMatchObject({ deletionId: 'b' });
  });

  test('a watch stays on its deleter while that is well', async () => {
    const { tick, read } = setUpReads();
    const answer = read(300);
    await tick(20);
    expect(await answer).toMatchObject({ deletionId: 'a' });
  });

  test('a read stays on a silent deleter while no other is well', async () => {
    const { deleter, tick, read } = setUpReads();
    await tick(3);
    for (const name of ['a', 'b']) deleter(name).isSilent = true;
    const answer = read().then(() => 'answered');
    await tick(30);
    expect(await Promise.race([answer, Promise.resolve('waiting')])).toBe('waiting');
  });
});
