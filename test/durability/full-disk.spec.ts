import { afterEach, describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { send } from '../harness/http-client.ts';
import { reapChildren } from '../harness/spawn-child.ts';
import { reapAfterEach, spawnServe } from '../harness/spawn-serve.ts';
import { until } from '../harness/until.ts';
import { readAftermath, waitUntilSettled } from './aftermath.ts';
import { audit } from './audit.ts';
import { limitFileSizes, mountSmallDisk, type LimitedDisk } from './limited-disk.ts';
import { refusedStart } from './refused-start.ts';
import { setScene } from './scene.ts';
import { attempt, finalAnswer, type SentRequest } from './sent-requests.ts';

const newPath = temporaryFolder();
let disk: LimitedDisk | undefined;

reapAfterEach();
afterEach(() => {
  disk?.remove();
  disk = undefined;
});

describe.each([
  ['a full disk', () => mountSmallDisk(newPath('disk'), 24)],
  ['a file size limit', () => limitFileSizes(newPath('data'))],
])('%s', (what, limit) => {
  const withDisk = (run: (limited: LimitedDisk) => Promise<void>) => async () => {
    const limited = limit();
    if (typeof limited === 'string') {
      process.stderr.write(`NOT TESTED: ${what}: ${limited}\n`);
      return;
    }
    disk = limited;
    await run(limited);
  };

  test(
    'causes 503 until space is free again, and loses no deletion answered with 200',
    withDisk(async ({ dataDir, fill, free }) => {
      const { pools, imported } = await setScene(dataDir, { Acme: 3_000 });
      const serve = spawnServe(dataDir);
      const baseUrl = await serve.ready;
      const requests = drawRequests(pools[0]);
      const [before, during] = [requests.slice(0, 20), requests.slice(20)];
      for (const request of before) await attempt(request, baseUrl);

      fill(serve.pid);
      const statuses = new Set<number | undefined>();
      for (const request of during) {
        const answer = await attempt(request, baseUrl);
        statuses.add(answer?.status);
        if (answer?.status === 503) expect(answer.headers).toHaveProperty('retry-after');
      }
      expect([...statuses].filter((status) => status !== 200)).toEqual([503]);

      free(serve.pid);
      for (const request of during) {
        if (finalAnswer(request) !== undefined) continue;
        await until(async () => (await attempt(request, baseUrl))?.status !== 503);
      }
      expect(requests.filter((request) => finalAnswer(request)?.status !== 200)).toEqual([]);
      await waitUntilSettled(dataDir);
      expect(audit({ imported, requests }, await readAftermath(dataDir))).toEqual([]);
    }),
  );

  test(
    'does not delay a stop and loses no accepted deletion',
    withDisk(async ({ dataDir, fill, free }) => {
      const { pools, imported } = await setScene(dataDir, { Acme: 3_000 });
      const serve = spawnServe(dataDir);
      const baseUrl = await serve.ready;
      const requests = drawRequests(pools[0]);
      await Promise.all(requests.slice(0, 30).map((request) => attempt(request, baseUrl)));
      fill(serve.pid);
      await Promise.all(requests.slice(30).map((request) => attempt(request, baseUrl)));
      serve.kill('SIGTERM');
      expect(await serve.exited).toEqual({ code: 0, signal: null });
      free(serve.pid);

      const next = spawnServe(dataDir);
      await next.ready;
      await waitUntilSettled(dataDir);
      expect(audit({ imported, requests }, await readAftermath(dataDir))).toEqual([]);
    }),
  );
});

test('a start on a full disk fails, names the file and changes nothing', async () => {
  const limited = mountSmallDisk(newPath('disk'), 24);
  if (typeof limited === 'string') {
    process.stderr.write(`NOT TESTED: a start on a full disk: ${limited}\n`);
    return;
  }
  disk = limited;
  const { imported } = await setScene(limited.dataDir, { Acme: 100 });
  limited.fill(0);
  for (const args of [['--json'], ['--demo']]) {
    const { exitCode, reason } = await refusedStart(limited.dataDir, { args });
    expect(exitCode).toBe(1);
    expect(reason).toContain(limited.dataDir);
    expect(reason).toMatch(/the disk is full|or is full/);
  }
  limited.free(0);
  const serve = spawnServe(limited.dataDir);
  await serve.ready;
  expect(audit({ imported, requests: [] }, await readAftermath(limited.dataDir))).toEqual([]);
});

test('a log file on a full disk loses lines, and the service keeps running', async () => {
  const limited = mountSmallDisk(newPath('disk'), 1);
  if (typeof limited === 'string') {
    process.stderr.write(`NOT TESTED: a log file on a full disk: ${limited}\n`);
    return;
  }
  disk = limited;
  const wrapper = ['bash', '--norc', '-c', `exec "$@" 2>>'${limited.dataDir}.log'`, '--'];
  const serve = spawnServe(newPath('data'), { wrapper, env: { LOG_LEVEL: 'info' } });
  const baseUrl = await serve.ready;
  limited.fill(0);
  for (let count = 0; count < 50; count++) {
    expect(await send(baseUrl, { path: '/nowhere' })).toMatchObject({ status: 404 });
  }
  serve.kill('SIGTERM');
  expect(await serve.exited).toEqual({ code: 0, signal: null });
});

test.each([0, 1, 16, 40, 64, 100, 150, 200, 260])(
  'a first start with files of up to %i KiB either serves or fails with a clear error',
  async (kibibytes) => {
    const dataDir = newPath('data');
    const wrapper = ['bash', '--norc', '-c', `ulimit -f ${String(kibibytes)}; exec "$@"`, '--'];
    const serve = spawnServe(dataDir, { args: ['--demo'], wrapper });
    const started = await serve.ready.then(
      () => true,
      () => false,
    );
    if (!started) {
      expect(await serve.exited).toEqual({ code: 1, signal: null });
      expect(serve.stderr()).toMatch(/^Cannot .*\n$/);
      expect(serve.stderr()).toMatch(/full|SQLITE_|EFBIG/);
    }
    await reapChildren();
    // The next start must complete anything left unfinished.
    const next = spawnServe(dataDir, { args: ['--demo'] });
    await next.ready;
  },
);

function drawRequests(pool: { account: SentRequest['account']; jobIds: readonly string[] } | undefined) {
  if (pool === undefined) throw new Error('no account');
  return Array.from({ length: 150 }, (_, index): SentRequest => ({
    account: pool.account,
    format: index % 2 === 0 ? 'json' : 'xml',
    jobIds: pool.jobIds.slice(index * 20, index * 20 + 20),
    key: `key${String(index)}`,
    attempts: [],
  }));
}
