import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import type { Aftermath } from '../durability/aftermath.ts';
import { audit } from '../durability/audit.ts';
import {
  carefulClient,
  isToldAsCancelled,
  protectAccounts,
  type SafetyLog,
} from '../durability/careful-client.ts';
import type { Scene } from '../durability/scene.ts';
import {
  attempt,
  deletionIdOf,
  finalAnswer,
  runBulkClient,
  runClient,
  type Client,
  type SentRequest,
} from '../durability/sent-requests.ts';
import type { Operator } from '../harness/service.ts';
import { reapReplicas } from '../harness/spawn-roles.ts';
import { testSeed } from '../harness/test-seed.ts';
import { addCampaign } from '../linearizability/campaign-history.ts';
import { connectTo, startClients } from '../linearizability/campaign.ts';
import { expectLinearizable } from '../linearizability/expect-linearizable.ts';
import { createHistory, type History } from '../linearizability/history.ts';
import { describeWith } from '../servers/describe-with.ts';
import { startKafka, type KafkaServer } from '../servers/start-kafka.ts';
import { startMongo, type MongoServers } from '../servers/start-mongo.ts';
import { createBalancer } from './balancer.ts';
import { readClusterAftermath, untilClusterSettled } from './cluster-aftermath.ts';
import { createCluster, setClusterScene, type Cluster } from './cluster.ts';
import { killByPlan } from './kill-by-plan.ts';
import { targetsOf } from './targets.ts';

const seed = testSeed('production kill campaign');
const kills = Number(process.env.TEST_KILLS ?? 60);
const thinkMs = 100;
/** The longest pause between kills. The mean is half of it. */
const pauseMs = 3_000;
const maxFrozenMs = 8_000;
const removalDelayMs = 2_000;
const racingAccount = 'Racing';
const newPath = temporaryFolder();
const protections = {
  Guarded: { limit: 10 * kills, removalDelayMs: 0 },
  Careful: { limit: 20 * kills, removalDelayMs },
};
/** An api uses its hold for a minute, and an insert ends within another one. It notices an allowance within a minute. */
const tolerance = { afterEndMs: 120_000, afterBeginMs: 60_000 };
/** The kills between two allowances. */
const killsPerAllowance = 10;

