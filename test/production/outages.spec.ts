import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readDeleterConfig } from '@jobs-delete/deleter-service/config';
import { connectTestClient } from '@jobs-delete/deleter-service/grpc/testing/test-client';
import { startDeleter } from '@jobs-delete/deleter-service/start-deleter';
import { createSeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';
import { deletionAcceptedTopic, maxJobsPerEvent } from '@jobs-delete/proto/events';
import { createLogger } from '@jobs-delete/runtime/telemetry/logger';
import { audit } from '../durability/audit.ts';
import { numberedIds, type Scene } from '../durability/scene.ts';
import {
  attempt,
  deletionIdOf,
  finalAnswer,
  runClient,
  type Pool,
  type SentRequest,
} from '../durability/sent-requests.ts';
import { createReplica, reapReplicas, runJobsDelete } from '../harness/spawn-roles.ts';
import { until } from '../harness/until.ts';
import { describeWith } from '../servers/describe-with.ts';
import { freePort } from '../servers/child-process.ts';
import { startKafka, type KafkaServer } from '../servers/start-kafka.ts';
import { startMongo, type MongoServers } from '../servers/start-mongo.ts';
import { createBalancer } from './balancer.ts';
import { readClusterAftermath, readTopicOf, removalLag, untilClusterSettled } from './cluster-aftermath.ts';
import { anEventOf as event, describeRemovalGroup, publishTo } from './cluster-log.ts';
import { createCluster, serviceToken, setClusterScene, succeed, type Cluster } from './cluster.ts';

/** A publication gives up after 30 s, and a session of a worker ends then. */
const outageMs = 40_000;

describeWith('own mongodb', 'the production pair in outages', () => {
  describeWith('own kafka', 'of its servers, and with foreign events on the log', () => {
    let mongo: MongoServers;
    let kafka: KafkaServer;
    let cluster: Cluster;
    let scene: Scene;
    let pool: Pool;
    let otherPool: Pool;
    let baseUrl: string;
    const requests: SentRequest[] = [];

    beforeAll(async () => {
      [mongo, kafka] = await Promise.all([startMongo(), startKafka()]);
      cluster = await createCluster({
        mongodbUrl: mongo.url,
        kafkaUrl: `kafka://${kafka.brokers.join(',')}`,
        replicas: { gateway: 1, api: 1, relay: 1, worker: 1 },
      });
      scene = await setClusterScene(cluster, { Acme: 20_000, Umbrella: 60_000 });
      [pool, otherPool] = scene.pools as [Pool, Pool];
      baseUrl = cluster.gateways[0]?.baseUrl ?? '';
      await cluster.startAll();
    });
    afterAll(async () => {
      await reapReplicas();
      await Promise.all([mongo.stop(), kafka.stop()]);
    });

    /** A valid request. Only an outage can refuse it. */
    const newRequest = (size: number, format: 'json' | 'xml' = 'json'): SentRequest => {
      const jobIds = pool.jobIds.slice(pool.next, (pool.next += size));
      const key = `own-${String(pool.next)}`;
      const request = { account: pool.account, format, jobIds, key, attempts: [] };
      requests.push(request);
      return request;
    };
    const accept = async (request: SentRequest): Promise<SentRequest> => {
      const answer = await attempt(request, baseUrl);
      expect([answer?.status, answer?.text]).toEqual([200, expect.anything()]);
      return request;
    };
    /** Retries while the answer is 503, as clients do. */
    const insist = (request: SentRequest) =>
      until(async () => {
        const answer = await attempt(request, baseUrl);
        return answer !== undefined && answer.status !== 503 && answer;
      });
    const expectNothingLost = async () => {
      await untilClusterSettled(cluster);
      expect(audit({ imported: scene.imported, requests }, await readClusterAftermath(cluster))).toEqual([]);
      expect(cluster.replicas.flatMap((replica) => replica.crashes())).toEqual([]);
    };

    test('running and new apis accept during a Kafka outage that outlasts a publication, and the backlog drains after it', async () => {
      await accept(newRequest(10));
      await untilClusterSettled(cluster);
      await kafka.kill();
      const killedAt = performance.now();
      const acceptMany = async (count: number) => {
        for (let each = 0; each < count; each++) await accept(newRequest(1 + (each % 20)));
      };
      await Promise.all([acceptMany(50), acceptMany(50)]);
      const [api] = cluster.apis;
      await api?.kill();
      await api?.start();
      await insist(newRequest(5));
      await acceptMany(50);
      await accept(newRequest(2_500));
      // Sends about twenty requests a second.
      while (performance.now() - killedAt < outageMs) {
        await accept(newRequest(1));
        await delay(50);
      }
      await kafka.restart();
      const startedAt = performance.now();
      await expectNothingLost();
      process.stderr.write(`the backlog was drained after ${seconds(startedAt)}\n`);
    });

    test('requests get 503 within the time limit during a MongoDB outage, and the services recover by themselves', async () => {
      const pids = cluster.replicas.map((replica) => replica.pid());
      await mongo.members[0]?.kill();
      // The gateway has the account in its cache in the first rounds, but not later.
      for (let round = 0; round < 3; round++) {
        const asked = Array.from({ length: 10 }, (_, index) =>
          newRequest(1 + 25 * index, index % 2 ? 'xml' : 'json'),
        );
        await Promise.all(asked.map((request) => attempt(request, baseUrl)));
        for (const { attempts } of asked) {
          const [{ answer, sentAtMs, answeredAtMs } = { answer: undefined, sentAtMs: 0, answeredAtMs: 0 }] =
            attempts;
          expect([answer?.status, answer?.json]).toEqual([
            503,
            expect.objectContaining({ code: 'unavailable' }),
          ]);
          expect(answer?.headers['retry-after']).toMatch(/^[1-9]\d*$/);
          expect(answeredAtMs - sentAtMs).toBeLessThan(10_500);
        }
      }
      await mongo.members[0]?.restart();
      const waiting = requests.filter((request) => finalAnswer(request) === undefined);
      expect(waiting.length).toBeGreaterThanOrEqual(30);
      for (const request of waiting) expect((await insist(request)).status).toBe(200);
      await accept(newRequest(100));
      await expectNothingLost();
      expect(cluster.replicas.map((replica) => replica.pid())).toEqual(pids);
    });

    test('workers that join and leave under load cause no endless rebalances, and lose nothing', async () => {
      const balancer = createBalancer();
      cluster.gateways.forEach((gateway) => balancer.add(gateway));
      const load = [1, 2, 3].map((index) => {
        const random = createSeededRandom(index);
        const client = balancer.client(random, 100);
        return runClient(`join${String(index)}x`, otherPool, random, client, requests);
      });
      // In this process, which need not start again for each of them.
      const config = readDeleterConfig({ ...cluster.env, ROLES: 'worker' });
      try {
        for (let round = 0; round < 20; round++) {
          const other = await startDeleter(config, createLogger('silent', 'worker'));
          await other.stop();
        }
        // It has left the group, so nobody waits for its session to end.
        expect(await describeRemovalGroup(cluster)).toMatchObject({ members: 1 });
      } finally {
        balancer.end();
        await Promise.all(load);
      }
      await expectNothingLost();
      const startedAt = performance.now();
      await accept(newRequest(10));
      await untilClusterSettled(cluster);
      expect(await describeRemovalGroup(cluster)).toEqual({ state: 'Stable', members: 1 });
      process.stderr.write(`after the last worker left, a deletion took ${seconds(startedAt)}\n`);
    });

    test('an event that can’t be processed becomes a dead letter with its reason, and delays no other', async () => {
      const tooMany = {
        deletion_id: 'oversized',
        account_id: 'Acme',
        part: 0,
        parts: 1,
        jobs: numberedIds('Over', maxJobsPerEvent + 1).map((id) => ({
          id,
          claim: '64b7f0c2a1b2c3d4e5f60718',
        })),
      };
      await publishTo(cluster, [
        event('poison', deletionAcceptedTopic, 'this is not JSON'),
        event(
          'newer',
          'jobs.deletion-accepted.v2',
          JSON.stringify({ ...tooMany, jobs: tooMany.jobs.slice(0, 1) }),
        ),
        event('oversized', deletionAcceptedTopic, JSON.stringify(tooMany)),
        event(
          'unknown',
          deletionAcceptedTopic,
          JSON.stringify({ ...tooMany, jobs: tooMany.jobs.slice(0, 1) }),
        ),
      ]);
      await accept(newRequest(10));
      await untilClusterSettled(cluster);
      const reasons = await listLetters();
      expect(reasons).toEqual({
        poison: 'its value is not JSON',
        newer: 'its type is jobs.deletion-accepted.v2, not jobs.deletion-accepted.v1',
        oversized: 'its value does not fit the schema',
        unknown: expect.stringMatching(/^the account has no such deletion/),
      });

      expect(await succeed(['dead-letters', 'replay', 'poison'], cluster.env)).toEqual({
        dead_letter_id: 'poison',
        replayed_count: 1,
      });
      await untilClusterSettled(cluster);
      expect(await listLetters()).toEqual(reasons);
      for (const id of Object.keys(reasons)) {
        expect(await succeed(['dead-letters', 'discard', id], cluster.env)).toEqual({
          dead_letter_id: id,
          discarded_count: 1,
        });
      }
      expect(await listLetters()).toEqual({});
      const again = await runJobsDelete(['dead-letters', 'discard', 'poison'], cluster.env);
      expect(again.stderr).toContain('There is no dead letter poison.');
      await expectNothingLost();
    });

    test('the deleter refuses a caller without the token, and a gateway with a wrong token answers 503', async () => {
      const port = Number(cluster.apis[0]?.address.split(':')[1]);
      const client = connectTestClient(port);
      const request = newRequest(3);
      const call = { accountId: request.account.accountId, jobIds: [...request.jobIds] };
      const unauthenticated = 16;
      for (const options of [{}, { token: 'wrong'.repeat(10) }, { token: '' }]) {
        await expect(client.deleteJobs(call, options)).rejects.toMatchObject({ code: unauthenticated });
        await expect(client.listDeletions({ accountId: 'Acme' }, options)).rejects.toMatchObject({
          code: unauthenticated,
        });
      }
      expect(await client.deleteJobs({ ...call, dryRun: true }, { token: serviceToken })).toBeDefined();
      client.close();

      const PORT = String(await freePort());
      const refusedGateway = createReplica({
        name: 'a gateway with a wrong token',
        program: 'gateway',
        env: {
          ...cluster.env,
          GRPC_SERVICE_TOKENS: 'wrong'.repeat(10),
          DELETER_ADDRESS: `ipv4:${cluster.apis[0]?.address ?? ''}`,
          PORT,
        },
      });
      await refusedGateway.start();
      const answer = await attempt(request, `http://127.0.0.1:${PORT}`);
      expect([answer?.status, answer?.headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)]);
      expect(refusedGateway.warnings().join('\n')).toContain('UNAUTHENTICATED');
      await refusedGateway.kill();
      expect((await accept(request)).attempts.at(-1)?.answer?.headers['idempotent-replayed']).toBeUndefined();
      await expectNothingLost();
    });

    test('a job posted again stays when the event of its earlier deletion is redelivered', async () => {
      const request = await accept(newRequest(1_500));
      await untilClusterSettled(cluster);
      const answer = finalAnswer(request);
      const deletionId = answer && deletionIdOf(answer);
      const events = (await readTopicOf(cluster, deletionAcceptedTopic))
        .map((record) => record.event)
        .filter(({ key }) => key === deletionId);
      expect(events).toHaveLength(2);
      const operator = await cluster.openOperator();
      await operator.importJobs(request.account.accountId, request.jobIds);
      const before = await operator.store.countJobs(undefined);

      await publishTo(cluster, [...events, ...events]);
      await until(async () => (await removalLag(cluster)) === 0);
      expect(await operator.store.countJobs(undefined)).toBe(before);
      await operator.close();
      await accept({ ...request, key: undefined, attempts: [] });
      await untilClusterSettled(cluster);
      const { jobs } = await readClusterAftermath(cluster);
      expect(jobs).toHaveLength(before - request.jobIds.length);
    });

    /** Returns the reasons by the letters' ids. */
    const listLetters = async (): Promise<Record<string, string>> => {
      const letters = await succeed(['dead-letters', 'list'], cluster.env);
      return Object.fromEntries(
        (letters as { dead_letter_id: string; reason: string }[]).map((letter) => [
          letter.dead_letter_id,
          letter.reason,
        ]),
      );
    };
  });
});

function seconds(startedAt: number): string {
  return `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
}
