import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSeededRandom, type SeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';
import { audit } from '../durability/audit.ts';
import type { Scene } from '../durability/scene.ts';
import {
  attempt,
  deletionIdOf,
  finalAnswer,
  runBulkClient,
  runClient,
  type SentRequest,
} from '../durability/sent-requests.ts';
import { reapReplicas } from '../harness/spawn-roles.ts';
import { testSeed } from '../harness/test-seed.ts';
import { describeWith } from '../servers/describe-with.ts';
import { startKafka, type KafkaServer } from '../servers/start-kafka.ts';
import { startMongo, type MongoServers } from '../servers/start-mongo.ts';
import { createBalancer } from './balancer.ts';
import { readClusterAftermath, untilClusterSettled } from './cluster-aftermath.ts';
import { createCluster, setClusterScene, type Cluster } from './cluster.ts';
import { drawKills, targetsOf, type Target, type Targets } from './targets.ts';

const seed = testSeed('production kill campaign');
const kills = Number(process.env.TEST_KILLS ?? 100);
const clients = 8;
const thinkMs = 100;
/** The longest pause between kills. The mean is half of it. */
const pauseMs = 3_000;
/** The share of freezes. The rest are kills. */
const shareOfFreezes = 0.3;
const maxFrozenMs = 8_000;

describeWith('own mongodb', 'the production pair under kills', () => {
  describeWith('own kafka', 'of services, database members and the broker', () => {
    let mongo: MongoServers;
    let kafka: KafkaServer;
    let cluster: Cluster;

    beforeAll(async () => {
      [mongo, kafka] = await Promise.all([startMongo({ members: 3 }), startKafka()]);
      cluster = await createCluster({
        mongodbUrl: mongo.url,
        kafkaUrl: `kafka://${kafka.brokers.join(',')}`,
        replicas: { gateway: 2, api: 2, relay: 2, worker: 2 },
      });
    });
    afterAll(async () => {
      await reapReplicas();
      await Promise.all([mongo.stop(), kafka.stop()]);
    });

    test('every accepted job is removed and no other, under random kills at any time', async () => {
      const scene = await setClusterScene(cluster, { Acme: 1_500 * kills, Umbrella: 750 * kills });
      const requests = await killAgainAndAgain(scene);
      process.stderr.write(`production kill campaign: ${summary(requests)}\n`);
      await untilClusterSettled(cluster);
      expect(cluster.replicas.flatMap((replica) => replica.internalFaults())).toEqual([]);

      const aftermath = await readClusterAftermath(cluster);
      expect(audit({ imported: scene.imported, requests }, aftermath)).toEqual([]);
      expectMostToBeServed(requests);
      expect(cluster.replicas.flatMap((replica) => replica.crashes())).toEqual([]);
      await expectKeysToTellTheTruth(requests);
    });

    /** All targets run at its end. */
    const killAgainAndAgain = async ({ pools }: Scene): Promise<SentRequest[]> => {
      const requests: SentRequest[] = [];
      const balancer = createBalancer();
      await cluster.startAll();
      cluster.gateways.forEach((gateway) => balancer.add(gateway));
      const load = Array.from({ length: clients }, (_, index) => {
        const pool = pools[index % pools.length];
        if (pool === undefined) throw new Error('no account');
        const random = createSeededRandom(seed + index + 1);
        const run = index < clients - 2 ? runClient : runBulkClient;
        const pace = index < clients - 2 ? thinkMs : 10 * thinkMs;
        return run(`c${String(index)}x`, pool, random, balancer.client(random, pace), requests);
      });
      await killByPlan(targetsOf(cluster, mongo, kafka, balancer));
      balancer.end();
      await Promise.all(load);
      return requests;
    };

    const kill = async (target: Target, random: SeededRandom) => {
      const downMs = random.fraction() * 1_000;
      await target.kill();
      await delay(downMs);
      await target.revive();
    };

    /** Longer than calls and keep-alives wait. A worker may keep its partitions or lose them. */
    const freeze = async (target: Target, random: SeededRandom) => {
      target.freeze();
      await delay(random.fraction() * maxFrozenMs);
      target.resume();
    };

    const killByPlan = async (targets: Targets) => {
      const random = createSeededRandom(seed);
      const plan = drawKills(kills, targets, random);
      const reviving = new Map<Target, Promise<void>>();
      for (const [index, target] of plan.entries()) {
        await reviving.get(target);
        // In the middle, all targets at once.
        const struck = index === Math.floor(kills / 2) ? Object.values(targets).flat() : [target];
        await Promise.all(struck.flatMap((each) => reviving.get(each) ?? []));
        const freezes = struck.length === 1 && random.fraction() < shareOfFreezes;
        for (const each of struck) reviving.set(each, freezes ? freeze(each, random) : kill(each, random));
        // Some kills come together.
        if (random.fraction() < 0.7) await delay(random.fraction() * pauseMs);
      }
      await Promise.all(reviving.values());
    };

    /** Checks that a key still returns its first answer after the removal, and refuses other ids. */
    const expectKeysToTellTheTruth = async (requests: readonly SentRequest[]) => {
      const baseUrl = cluster.gateways[0]?.baseUrl ?? '';
      const keyed = requests.filter((request) => request.key !== undefined);
      const retried = keyed.filter(({ attempts }) => attempts.length > 1).slice(-40);
      for (const request of [...retried, ...keyed.slice(-20)]) {
        const first = finalAnswer(request);
        const again = await attempt({ ...request, attempts: [] }, baseUrl);
        expect([again?.status, again && deletionIdOf(again)]).toEqual([
          first?.status,
          first && deletionIdOf(first),
        ]);
        if (first?.status !== 200) continue;
        expect(again?.text).toBe(first.text);
        expect(again?.headers['idempotent-replayed']).toBe('true');
      }
    };
  });
});

/** Most requests must succeed: a service that answers only 503 loses nothing either. */
function expectMostToBeServed(requests: readonly SentRequest[]): void {
  const share = (is: (status: number | undefined) => boolean) =>
    requests.filter((request) => is(finalAnswer(request)?.status)).length / requests.length;
  expect(requests.length).toBeGreaterThan(kills);
  // About a fifth of the requests name a job that does not exist.
  expect(share((status) => status === 200)).toBeGreaterThan(0.4);
  expect(share((status) => status === 404)).toBeGreaterThan(0.05);
  const accounts = new Set(requests.map(({ account }) => account.accountId));
  for (const accountId of accounts) {
    const own = requests.filter(({ account }) => account.accountId === accountId);
    expect(own.some((request) => finalAnswer(request)?.status === 200)).toBe(true);
  }
}

function summary(requests: readonly SentRequest[]): string {
  const count = (name: string, is: (request: SentRequest) => boolean) =>
    `${name} ${String(requests.filter(is).length)}`;
  const status = (request: SentRequest) => finalAnswer(request)?.status;
  const jobs = requests.reduce(
    (sum, request) => sum + (status(request) === 200 ? request.jobIds.length : 0),
    0,
  );
  const answered503 = (request: SentRequest) => request.attempts.some(({ answer }) => answer?.status === 503);
  return [
    count('requests', () => true),
    count('accepted', (request) => status(request) === 200),
    `jobs ${String(jobs)}`,
    count('refused', (request) => status(request) === 404),
    count('never told', (request) => status(request) === undefined),
    count('answered 503 at least once', answered503),
    count('retried', ({ attempts }) => attempts.length > 1),
    count('replayed', (request) => finalAnswer(request)?.headers['idempotent-replayed'] === 'true'),
  ].join(', ');
}