describeWith('own mongodb', 'the production pair under kills', () => {
  describeWith('own kafka', 'of services, database members and the broker', () => {
    let mongo: MongoServers;
    let kafka: KafkaServer;
    let cluster: Cluster;
    let history: History;

    beforeAll(async () => {
      [mongo, kafka] = await Promise.all([startMongo({ members: 3 }), startKafka()]);
      cluster = await createCluster({
        mongodbUrl: mongo.url,
        kafkaUrl: `kafka://${kafka.brokers.join(',')}`,
        replicas: { gateway: 2, api: 2, relay: 2, worker: 2 },
        withLines: true,
      });
    });
    afterAll(async () => {
      await reapReplicas();
      await Promise.all([mongo.stop(), kafka.stop(), ...cluster.lines.map((line) => line.close())]);
    });

    test('every accepted job is removed and no other, under random kills at any time', async () => {
      const scene = await setClusterScene(cluster, {
        Acme: 1_500 * kills,
        Umbrella: 750 * kills,
        Guarded: 200 * kills,
        Careful: 200 * kills,
        [racingAccount]: 0,
      });
      history = createHistory(newPath('history.jsonl'));
      const operator = await cluster.openOperator();
      const { requests, safety } = await killAgainAndAgain(scene, operator);
      await operator.close();
      process.stderr.write(`production kill campaign: ${summary(requests, safety)}\n`);
      await untilClusterSettled(cluster);
      expect(cluster.replicas.flatMap((replica) => replica.internalFaults())).toEqual([]);

      addCampaign(history, scene.imported, requests, safety);
      const aftermath = withoutAccount(racingAccount, await readClusterAftermath(cluster));
      const evidence = { imported: scene.imported, requests, safety: { ...safety, tolerance } };
      expect(audit(evidence, aftermath)).toEqual([]);
      expectMostToBeServed(requests);
      // Without them the audit of limits and cancellations says nothing.
      expect(requests.some((request) => finalAnswer(request)?.status === 403)).toBe(true);
      expect(safety.cancellations.some(isToldAsCancelled)).toBe(true);
      expect(cluster.replicas.flatMap((replica) => replica.crashes())).toEqual([]);
      await expectKeysToTellTheTruth(requests);
    });

    describeWith('history checker', 'the history of the campaign', (checker) => {
      test('is linearizable', () => expectLinearizable(checker, history));
    });

    /** All targets run at its end. */
    const killAgainAndAgain = async ({ pools, accounts }: Scene, operator: Operator) => {
      const { store } = operator;
      const requests: SentRequest[] = [];
      const { log: safety, allowMore, lift } = await protectAccounts(store, protections);
      const runCarefulClient = carefulClient(store, safety, removalDelayMs);
      const balancer = createBalancer();
      const apis = cluster.apis.map(({ address }) => connectTo(address));
      await cluster.startAll();
      cluster.gateways.forEach((gateway) => balancer.add(gateway));
      const start = (run: Client, accountId: string, index: number, pace = thinkMs) => {
        const pool = pools.find(({ account }) => account.accountId === accountId);
        if (pool === undefined) throw new Error('no account');
        const random = createSeededRandom(seed + index + 1);
        return run(`c${String(index)}x`, pool, random, balancer.client(random, pace), requests);
      };
      const load = [
        ...['Acme', 'Umbrella', 'Acme', 'Umbrella'].map((account, index) => start(runClient, account, index)),
        ...['Guarded', 'Guarded'].map((account, index) => start(runClient, account, 4 + index, 3 * thinkMs)),
        ...['Careful', 'Careful'].map((account, index) => start(runCarefulClient, account, 6 + index)),
        ...['Acme', 'Umbrella'].map((account, index) =>
          start(runBulkClient, account, 8 + index, 10 * thinkMs),
        ),
        // Only the model judges their answers: the audit does not know their requests.
        startClients({
          seed,
          clients: 2,
          history,
          accounts: accounts.filter(({ accountId }) => accountId === racingAccount),
          operator,
          service: balancer.client(createSeededRandom(seed), 3 * thinkMs),
          apis,
        }),
      ];
      await killByPlan(targetsOf(cluster, mongo, kafka, balancer), {
        seed,
        kills,
        pauseMs,
        maxFrozenMs,
        // An outage delays it.
        onKill: (index) =>
          index % killsPerAllowance === killsPerAllowance - 1 ? allowMore(0.1, pauseMs * 5) : undefined,
      });
      // A hold of a killed api is free after two minutes. No client waits for that.
      await lift();
      balancer.end();
      await Promise.all(load);
      apis.forEach((api) => api.close());
      return { requests, safety };
    };

    /** Checks that a key still returns its first answer after the removal, and refuses other ids. */
    const expectKeysToTellTheTruth = async (requests: readonly SentRequest[]) => {
      const baseUrl = cluster.gateways[0]?.baseUrl ?? '';
      // A refusal of a protected account holds until an allowance or a cancellation.
      const isLasting = (request: SentRequest) =>
        finalAnswer(request)?.status === 200 || !(request.account.accountId in protections);
      const keyed = requests.filter((request) => request.key !== undefined && isLasting(request));
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

function withoutAccount(accountId: string, aftermath: Aftermath): Aftermath {
  const { deletions, jobs, removals, cancelled } = aftermath;
  const isOther = (one: { readonly accountId: string }) => one.accountId !== accountId;
  const own = new Set(deletions.filter((one) => !isOther(one)).map(({ id }) => id));
  return {
    ...aftermath,
    deletions: deletions.filter(isOther),
    jobs: jobs.filter(isOther),
    removals: removals.filter(({ key }) => key !== accountId),
    cancelled: cancelled.filter((id) => !own.has(id)),
  };
}

/** Most requests must succeed: a service that answers only 503 loses nothing either. */
function expectMostToBeServed(requests: readonly SentRequest[]): void {
  const withinLimit = requests.filter((request) => finalAnswer(request)?.status !== 403);
  const share = (is: (status: number | undefined) => boolean) =>
    withinLimit.filter((request) => is(finalAnswer(request)?.status)).length / withinLimit.length;
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

function summary(requests: readonly SentRequest[], { cancellations, repostings }: SafetyLog): string {
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
    count('beyond a limit', (request) => status(request) === 403),
    `cancelled ${String(cancellations.filter(isToldAsCancelled).length)} of ${String(cancellations.length)}`,
    `posted again ${String(repostings.length)}`,
    count('never told', (request) => status(request) === undefined),
    count('answered 503 at least once', answered503),
    count('retried', ({ attempts }) => attempts.length > 1),
    count('replayed', (request) => finalAnswer(request)?.headers['idempotent-replayed'] === 'true'),
  ].join(', ');
}
