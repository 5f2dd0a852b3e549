import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import type { Authenticator } from '@jobs-delete/accounts/authenticator';
import { createApp } from '@jobs-delete/gateway/app';
import type { DeleteJobsAnswer, DeleterClient } from '@jobs-delete/gateway/deleter/deleter-client';
import { startHttpServer } from '@jobs-delete/gateway/http/server/start-http-server';
import { createLoadShedder, type LoadShedderOptions } from '@jobs-delete/gateway/limits/load-shedder';
import { createLogger } from '@jobs-delete/runtime/telemetry/logger';
import { callerHeaders, jsonBody, send, type HttpAnswer } from '../harness/http-client.ts';
import { openRaw } from '../harness/raw-http.ts';
import { until } from '../harness/until.ts';
import { expectProblem } from '../http/client.ts';
import { requestText } from '../http/details.ts';

const origin = 'https://account.example';
/** The token of an account is its id. */
const headersOf = (accountId: string) =>
  callerHeaders({ accountId, token: accountId, secretKey: 'secret', origin });
const body = jsonBody(['JOB00001']);
const accepted: DeleteJobsAnswer = { kind: 'accepted', deletionId: 'id', replayed: false, language: 'en' };

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Starts a gateway on a deleter with the capacity of the test, so the machine's speed does not matter. */
async function serve(deleteJobs: DeleterClient['deleteJobs'], load: Partial<LoadShedderOptions> = {}) {
  let authentications = 0;
  const authenticator: Authenticator = {
    authenticateToken: (token) => {
      authentications += 1;
      return Promise.resolve({ accountId: token, tokenId: 'token', allowedDomains: [origin] });
    },
    verifySecretKey: () => Promise.resolve({ secretKeyId: 'secret' }),
    recordUse: () => undefined,
    recordRefusal: () => undefined,
  };
  const accounts = {
    findAccount: () => Promise.resolve(undefined),
    findCredential: () => Promise.resolve(undefined),
  };
  const loadShedder = createLoadShedder({ maxConcurrent: 64, maxBufferedBytes: 268_435_456, ...load });
  const deleter = {
    deleteJobs,
    readDeletion: () => Promise.resolve(undefined),
    listJobs: () => Promise.resolve({ jobIds: [], next: undefined }),
    cancelDeletion: () => Promise.resolve(undefined),
    check: () => Promise.resolve(undefined),
    close: () => undefined,
  };
  const limits = { maxJobsPerRequest: 10_000, maxBodyBytes: 4_194_304, basePath: '', publicUrl: '' };
  const log = createLogger('silent', 'test');
  const server = await startHttpServer(
    createApp({ accounts, authenticator, deleter, loadShedder, log, ...limits }),
    {
      host: '127.0.0.1',
      port: 0,
      headersTimeoutMs: 10_000,
      requestTimeoutMs: 60_000,
      keepAliveTimeoutMs: 5_000,
      idleTimeoutMs: 60_000,
      maxHeaderBytes: 16_384,
      maxConnections: 10_000,
    },
  );
  const agent = new Agent({ keepAlive: true });
  stops.push(async () => {
    agent.destroy();
    await server.stop(0);
  });
  const baseUrl = `http://127.0.0.1:${String(server.port)}`;
  const call = ({ accountId = 'flood', text = body, sandbox = false } = {}) =>
    send(baseUrl, {
      path: `/v1${sandbox ? '-sandbox' : ''}/json/jobs-delete`,
      headers: headersOf(accountId),
      body: text,
      agent,
    });
  return { call, baseUrl, loadShedder, authentications: () => authentications };
}

/** Creates a deleter that holds every request until its release. */
function createHeldDeleter() {
  const held: (() => void)[] = [];
  return {
    deleteJobs: () => new Promise<DeleteJobsAnswer>((resolve) => held.push(() => resolve(accepted))),
    held: () => held.length,
    letGo: () => {
      for (const answer of held.splice(0)) answer();
    },
  };
}

const statusesOf = (answers: readonly HttpAnswer[]) => answers.map(({ status }) => status);
const repeated = <Value>(count: number, create: () => Value) => Array.from({ length: count }, create);

test.each([false, true])(
  'a flood of one account (sandbox: %s) is refused at once beyond three quarters, and another account is served',
  async (sandbox) => {
    const deleter = createHeldDeleter();
    const { call, loadShedder } = await serve(deleter.deleteJobs);
    const flood = repeated(48, () => call({ sandbox }));
    await until(() => deleter.held() === 48, { what: '48 in the deleter' });
    for (const answer of await Promise.all(repeated(256, () => call({ sandbox })))) {
      expectProblem(answer, 'unavailable');
      expect(answer.headers['retry-after']).toBe('1');
    }
    // The live path and the sandbox of one account share its permits.
    expectProblem(await call({ sandbox: !sandbox }), 'unavailable');
    const others = repeated(12, () => call({ accountId: 'other' }));
    await until(() => deleter.held() === 60, { what: '12 more in the deleter' });
    deleter.letGo();
    expect(statusesOf(await Promise.all([...flood, ...others]))).toEqual(repeated(60, () => 200));
    expect(loadShedder.state()).toMatchObject({ serving: 0, bufferedBytes: 0 });
  },
);

