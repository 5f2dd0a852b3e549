import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import type { Connection } from '@jobs-delete/gateway/deleter/connection';
import { callerHeaders, jsonBody, send, type HttpAnswer, type HttpCall } from '../harness/http-client.ts';
import { startService, type TestAccount, type TestService } from '../harness/service.ts';
import { testSeed } from '../harness/test-seed.ts';
import { describeWith } from '../servers/describe-with.ts';
import { connectTo } from './campaign.ts';
import { checkHistory } from './check-history.ts';
import { runGroups } from './group-client.ts';
import {
  createHistory,
  readDeletionAnswer,
  readStatusAnswer,
  unknown,
  type Call,
  type History,
  type Question,
  type Told,
} from './history.ts';

const seed = testSeed('linearizability');
const newPath = temporaryFolder();

describeWith('history checker', 'a history', (checker) => {
  let service: TestService;
  let account: TestAccount;
  let connection: Connection;
  let recorded: readonly Call[];
  const exists = ['job1', 'job2', 'job3'];

  beforeAll(async () => {
    service = await startService();
    account = await service.operator.createAccount('Acme');
    await service.operator.importJobs('Acme', exists);
    connection = connectTo(service.grpcAddress);
    recorded = await recordOneByOne();
  });
  afterAll(async () => {
    connection.close();
    await service.stop();
  });

  /** The service keeps what it has read of rules for 5 s. It has read none of a new account. */
  const createDelayedAccount = async (accountId: string, removalDelayMs: number) => {
    const created = await service.operator.createAccount(accountId);
    await service.operator.store.setRules(accountId, { removalDelayMs });
    return created;
  };

  const check = (calls: readonly Call[], timeout?: string) => {
    const history = createHistory(newPath('history.jsonl'));
    history.exist('Acme', exists);
    for (const call of calls) history.add(call);
    history.save();
    return checkHistory(checker, history.path, timeout === undefined ? {} : { timeout });
  };

  /** Each of these calls has one right answer. */
  const recordOneByOne = async (): Promise<readonly Call[]> => {
    const history = createHistory(newPath('history.jsonl'));
    const remove = (ids: readonly string[], key?: string) => deleteJobs(history, service.baseUrl, ids, key);
    const first = await remove(['job1', 'job2'], 'key1');
    const deletion = first?.answer ?? '';
    await readStatus(history, service.baseUrl, deletion, '?wait=30');
    await remove(['job2']);
    await remove(['job1', 'job2'], 'key1');
    await remove(['job1'], 'key1');
    await remove(['job2', 'job3']);
    await readStatus(history, service.baseUrl, deletion);
    await cancel(history, service.baseUrl, deletion);
    history.save();
    return readCalls(history.path);
  };

  const deleteJobs = (history: History, baseUrl: string, ids: readonly string[], key?: string) =>
    record(history, { account: account.accountId, op: 'delete', ids, key }, readDeletionAnswer, baseUrl, {
      headers: { ...callerHeaders(account), ...(key !== undefined && { 'Idempotency-Key': key }) },
      body: jsonBody(ids),
    });
  const readStatus = (history: History, baseUrl: string, deletion: string, query = '') =>
    record(history, { account: account.accountId, op: 'status', deletion }, readStatusAnswer, baseUrl, {
      method: 'GET',
      path: `/v1/deletions/${deletion}${query}`,
      headers: callerHeaders(account),
    });
  const cancel = (history: History, baseUrl: string, deletion: string) =>
    record(history, { account: account.accountId, op: 'cancel', deletion }, readStatusAnswer, baseUrl, {
      path: `/v1/deletions/${deletion}`,
      headers: callerHeaders(account),
    });

  test('of calls one after another is linearizable', async () => {
    expect(recorded.map(({ outcome }) => outcome)).toEqual([
      'accepted',
      'completed',
      'unavailable',
      'replayed',
      'key-reused',
      'unavailable',
      'completed',
      'begun',
    ]);
    expect(await check(recorded)).toMatchObject({
      operations: 8,
      partitions: 1,
      violations: 0,
      undecided: 0,
    });
  });

  /** The number of a recorded call, and the answer that replaces its own. */
  const planted: readonly (readonly [string, number, Told])[] = [
    ['the answer is older than another one', 6, { outcome: 'queued' }],
    ['a job is accepted twice', 2, { outcome: 'accepted', answer: 'another' }],
    ['an acceptance is lost', 5, { outcome: 'unavailable', named: [] }],
    ['a request is refused though its jobs are available', 0, { outcome: 'unavailable', named: ['job1'] }],
    ['a refusal leaves out an unavailable job', 5, { outcome: 'unavailable', named: ['job3'] }],
    ['a refusal names an available job', 5, { outcome: 'unavailable', named: ['job2', 'job3'] }],
    ['a replay names another deletion', 3, { outcome: 'replayed', answer: 'another' }],
    ['a key is forgotten', 3, { outcome: 'unavailable', named: ['job1', 'job2'] }],
    ['a key is accepted with other ids', 4, { outcome: 'replayed', answer: 'another' }],
    ['a deletion is forgotten', 6, { outcome: 'missing' }],
    ['a completed deletion is cancelled', 7, { outcome: 'cancelled' }],
  ];
  test.each(planted)('is wrong if %s', async (_, index, told) => {
    const altered = recorded.map((call, at) => (at === index ? { ...call, named: [], ...told } : call));
    const verdict = await check(altered);
    expect(verdict).toMatchObject({ violations: 1, undecided: 0 });
    expect(verdict.story.join('\n')).toContain(told.outcome);
  });

  test('is linearizable if a call without an answer explains it', async () => {
    const [first, , , replay] = recorded;
    if (first === undefined || replay === undefined) throw new Error('no calls');
    expect(first.answer).toBe(replay.answer);
    const { client, account: accountId, op, ids = [], key, call } = first;
    const lost: Call = { client, account: accountId, op, ids, key, call, ...unknown };
    // Until the replay, nobody knows the id of the deletion.
    const others = recorded.slice(2);
    const verdict = await check([lost, ...others]);
    expect(verdict).toMatchObject({ unknown: 1, violations: 0, undecided: 0 });
    expect(await check(others)).toMatchObject({ violations: 1 });
  });

  test('is linearizable if a refusal holds for each job at a moment of its own, while jobs are imported', async () => {
    const spanOf = (call: number, end: number) => ({ client: 0, account: 'Acme', call, return: end });
    const ids = ['job1', 'job9'];
    const historyWith = (importedAt: number): Call[] => [
      { ...spanOf(100, 200), op: 'delete', ids, outcome: 'unavailable', named: ids },
      { ...spanOf(importedAt, importedAt + 10), op: 'import', ids: ['job9'], outcome: 'new' },
      { ...spanOf(160, 170), op: 'delete', ids: ['job1'], outcome: 'accepted', answer: 'one' },
    ];
    expect(await check(historyWith(140))).toMatchObject({ violations: 0, undecided: 0 });
    expect(await check(historyWith(40))).toMatchObject({ violations: 1, undecided: 0 });
  });

  test('is undecided, and not right, without time for the check', async () => {
    const verdict = await check(recorded, '1ns');
    expect(verdict).toMatchObject({ violations: 0, undecided: 1 });
    expect(verdict.story.length).toBeGreaterThan(recorded.length);
  });

  test('of racing callers is linearizable, over HTTP and gRPC', async () => {
    const history = createHistory(newPath('history.jsonl'));
    account = await createDelayedAccount('Racing', 100);
    const load = Array.from({ length: 4 }, (_, number) =>
      runGroups({
        history,
        service: { baseUrl: () => Promise.resolve(service.baseUrl), goesOn: () => history.size() < 500 },
        apis: [connection],
        store: service.operator.store,
        account,
        random: createSeededRandom(seed + number),
        number,
      }),
    );
    await Promise.all(load);
    history.save();
    const { story, ...verdict } = await checkHistory(checker, history.path);
    expect(story).toEqual([]);
    expect(verdict).toMatchObject({ unknown: 0, violations: 0, undecided: 0 });
    for (const outcome of ['delete accepted', 'delete replayed', 'check unavailable', 'cancel cancelled'])
      expect(verdict.outcomes[outcome]).toBeGreaterThan(0);
  });

  test('shows that a cache between caller and service answers from before a cancellation', async () => {
    account = await createDelayedAccount('Cached', 600_000);
    await service.operator.importJobs(account.accountId, ['job1', 'job2']);
    const cache = await startCache(service.baseUrl);
    const checkReadsFrom = async (readFrom: string) => {
      const history = createHistory(newPath('history.jsonl'));
      history.exist(account.accountId, ['job1', 'job2']);
      const accepted = await deleteJobs(history, service.baseUrl, ['job1', 'job2']);
      const deletion = accepted?.answer ?? '';
      await readStatus(history, readFrom, deletion);
      await cancel(history, service.baseUrl, deletion);
      await readStatus(history, readFrom, deletion);
      history.save();
      return checkHistory(checker, history.path);
    };
    try {
      expect(await checkReadsFrom(service.baseUrl)).toMatchObject({ violations: 0, undecided: 0 });
      expect(await checkReadsFrom(cache.baseUrl)).toMatchObject({ violations: 1, undecided: 0 });
    } finally {
      await cache.close();
    }
  });
});

function record(
  history: History,
  question: Question,
  read: (answer: HttpAnswer | undefined) => Told | undefined,
  baseUrl: string,
  call: HttpCall,
): Promise<Told | undefined> {
  return history.record(0, question, async () => read(await send(baseUrl, call)));
}

function readCalls(path: string): Call[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Call);
}

/** Starts a proxy that answers a repeated GET as before. */
async function startCache(upstream: string) {
  const answers = new Map<string, HttpAnswer>();
  const server = createServer((request, response) => {
    const { url: path = '', method = '', headers } = request;
    void (async () => {
      const answer = answers.get(path) ?? (await send(upstream, { method, path, headers }));
      answers.set(path, answer);
      response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(answer.text);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
