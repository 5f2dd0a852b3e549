import { Agent } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { attempt, type SentRequest } from '../durability/sent-requests.ts';
import { callerHeaders, jsonBody, jsonPath, send } from '../harness/http-client.ts';
import { reapReplicas } from '../harness/spawn-roles.ts';
import { currentTest, until } from '../harness/until.ts';
import { watchTestEnd } from '../harness/watch-test-end.ts';
import { describeWith } from '../servers/describe-with.ts';
import { freePort } from '../servers/child-process.ts';
import { type Line, type MongoLine, openLine, openMongoLine } from '../servers/line.ts';
import { createCluster, setClusterScene, type Cluster } from './cluster.ts';
import { createRole, type Replica } from './create-role.ts';
import { dropCluster } from './cluster-aftermath.ts';

type Pool = Awaited<ReturnType<typeof setClusterScene>>['pools'][number];

/** Callers with an Idempotency-Key, and as many without one: no request of either fails. */
const callers = 16;
/** Consecutive requests that must be answered 200 while a part is sick. */
const goodRequests = 500;
/** A request that is caught on a sick api would wait this long. */
const answerTimeoutMs = 60_000;
/** More than a busy machine needs, and much less than answerTimeoutMs. */
const endedWithinMs = 20_000;

interface Api {
  readonly replica: Replica;
  /** From the gateway to the api. */
  readonly calls: Line;
  /** From the api to MongoDB. */
  readonly database: MongoLine;
}

