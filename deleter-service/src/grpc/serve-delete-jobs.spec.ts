import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { status } from '@grpc/grpc-js';
import { Fault } from '@jobs-delete/runtime/fault';
import { createAcceptDeletion } from '../deletion/accept-deletion.ts';
import { systemClock, systemRandom } from '@jobs-delete/runtime/time/clock';
import type { AcceptRequest, Store } from '../store/store.ts';
import { noRules, type SafetyRules } from '../store/safety-rules.ts';
import { acceptOne, acme, importJobs, jobIds, origin, other } from '../testing/deletions.ts';
import { createGate } from '../testing/events.ts';
import { failing, type Failing } from '../testing/failing.ts';
import { openStore } from '../testing/open-adapters.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { deleterHandlers } from './deleter-handlers.ts';
import type { GrpcError } from './grpc-error.ts';
import { startGrpcServer, type GrpcServer } from './start-grpc-server.ts';
import { CallError, connectTestClient, type CallOptions, type TestClient } from './testing/test-client.ts';

const newPath = temporaryFolder();

describe('DeleteJobs', () => {
  let store: Failing<Store>;
  let server: GrpcServer;
  let client: TestClient;
  let accountId: string;
  let accounts = 0;
  let beforeAccepting: () => Promise<void>;
  const faults: GrpcError[] = [];
  const asked: AcceptRequest[] = [];
  let rules: SafetyRules = noRules;

  beforeAll(async () => {
    store = failing(openStore(newPath()));
    const acceptDeletion = createAcceptDeletion({
      store: {
        acceptDeletion: async (request) => {
          asked.push(request);
          await beforeAccepting();
          return acceptOne(store.port, request);
        },
      },
      relay: undefined,
      clock: systemClock,
      random: systemRandom,
      maxJobsPerRequest: 10_000,
      readRules: () => Promise.resolve(rules),
    });
    const handlers = deleterHandlers({
      acceptDeletion,
      store: store.port,
      clock: systemClock,
      signal: new AbortController().signal,
      onFault: (error) => faults.push(error),
    });
    server = await startGrpcServer(handlers, { host: '127.0.0.1', port: 0, callers: undefined });
    client = connectTestClient(server.port);
  });
  afterAll(async () => {
    client.close();
    await server.stop(1_000);
    await store.port.close();
  });
  beforeEach(async () => {
    accountId = `${acme}-${++accounts}`;
    beforeAccepting = () => Promise.resolve();
    rules = noRules;
    faults.length = 0;
    asked.length = 0;
    await importJobs(store.port, accountId, jobIds(5));
  });

  const failure = async (call: Promise<unknown>): Promise<CallError> => {
    const error = await call.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error instanceof CallError) return error;
    throw new Error('the call did not fail');
  };

  test('OK means that the deletion is stored, with its caller', async () => {
    const answer = await client.deleteJobs({ accountId, jobIds: ['job0001', 'job0002'], origin });
    expect(answer).toEqual({
      deletionId: expect.stringMatching(/.+/),
      replayed: false,
      language: 'fr',
    });
    expect(await store.port.findDeletion(answer.deletionId, accountId)).toMatchObject({
      jobIds: ['job0001', 'job0002'],
      origin,
    });
  });

  test('the same key returns the first deletion, in its language', async () => {
    const request = { accountId, jobIds: ['job0001'], idempotencyKey: 'key', origin };
    const first = await client.deleteJobs(request);
    const again = await client.deleteJobs({ ...request, origin: { ...origin, language: 'es' } });
    expect(again).toEqual({ ...first, replayed: true });
  });

  test('ALREADY_EXISTS for a key that was used with other ids', async () => {
    await client.deleteJobs({ accountId, jobIds: ['job0001'], idempotencyKey: 'key' });
    const error = await failure(client.deleteJobs({ accountId, jobIds: ['job0002'], idempotencyKey: 'key' }));
    expect(error.code).toBe(status.ALREADY_EXISTS);
  });

  test('NOT_FOUND has the positions of all missing jobs, and the names of the first ten', async () => {
    const ids = ['job0001', ...jobIds(14, 100), 'job0002'];
    const error = await failure(client.deleteJobs({ accountId, jobIds: ids }));
    expect(error.code).toBe(status.NOT_FOUND);
    const positions = Array.from({ length: 14 }, (_, index) => index + 1);
    expect(error.missing).toEqual(positions);
    expect(error.resources).toEqual(
      jobIds(10, 100).map((resourceName) => ({ resourceType: 'job', resourceName })),
    );
    expect(faults).toEqual([]);
  });

  test('FAILED_PRECONDITION for a request beyond the limit of the account, and not what means busy', async () => {
    rules = { ...noRules, limit: { kind: 'jobs', jobs: 2 } };
    await client.deleteJobs({ accountId, jobIds: ['job0001'] });
    const error = await failure(client.deleteJobs({ accountId, jobIds: ['job0002', 'job0003'] }));
    expect([error.code, error.message]).toEqual([
      status.FAILED_PRECONDITION,
      expect.stringContaining('more than 2 jobs within 24 hours; 1 are used'),
    ]);
    expect(faults).toEqual([]);
  });

  test("another account's job answers exactly like one that does not exist", async () => {
    await importJobs(store.port, other, ['theirs']);
    const ask = async (id: string) => {
      const { code, message, missing } = await failure(client.deleteJobs({ accountId, jobIds: [id] }));
      return { code, message, missing };
    };
    expect(await ask('theirs')).toEqual(await ask('nobodys'));
  });

  test('INVALID_ARGUMENT names each invalid field', async () => {
    const error = await failure(
      client.deleteJobs({ jobIds: ['a', 'job1', 'job1'], idempotencyKey: 'é', deletionId: 'A' }),
    );
    expect(error.code).toBe(status.INVALID_ARGUMENT);
    expect(error.violations.map(({ field }) => field)).toEqual([
      'account_id',
      'deletion_id',
      'idempotency_key',
      'job_ids[0]',
      'job_ids[2]',
    ]);
    const empty = await failure(client.deleteJobs({ accountId }));
    expect(empty.violations.map(({ field }) => field)).toEqual(['job_ids']);
  });

  test('a dry run answers like the real request and stores nothing', async () => {
    const dry = { accountId, dryRun: true, idempotencyKey: 'key', origin };
    const answer = await client.deleteJobs({ ...dry, jobIds: ['job0001'] });
    expect(answer).toEqual({ deletionId: '', replayed: false, language: 'fr' });
    const error = await failure(client.deleteJobs({ ...dry, jobIds: ['job0001', 'missing'] }));
    expect([error.code, error.missing]).toEqual([status.NOT_FOUND, [1]]);
    expect(new Set(asked.map(({ dryRun }) => dryRun))).toEqual(new Set([true]));
    expect((await store.port.findJob(accountId, 'job0001'))?.deletionId).toBeUndefined();
  });

  test('the deletion has the id that the caller draws', async () => {
    const deletionId = systemRandom.uuid();
    const answer = await client.deleteJobs({ accountId, jobIds: ['job0001'], deletionId });
    expect(answer.deletionId).toBe(deletionId);
    for (const wrong of [deletionId.toUpperCase(), `${deletionId}0`, deletionId.replaceAll('-', '')]) {
      const error = await failure(client.deleteJobs({ accountId, jobIds: ['job0002'], deletionId: wrong }));
      expect(error.violations.map(({ field }) => field)).toEqual(['deletion_id']);
    }
  });

  test('an origin is optional', async () => {
    expect((await client.deleteJobs({ accountId, jobIds: ['job0001'] })).language).toBe('');
  });

  test('the trace of the request, or else of the metadata, is stored; an invalid one is not', async () => {
    const inRequest = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const inMetadata = `00-${'c'.repeat(32)}-${'d'.repeat(16)}-00`;
    const kept = async (jobId: string, traceparent: string, options: CallOptions) => {
      const request = { accountId, jobIds: [jobId], origin: { ...origin, traceparent } };
      const { deletionId } = await client.deleteJobs(request, options);
      return (await client.getDeletion({ accountId, deletionId })).origin?.traceparent;
    };
    expect(await kept('job0001', inRequest, { traceparent: inMetadata })).toBe(inRequest);
    expect(await kept('job0002', '', { traceparent: inMetadata })).toBe(inMetadata);
    expect(await kept('job0003', `${inRequest}\n`, {})).toBe('');
    expect(await kept('job0004', '', {})).toBe('');
  });

  test('10,000 ids of 128 characters are one request', async () => {
    const ids = jobIds(10_000).map((id) => id.padEnd(128, 'x'));
    await importJobs(store.port, accountId, ids);
    const { deletionId } = await client.deleteJobs({ accountId, jobIds: ids });
    const deletion = await client.getDeletion({ accountId, deletionId, includeJobIds: true });
    expect(deletion.jobIds).toEqual(ids);
  });

  test('too many ids are INVALID_ARGUMENT, and too large a message is RESOURCE_EXHAUSTED', async () => {
    const tooMany = await failure(client.deleteJobs({ accountId, jobIds: jobIds(10_001) }));
    expect(tooMany.code).toBe(status.INVALID_ARGUMENT);
    const huge = await failure(client.deleteJobs({ accountId, jobIds: ['x'.repeat(9 * 1024 * 1024)] }));
    expect(huge.code).toBe(status.RESOURCE_EXHAUSTED);
  });

  test('the details of the largest refusals fit into the 8 KiB that clients read of a trailer', async () => {
    const base64Bytes = (bytes: number) => Math.ceil(bytes / 3) * 4;
    const bad = await failure(client.deleteJobs({ accountId, jobIds: jobIds(10_000).map((id) => `?${id}`) }));
    expect(bad.violations.length).toBeGreaterThanOrEqual(50);
    expect(base64Bytes(bad.detailBytes)).toBeLessThan(7_500);
    const missing = jobIds(10_000).map((id) => id.padEnd(128, 'x'));
    const refused = await failure(client.deleteJobs({ accountId, jobIds: missing }));
    expect(refused.missing).toEqual([...missing.keys()]);
    expect(base64Bytes(refused.detailBytes)).toBeLessThan(7_500);
  });

  test.each([
    ['unavailable', status.UNAVAILABLE, 'The storage is not available; try again.'],
    ['unknown-outcome', status.UNAVAILABLE, 'The outcome is unknown; ask again with the same key.'],
    ['internal', status.INTERNAL, 'Internal error.'],
  ] as const)('a Fault %s is told by its code alone, and reported', async (code, expected, message) => {
    beforeAccepting = () => Promise.reject(new Fault(code, 'secret of the driver'));
    const error = await failure(client.deleteJobs({ accountId, jobIds: ['job0001'] }));
    expect([error.code, error.message]).toEqual([expected, message]);
    expect(faults.map(({ cause }) => (cause as Error).message)).toEqual(['secret of the driver']);
  });

  test('a defect is INTERNAL and reveals no details', async () => {
    beforeAccepting = () => Promise.reject(new TypeError('secret of the code'));
    const error = await failure(client.deleteJobs({ accountId, jobIds: ['job0001'] }));
    expect([error.code, error.message]).toEqual([status.INTERNAL, 'Internal error.']);
  });

  test('the store gets the deadline, and a retry after it returns the true outcome', async () => {
    const gate = createGate();
    beforeAccepting = () => gate.opened;
    const startMs = Date.now();
    const request = { accountId, jobIds: ['job0001'], idempotencyKey: 'key' };
    const error = await failure(client.deleteJobs(request, { deadlineMs: 300 }));
    expect(error.code).toBe(status.DEADLINE_EXCEEDED);
    expect(asked[0]?.deadlineMs).toBeGreaterThan(startMs);
    expect(asked[0]?.deadlineMs).toBeLessThan(startMs + 2_000);
    gate.open();
    expect(await client.deleteJobs(request)).toMatchObject({ replayed: true });
  });
});