test('a gateway without a free permit refuses everybody before it looks at credentials', async () => {
  const deleter = createHeldDeleter();
  const { call, authentications } = await serve(deleter.deleteJobs, { maxConcurrent: 1 });
  const served = call();
  await until(() => deleter.held() === 1, { what: 'one in the deleter' });
  const before = authentications();
  expectProblem(await call({ accountId: 'other' }), 'unavailable');
  expect(authentications()).toBe(before);
  deleter.letGo();
  expect((await served).status).toBe(200);
});

test('a slow sender does not take the place of another request', async () => {
  const { baseUrl, call, loadShedder } = await serve(() => Promise.resolve(accepted), {
    maxConcurrent: 2,
  });
  const text = requestText(baseUrl, {
    method: 'DELETE',
    path: '/v1/json/jobs-delete',
    headers: headersOf('flood'),
    body,
  });
  const slow = await Promise.all(repeated(20, () => openRaw(baseUrl)));
  for (const connection of slow) connection.write(text.slice(0, -5));
  await until(() => loadShedder.state().bufferedBytes === 20 * (body.length - 5), {
    what: 'all but the end',
  });
  expect((await call()).status).toBe(200);
  for (const connection of slow) {
    connection.write(text.slice(-5));
    expect((await connection.untilAnswers(1)).map(({ status }) => status)).toEqual([200]);
    connection.destroy();
  }
});

test('the bodies of one account stay within its share of the memory, and another account has its own', async () => {
  const deleter = createHeldDeleter();
  const { call, loadShedder } = await serve(deleter.deleteJobs, { maxBufferedBytes: 600_000 });
  const padded = body + ' '.repeat(60_000 - body.length);
  const served = repeated(7, () => call({ text: padded }));
  await until(() => deleter.held() === 7, { what: 'seven in the deleter' });
  served.push(call({ accountId: 'other', text: padded }));
  await until(() => deleter.held() === 8, { what: 'one of another account in the deleter' });
  for (const answer of await Promise.all(repeated(50, () => call({ text: padded }))))
    expectProblem(answer, 'unavailable');
  expect(loadShedder.state()).toMatchObject({ serving: 8, bufferedBytes: 480_000 });
  deleter.letGo();
  expect(statusesOf(await Promise.all(served))).toEqual(repeated(8, () => 200));
  expect(loadShedder.state().bufferedBytes).toBe(0);
});

/**
 * The deleter takes 300 ms per request, eight at a time: little work for the machine, and long compared to a short delay
 * by other processes. The test compares two durations of the same run.
 */
test('at five times the capacity, accepted requests take at most three times as long', async () => {
  const ms = 300;
  const slots = 8;
  let free = slots;
  const waiting: (() => void)[] = [];
  const { call, loadShedder } = await serve(
    async () => {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      await delay(ms);
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
      return accepted;
    },
    { maxConcurrent: 2 * slots },
  );
  const timed = async () => {
    const startedAtMs = performance.now();
    const { status } = await call();
    return { status, ms: performance.now() - startedAtMs };
  };
  const p99 = (calls: readonly { ms: number }[]) =>
    calls.map((timing) => timing.ms).sort((a, b) => a - b)[Math.floor(calls.length * 0.99)] ?? NaN;

  const unloaded: Awaited<ReturnType<typeof timed>>[] = [];
  for (let round = 0; round < 8; round++) unloaded.push(...(await Promise.all(repeated(slots / 2, timed))));
  const gapMs = ms / slots / 5;
  const calls: ReturnType<typeof timed>[] = [];
  let mostServing = 0;
  for (let arrival = 0; arrival < 8_000 / gapMs; arrival++) {
    calls.push(timed());
    await delay(gapMs);
    mostServing = Math.max(mostServing, loadShedder.state().serving);
  }
  const answers = await Promise.all(calls);
  const served = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 503);
  process.stderr.write(
    `overload: ${String(served.length)} of ${String(answers.length)} accepted, p99 ` +
      `${p99(unloaded).toFixed()} ms unloaded, ${p99(served).toFixed()} ms at five times the capacity, ` +
      `${p99(refused).toFixed()} ms for a refusal; at most ${String(mostServing)} concurrent requests\n`,
  );
  expect(served.length + refused.length).toBe(answers.length);
  expect(served.length).toBeGreaterThan(answers.length / 10);
  expect(refused.length).toBeGreaterThan(answers.length / 2);
  expect(p99(served) / p99(unloaded)).toBeLessThanOrEqual(3);
  expect(p99(refused)).toBeLessThan(p99(unloaded));
});