describeWith('mongodb', 'a gateway with three apis', (mongodbUrl) => {
  describeWith('kafka', 'while some are sick', (kafkaUrl) => {
    let cluster: Cluster;
    let apis: Api[];
    let gateway: Replica;
    let baseUrl: string;
    let pools: readonly Pool[];

    const startApi = async (name: string): Promise<Api> => {
      const GRPC_PORT = await freePort();
      const database = await openMongoLine(cluster.databaseUrl);
      const env = { ...cluster.env, DATABASE_URL: database.url, GRPC_PORT: String(GRPC_PORT) };
      const replica = await createRole('api', { name, env });
      await replica.start();
      return { replica, database, calls: await openLine({ port: GRPC_PORT }) };
    };
    beforeAll(async () => {
      const none = { gateway: 0, api: 0, relay: 0, worker: 0 };
      cluster = await createCluster({ mongodbUrl, kafkaUrl, replicas: none });
      // Accounts prefer replicas, so each caller has its own: all replicas get requests.
      const names = Array.from({ length: 2 * callers }, (_, index) => `Account${String(index)}`);
      ({ pools } = await setClusterScene(cluster, Object.fromEntries(names.map((name) => [name, 5_000]))));
      apis = await Promise.all(['api 1', 'api 2', 'api 3'].map(startApi));
      const PORT = String(await freePort());
      baseUrl = `http://127.0.0.1:${PORT}`;
      gateway = await createRole('gateway', {
        name: 'gateway',
        limits: { answerTimeoutMs },
        env: {
          ...cluster.env,
          PORT,
          DELETER_ADDRESS: `ipv4:${apis.map(({ calls }) => `127.0.0.1:${String(calls.port)}`).join(',')}`,
        },
      });
      await gateway.start();
    });
    watchTestEnd();
    afterAll(async () => {
      await reapReplicas();
      await Promise.all(apis.flatMap(({ calls, database }) => [calls.close(), database.close()]));
      await dropCluster(cluster);
    });

    /** Starts callers with one request at a time each. */
    const startCallers = () => {
      let isOver = false;
      const sent: SentRequest[] = [];
      const call = async (index: number) => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        const pool = pools[index] as Pool;
        while (!isOver && !currentTest.isOver) {
          const jobIds = pool.jobIds.slice(pool.next, (pool.next += 1));
          const key = index % 2 === 0 ? `sick-${String(pool.next)}` : undefined;
          const request: SentRequest = { account: pool.account, format: 'json', jobIds, key, attempts: [] };
          sent.push(request);
          await attempt(request, baseUrl, agent);
        }
        agent.destroy();
      };
      const all = Array.from({ length: 2 * callers }, (_, index) => call(index));
      const stop = async () => {
        isOver = true;
        await Promise.all(all);
      };
      return { sent, stop };
    };
    const statusOf = ({ attempts }: SentRequest) => attempts[0]?.answer?.status;
    /** Waits for `goodRequests` consecutive answers of 200. */
    const untilGood = async (sent: readonly SentRequest[]) => {
      const start = sent.length;
      await until(() => {
        let inARow = 0;
        for (const request of sent.slice(start)) {
          inARow = statusOf(request) === 200 ? inARow + 1 : 0;
          if (inARow === goodRequests) return true;
        }
        return false;
      });
    };
    const answersOf = async ({ replica }: Api) => {
      const metrics = await replica.admin.metrics();
      return [...metrics]
        .filter(([series]) => /^grpc_requests_total\{.*"DeleteJobs".*code="OK"/.test(series))
        .reduce((sum, [, value]) => sum + value, 0);
    };
    const untilUsed = async (api: Api) => {
      const before = await answersOf(api);
      await until(async () => (await answersOf(api)) > before + 5);
    };

    const stopProcess = ({ replica }: Api) => process.kill(replica.pid() ?? 0, 'SIGSTOP');
    const continueProcess = ({ replica }: Api) => process.kill(replica.pid() ?? 0, 'SIGCONT');
    const sicknesses: [string, number, (api: Api) => unknown, (api: Api) => unknown][] = [
      ['one is stopped', 1, stopProcess, continueProcess],
      ['two are stopped', 2, stopProcess, continueProcess],
      ['one has lost its MongoDB', 1, ({ database }) => database.cut(), ({ database }) => database.mend()],
      [
        'one gets no answer from its MongoDB',
        1,
        ({ database }) => database.swallow(),
        async ({ database }) => {
          database.cut();
          database.mend();
          await Promise.resolve();
        },
      ],
      ['one answers 2 s late', 1, ({ calls }) => calls.slow('answers', 2_000), ({ calls }) => calls.mend()],
    ];

    test.each(sicknesses)(
      'uses the other apis while %s (%i of 3), and all again afterwards',
      async (_, count, fall, recover) => {
        const { sent, stop } = startCallers();
        await Promise.all(apis.map(untilUsed));
        const readiness: unknown[] = [];
        const watched = new AbortController();
        const watch = (async () => {
          while (!watched.signal.aborted) readiness.push((await gateway.admin.readiness())?.status);
        })();

        const sick = apis.slice(0, count);
        for (const api of sick) fall(api);
        await untilGood(sent);
        watched.abort();
        await watch;
        expect(new Set(readiness)).toEqual(new Set([200]));

        for (const api of sick) await recover(api);
        await Promise.all(sick.map(untilUsed));
        await untilGood(sent);
        await stop();
        for (const { attempts } of sent) {
          const [{ answer, sentAtMs, answeredAtMs } = { answer: undefined, sentAtMs: 0, answeredAtMs: 0 }] =
            attempts;
          expect(answer?.status).toBe(200);
          expect(answer?.headers['idempotent-replayed']).toBeUndefined();
          expect(answeredAtMs - sentAtMs).toBeLessThan(endedWithinMs);
        }
        expect(apis.flatMap(({ replica }) => replica.crashes())).toEqual([]);
        process.stderr.write(summary(sent));
      },
    );

    test('the status of a deletion is read from another while two are stopped', async () => {
      const [pool] = pools as readonly [Pool];
      const [jobId = ''] = pool.jobIds.slice(pool.next, (pool.next += 1));
      const headers = callerHeaders(pool.account);
      const accepted = await send(baseUrl, { path: jsonPath, headers, body: jsonBody([jobId]) });
      const path = `/v1/deletions/${String(accepted.headers['deletion-id'])}`;
      const stopped = apis.slice(0, 2);
      for (const api of stopped) stopProcess(api);
      const queries = ['', '?wait=2'].flatMap((query) => apis.flatMap(() => [query, query]));
      const sentAtMs = Date.now();
      const answers = await Promise.all(
        queries.map((query) => send(baseUrl, { method: 'GET', path: `${path}${query}`, headers })),
      );
      expect(Date.now() - sentAtMs).toBeLessThan(endedWithinMs);
      for (const api of stopped) continueProcess(api);
      expect(answers.map(({ status }) => status)).toEqual(queries.map(() => 200));
      expect(new Set(answers.map(({ json }) => (json as { state: string }).state))).toEqual(
        new Set(['queued']),
      );
    });
  });
});

function summary(sent: readonly SentRequest[]): string {
  const waits = sent.map(({ attempts: [first] }) => (first ? first.answeredAtMs - first.sentAtMs : 0));
  const refused = sent.filter(({ attempts }) => attempts[0]?.answer?.status === 503).length;
  return `${String(sent.length)} requests, ${String(refused)} of them 503, the longest ${String(Math.max(...waits))} ms\n`;
}
