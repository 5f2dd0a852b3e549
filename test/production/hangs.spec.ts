import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';
import { deletionAcceptedTopic } from '@jobs-delete/proto/events';
import { audit } from '../durability/audit.ts';
import { attempt, runClient, type Pool, type SentRequest } from '../durability/sent-requests.ts';
import type { Scene } from '../durability/scene.ts';
import { reapReplicas } from '../harness/spawn-roles.ts';
import { until } from '../harness/until.ts';
import { describeWith } from '../servers/describe-with.ts';
import { startMongo, type MongoServers } from '../servers/start-mongo.ts';
import { createBalancer } from './balancer.ts';
import {
  dropCluster,
  readClusterAftermath,
  readTopicOf,
  removalLag,
  untilClusterSettled,
} from './cluster-aftermath.ts';
import { findRemovalGroup, publishTo } from './cluster-log.ts';
import { createCluster, setClusterScene, type Cluster } from './cluster.ts';

const sessionMs = 30_000;

describeWith('own mongodb', 'the production pair while a part hangs', () => {
  describeWith('kafka', 'and after it resumes', (kafkaUrl) => {
    let mongodb: MongoServers;
    let cluster: Cluster;
    let scene: Scene;
    let pool: Pool;
    const requests: SentRequest[] = [];

    beforeAll(async () => {
      mongodb = await startMongo();
      const replicas = { gateway: 1, api: 1, relay: 1, worker: 2 };
      cluster = await createCluster({ mongodbUrl: mongodb.url, kafkaUrl, replicas });
      scene = await setClusterScene(cluster, { Acme: 60_000, Umbrella: 100 });
      [pool] = scene.pools as [Pool];
      await cluster.startAll();
      await until(async () => (await groupNow())?.members.length === 2);
    });
    afterAll(async () => {
      for (const member of mongodb.members) member.resume();
      for (const worker of cluster.workers) signal(worker, 'SIGCONT');
      await reapReplicas();
      await dropCluster(cluster);
      await mongodb.stop();
    });

    const groupNow = () => findRemovalGroup(cluster);
    const signal = (worker: Cluster['workers'][number], name: NodeJS.Signals) => {
      const pid = worker.pid();
      if (pid !== undefined) process.kill(pid, name);
    };
    const expectNothingLost = async () => {
      await untilClusterSettled(cluster);
      expect(audit({ imported: scene.imported, requests }, await readClusterAftermath(cluster))).toEqual([]);
      expect(cluster.replicas.flatMap((replica) => replica.crashes())).toEqual([]);
    };

    test('another worker takes the partitions of a worker that hangs, which rejoins when it resumes', async () => {
      const [hung] = cluster.workers;
      if (hung === undefined) throw new Error('a worker was expected');
      const balancer = createBalancer();
      cluster.gateways.forEach((gateway) => balancer.add(gateway));
      const load = [1, 2, 3].map((index) => {
        const random = createSeededRandom(index);
        return runClient(`hung${String(index)}x`, pool, random, balancer.client(random, 30), requests);
      });
      try {
        await until(() => requests.length > 100);
        signal(hung, 'SIGSTOP');
        const hungAt = performance.now();
        const before = requests.length;
        await until(async () => (await groupNow())?.members.length === 1);
        await until(async () => (await groupNow())?.state === 'Stable');
        expect(performance.now() - hungAt).toBeLessThan(sessionMs + 10_000);
        expect(requests.length).toBeGreaterThan(before);
      } finally {
        balancer.end();
        await Promise.all(load);
      }
      await expectNothingLost();
      signal(hung, 'SIGCONT');
      const isWhole = async () => {
        const group = await groupNow();
        return group?.members.length === 2 && group.state === 'Stable';
      };
      await until(isWhole);
      await expectNothingLost();
    });

    /** Waits for a failed attempt, and longer than a session with Kafka. */
    const untilSessionsWouldHaveEnded = async (act: () => Promise<unknown>) => {
      const failures = () =>
        cluster.workers.flatMap((worker) =>
          worker.warnings().filter((line) => line.includes('a removal failed and is tried again')),
        ).length;
      const failuresBefore = failures();
      const hungAt = performance.now();
      await act();
      await until(() => performance.now() - hungAt > sessionMs + 5_000 && failures() > failuresBefore);
    };
    const accept = async (size: number) => {
      const jobIds = pool.jobIds.slice(pool.next, (pool.next += size));
      const key = `own-${String(pool.next)}`;
      const request: SentRequest = { account: pool.account, format: 'json', jobIds, key, attempts: [] };
      requests.push(request);
      expect((await attempt(request, cluster.gateways[0]?.baseUrl ?? ''))?.status).toBe(200);
    };

    test('no worker leaves its group while the MongoDB primary hangs for longer than a session', async () => {
      await accept(2_500);
      await untilClusterSettled(cluster);
      const events = (await readTopicOf(cluster, deletionAcceptedTopic)).map(({ event }) => event).slice(-3);
      const before = await groupNow();
      for (const member of mongodb.members) member.freeze();
      await untilSessionsWouldHaveEnded(() => publishTo(cluster, events));
      expect(await groupNow()).toEqual(before);
      for (const member of mongodb.members) member.resume();
      await until(async () => (await removalLag(cluster)) === 0);
      expect(await groupNow()).toEqual(before);
      await expectNothingLost();
    });

    test('no worker leaves its group while deletes hang in MongoDB', async () => {
      const before = await groupNow();
      const block = { failCommands: ['delete'], blockConnection: true, blockTimeMS: 40_000 };
      const failPoint = async (mode: string, data = {}) =>
        mongodb.command(await mongodb.primary(), { configureFailPoint: 'failCommand', mode, data });
      await failPoint('alwaysOn', block);
      await untilSessionsWouldHaveEnded(() => accept(1_500));
      expect(await groupNow()).toEqual(before);
      // The server answers this only after all waiting deletes.
      const isOff = () =>
        failPoint('off').then(
          () => true,
          () => false,
        );
      await until(isOff);
      await expectNothingLost();
      expect(await groupNow()).toEqual(before);
    });
  });
});
