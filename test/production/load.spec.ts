import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { audit } from '../durability/audit.ts';
import { attempt, finalAnswer, type SentRequest } from '../durability/sent-requests.ts';
import { reapReplicas } from '../harness/spawn-roles.ts';
import { describeWith } from '../servers/describe-with.ts';
import { startMongo, type MongoServers } from '../servers/start-mongo.ts';
import { dropCluster, readClusterAftermath, untilClusterSettled } from './cluster-aftermath.ts';
import { createCluster, setClusterScene, type Cluster } from './cluster.ts';
import { peakResidentMib } from './create-role.ts';

/** Requests in flight. */
const requestCount = Number(process.env.TEST_LOAD_REQUESTS ?? 64);
const jobsPerRequest = 10_000;
/** The limit on memory. A process admits only some requests of 10,000 ids at a time. */
const maxResidentMib = { gateway: 512, api: 384, relay: 256, worker: 384 } as const;

// A separate server: this suite fills its cache.
describeWith('own mongodb', 'the production pair under its largest requests', () => {
  describeWith('kafka', 'many at a time', (kafkaUrl) => {
    let mongodb: MongoServers;
    let cluster: Cluster;
    beforeAll(async () => {
      mongodb = await startMongo();
      const replicas = { gateway: 1, api: 1, relay: 1, worker: 1 };
      cluster = await createCluster({ mongodbUrl: mongodb.url, kafkaUrl, replicas });
      await cluster.startAll();
    });
    afterAll(async () => {
      await reapReplicas();
      await dropCluster(cluster);
      await mongodb.stop();
    });

    test('every request is accepted and its jobs are removed, in bounded memory', async () => {
      const { accounts, imported } = await setClusterScene(cluster, { Acme: requestCount * jobsPerRequest });
      const [account] = accounts;
      const jobIds = imported.get('Acme') ?? [];
      if (account === undefined) throw new Error('no account');
      const requests = Array.from({ length: requestCount }, (_, index): SentRequest => ({
        account,
        format: index % 2 === 0 ? 'json' : 'xml',
        jobIds: jobIds.slice(index * jobsPerRequest, (index + 1) * jobsPerRequest),
        key: `load-${String(index)}`,
        attempts: [],
      }));
      const startedAt = performance.now();
      const seconds = () => ((performance.now() - startedAt) / 1_000).toFixed(1);
      const baseUrl = cluster.gateways[0]?.baseUrl ?? '';
      // A refused caller retries after Retry-After, with its key.
      const insist = async (request: SentRequest) => {
        for (;;) {
          const answer = await attempt(request, baseUrl);
          if (answer !== undefined && answer.status !== 503) return;
          await delay(1_000 * Number(answer?.headers['retry-after'] ?? 1));
        }
      };
      await Promise.all(requests.map(insist));
      const accepted = seconds();
      expect(requests.map((request) => finalAnswer(request)?.status)).toEqual(requests.map(() => 200));
      await untilClusterSettled(cluster);
      const removed = seconds();

      const residents = cluster.replicas.map((replica) => ({
        role: replica.name.split(' ')[0] as keyof typeof maxResidentMib,
        mib: peakResidentMib(replica.pid()),
      }));
      const retried = requests.filter(({ attempts }) => attempts.length > 1).length;
      process.stderr.write(
        `load: ${String(requestCount)} requests of ${String(jobsPerRequest)} ids accepted in ${accepted} s ` +
          `(${String(retried)} of them sent more than once), removed in ${removed} s; ` +
          `${residents.map(({ role, mib }) => `${role} ${String(mib)} MiB`).join(', ')}\n`,
      );
      for (const { role, mib } of residents) expect([role, mib < maxResidentMib[role]]).toEqual([role, true]);
      expect(audit({ imported, requests }, await readClusterAftermath(cluster))).toEqual([]);
      expect(cluster.replicas.flatMap((replica) => replica.crashes())).toEqual([]);
    });
  });
});
