import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createLogger } from '@jobs-delete/runtime/telemetry/logger';
import { readDeleterConfig, type DeleterConfig } from './config.ts';
import { connectTestClient, type TestClient } from './grpc/testing/test-client.ts';
import { startDeleter, type RunningDeleter } from './start-deleter.ts';
import type { Store } from './store/store.ts';
import { accept, acme, importJobs, jobIds } from './testing/deletions.ts';
import { openStore } from './testing/open-adapters.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

const newFolder = temporaryFolder();
const log = createLogger('silent', 'test');

describe('the deleter service', () => {
  let config: DeleterConfig;
  let store: Store;
  const running: RunningDeleter[] = [];
  const clients: TestClient[] = [];

  beforeEach(async () => {
    config = readDeleterConfig({ DATA_DIR: newFolder('data'), GRPC_PORT: '0', SHUTDOWN_TIMEOUT_MS: '1000' });
    store = openStore(join(config.dataDir, 'jobs-delete.db'));
    await importJobs(store, acme, jobIds(3_000));
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.close();
    for (const deleter of running.splice(0)) await deleter.stop();
    await store.close();
  });

  const start = async (more: Partial<DeleterConfig> = {}): Promise<RunningDeleter & { grpcPort: number }> => {
    const deleter = await startDeleter({ ...config, ...more }, log);
    running.push(deleter);
    if (deleter.grpcPort === undefined) throw new Error('it does not answer gRPC');
    return { ...deleter, grpcPort: deleter.grpcPort };
  };
  const connect = ({ grpcPort }: { grpcPort: number }): TestClient => {
    const client = connectTestClient(grpcPort);
    clients.push(client);
    return client;
  };
  const completed = async (client: TestClient, deletionId: string): Promise<void> => {
    for await (const { state } of client.watchDeletion({ accountId: acme, deletionId })) {
      if (state === 'DELETION_STATE_COMPLETED') return;
    }
    throw new Error('it was not completed');
  };

  test('accepts a deletion, publishes it, and removes its jobs and no others', async () => {
    const client = connect(await start());
    const { deletionId } = await client.deleteJobs({ accountId: acme, jobIds: jobIds(2_500) });
    await completed(client, deletionId);
    expect(await store.countJobs(acme)).toBe(500);
    expect(await store.findJob(acme, 'job0000')).toBeUndefined();
    expect(await store.findJob(acme, 'job2500')).toMatchObject({ deletionId: undefined });
    const deletion = await client.getDeletion({ accountId: acme, deletionId });
    expect(await store.findDeletion(deletionId, acme)).toMatchObject({ publications: 1 });
    expect(deletion.completedAtMs).toBeGreaterThanOrEqual(deletion.acceptedAtMs);
  });

  test('accepts each job from exactly one of many concurrent callers', async () => {
    const deleter = await start();
    const callers = [1, 2, 3].map(() => connect(deleter));
    const calls = jobIds(100).flatMap((id) =>
      callers.map((client) =>
        client.deleteJobs({ accountId: acme, jobIds: [id] }).then(
          ({ deletionId }) => deletionId,
          () => undefined,
        ),
      ),
    );
    const accepted = (await Promise.all(calls)).filter((id) => id !== undefined);
    expect(accepted).toHaveLength(100);
    const [client] = callers;
    if (client === undefined) throw new Error('a client was expected');
    for (const deletionId of accepted) await completed(client, deletionId);
    expect(await store.countJobs(acme)).toBe(2_900);
  });

  test('publishes at its start what was accepted but never published', async () => {
    const farFuture = Date.now() + 3_600_000;
    const deletion = await accept(store, jobIds(1_200), { dueAtMs: farFuture, acceptedAtMs: Date.now() });
    const client = connect(await start());
    await completed(client, deletion.id);
    expect(await store.countJobs(acme)).toBe(1_800);
  });

  test('keeps accepted deletions and the answers to their keys over a restart', async () => {
    const first = await start();
    const request = { accountId: acme, jobIds: ['job0001'], idempotencyKey: 'key' };
    const { deletionId } = await connect(first).deleteJobs(request);
    await first.stop();
    const client = connect(await start());
    expect(await client.deleteJobs(request)).toMatchObject({ deletionId, replayed: true });
    await completed(client, deletionId);
  });

  test('refuses a second start on the same folder, and the first one continues', async () => {
    const deleter = await start();
    await expect(startDeleter(config, log)).rejects.toMatchObject({
      name: 'StartupError',
      message: expect.stringContaining(config.dataDir),
    });
    const { deletionId } = await connect(deleter).deleteJobs({ accountId: acme, jobIds: ['job0001'] });
    expect(deletionId).not.toBe('');
  });

  test('leaves nothing running after a stop or a failed start', async () => {
    const before = process.getActiveResourcesInfo();
    const deleter = await start();
    await expect(startDeleter(config, log)).rejects.toThrow();
    await deleter.stop();
    await deleter.stop();
    const taken = await start();
    const elsewhere = readDeleterConfig({ DATA_DIR: newFolder('data'), GRPC_PORT: String(taken.grpcPort) });
    await expect(startDeleter(elsewhere, log)).rejects.toMatchObject({ name: 'StartupError' });
    // The folder is free again: a start on another port succeeds.
    await (await start({ ...elsewhere, grpc: config.grpc })).stop();
    await taken.stop();
    // Handles of earlier tests may have ended meanwhile.
    const left = () => {
      const now = process.getActiveResourcesInfo();
      for (const resource of before) if (now.includes(resource)) now.splice(now.indexOf(resource), 1);
      return now;
    };
    // libuv closes handles in a later turn.
    for (let turn = 0; turn < 10_000 && left().length > 0; turn++) await setImmediate();
    expect(left()).toEqual([]);
  });

  test('answers the calls in flight when it stops, even while a client is connected', async () => {
    const deleter = await start();
    const client = connect(deleter);
    const calls = jobIds(20).map((id) => client.deleteJobs({ accountId: acme, jobIds: [id] }));
    await calls[0];
    await deleter.stop();
    const answers = await Promise.allSettled(calls);
    for (const [index, answer] of answers.entries()) {
      const job = await store.findJob(acme, `job${String(index).padStart(4, '0')}`);
      // A job of an accepted call is claimed or removed.
      if (answer.status === 'fulfilled') expect(job === undefined || job.deletionId !== undefined).toBe(true);
    }
  });

  test('keeps everything in its folder', async () => {
    await start();
    expect(existsSync(join(config.dataDir, 'jobs-delete.db'))).toBe(true);
    expect(existsSync(join(config.dataDir, 'events.db'))).toBe(true);
  });
});
