import { Agent } from 'node:http';
import { expect, test } from '@jest/globals';
import { createSeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { accepts } from '../harness/raw-http.ts';
import { reapAfterEach, spawnServe } from '../harness/spawn-serve.ts';
import { testSeed } from '../harness/test-seed.ts';
import { until } from '../harness/until.ts';
import { readAftermath, waitUntilSettled } from './aftermath.ts';
import { audit } from './audit.ts';
import { createGate } from './gate.ts';
import { holdRequest } from './held-request.ts';
import { setScene } from './scene.ts';
import { attempt, finalAnswer, runClient, type SentRequest } from './sent-requests.ts';

const seed = testSeed('life cycle');
const newPath = temporaryFolder();

reapAfterEach();

test('SIGTERM under load answers requests in flight and exits with 0; the next start removes the remaining jobs', async () => {
  const dataDir = newPath('data');
  const { accounts, pools, imported } = await setScene(dataDir, { Acme: 30_000, Umbrella: 100 });
  const [account, held] = accounts;
  const [pool, heldPool] = pools;
  if (account === undefined || held === undefined || pool === undefined || heldPool === undefined)
    throw new Error();
  const serve = spawnServe(dataDir);
  const baseUrl = await serve.ready;
  const gate = createGate();
  const requests: SentRequest[] = [];
  gate.open(baseUrl);
  const load = Array.from({ length: 8 }, (_, index) =>
    runClient(`c${String(index)}x`, pool, createSeededRandom(seed + index), gate, requests),
  );
  const inFlight = await Promise.all(
    heldPool.jobIds.slice(0, 10).map((jobId) => holdRequest(baseUrl, held, [jobId])),
  );
  await until(() => requests.length > 100);

  serve.kill('SIGTERM');
  await until(async () => !(await accepts(baseUrl)));
  for (const { release } of inFlight) release();
  const answers = await Promise.all(inFlight.map(({ answer }) => answer));
  gate.shut();
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(await serve.exited).toEqual({ code: 0, signal: null });
  expect(serve.stderr()).toBe('');

  const next = spawnServe(dataDir);
  gate.open(await next.ready);
  gate.end();
  await Promise.all(load);
  await waitUntilSettled(dataDir);
  const aftermath = await readAftermath(dataDir);
  const heldRequests = answers.map((_answer, index): SentRequest => ({
    account: held,
    format: 'json',
    jobIds: heldPool.jobIds.slice(index, index + 1),
    key: undefined,
    attempts: [],
  }));
  expect(audit({ imported, requests: [...requests, ...heldRequests] }, aftermath)).toEqual([]);
  const removed = aftermath.deletions.filter(({ accountId }) => accountId === held.accountId);
  expect(removed.map(({ id }) => id).sort()).toEqual(
    answers.map(({ headers }) => headers['deletion-id']).sort(),
  );
});

test('a stop does not wait for idle client connections', async () => {
  const dataDir = newPath('data');
  const { accounts, pools } = await setScene(dataDir, { Acme: 10 });
  const [account] = accounts;
  if (account === undefined) throw new Error();
  const serve = spawnServe(dataDir, { env: { SHUTDOWN_TIMEOUT_MS: '600000' } });
  const agent = new Agent({ keepAlive: true });
  const held = await holdRequest(await serve.ready, account, pools[0]?.jobIds.slice(0, 1) ?? [], agent);
  serve.kill('SIGTERM');
  await until(async () => !(await accepts(await serve.ready)));
  held.release();
  expect(await held.answer).toMatchObject({ status: 200, headers: { connection: 'close' } });
  expect(await serve.exited).toEqual({ code: 0, signal: null });
  agent.destroy();
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  'a second signal, %s after SIGTERM, ends the process immediately',
  async (second) => {
    const dataDir = newPath('data');
    const { accounts, pools } = await setScene(dataDir, { Acme: 10 });
    const [account] = accounts;
    if (account === undefined) throw new Error();
    const serve = spawnServe(dataDir, { env: { SHUTDOWN_TIMEOUT_MS: '600000' } });
    const baseUrl = await serve.ready;
    const held = await holdRequest(baseUrl, account, pools[0]?.jobIds.slice(0, 1) ?? []);
    held.answer.catch(() => undefined);

    serve.kill('SIGTERM');
    await until(async () => !(await accepts(baseUrl)));
    serve.kill(second);
    expect(await serve.exited).toEqual({ code: second === 'SIGTERM' ? 143 : 130, signal: null });
    await expect(held.answer).rejects.toThrow();
  },
);

test('a request that never ends delays the stop by at most SHUTDOWN_TIMEOUT_MS', async () => {
  const dataDir = newPath('data');
  const { accounts, pools } = await setScene(dataDir, { Acme: 10 });
  const [account] = accounts;
  if (account === undefined) throw new Error();
  const serve = spawnServe(dataDir, { env: { SHUTDOWN_TIMEOUT_MS: '200' } });
  const held = await holdRequest(await serve.ready, account, pools[0]?.jobIds.slice(0, 1) ?? []);

  serve.kill('SIGTERM');
  await expect(held.answer).rejects.toThrow();
  expect(await serve.exited).toEqual({ code: 0, signal: null });
});

test('SIGTERM as soon as the service is ready is a graceful stop', async () => {
  const dataDir = newPath('data');
  for (let start = 0; start < 5; start++) {
    const serve = spawnServe(dataDir);
    await serve.ready;
    serve.kill('SIGTERM');
    expect(await serve.exited).toEqual({ code: 0, signal: null });
  }
});

test('a second serve on the same folder is refused, and the first keeps running', async () => {
  const dataDir = newPath('data');
  const { accounts, pools } = await setScene(dataDir, { Acme: 10 });
  const [account] = accounts;
  if (account === undefined) throw new Error();
  const first = spawnServe(dataDir);
  const baseUrl = await first.ready;
  // The ports are in use as well, but the error is about the folder.
  const { admin_port } = JSON.parse(first.stdout()) as { admin_port: number };
  const ports = { PORT: new URL(baseUrl).port, ADMIN_PORT: String(admin_port) };

  const second = spawnServe(dataDir, { env: ports });
  expect(await second.exited).toEqual({ code: 1, signal: null });
  expect(second.stderr()).toBe(
    `Another process is already serving from the data folder ${dataDir}. Stop it, or set DATA_DIR.\n`,
  );
  expect(second.stdout()).toBe('');

  const request: SentRequest = {
    account,
    format: 'json',
    jobIds: pools[0]?.jobIds.slice(0, 2) ?? [],
    key: undefined,
    attempts: [],
  };
  await attempt(request, baseUrl);
  expect(finalAnswer(request)?.status).toBe(200);
  await waitUntilSettled(dataDir);
});

test('exactly one of several concurrent starts on a folder succeeds', async () => {
  const dataDir = newPath('data');
  const serves = Array.from({ length: 4 }, () => spawnServe(dataDir));
  const starts = await Promise.allSettled(serves.map(({ ready }) => ready));
  const running = starts.filter(({ status }) => status === 'fulfilled');
  expect(running).toHaveLength(1);
  for (const [index, serve] of serves.entries()) {
    if (starts[index]?.status === 'fulfilled') continue;
    expect(await serve.exited).toEqual({ code: 1, signal: null });
    expect(serve.stderr()).toMatch(/^Another process is already serving from the data folder \S+\. .*\n$/);
  }
});
