import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { audit } from '../durability/audit.ts';
import { attempt, type SentRequest } from '../durability/sent-requests.ts';
import { reapReplicas } from '../harness/spawn-roles.ts';
import { describeWith } from '../servers/describe-with.ts';
import { startMongo, type MongoServers } from '../servers/start-mongo.ts';
import { dropCluster, readClusterAftermath, untilClusterSettled } from './cluster-aftermath.ts';
import { createCluster, setClusterScene, type Cluster } from './cluster.ts';
import { peakResidentMib } from './create-role.ts';

/** Jobs per request. Such a large request gets a separate insert, and inserts run one after another. */
const jobsPerRequest = 500;
/** Duration of an insert, so long that the machine's speed does not matter. */
const insertMs = 200;
const times = 5;
const warmUpRequests = 10;
const unloadedRequests = 20;
const loadedRequests = 250;
/** Two requests are in progress at a time, and others wait for a short time. Without refusals, some would wait for 100. */
const maxAcceptedMeanwhile = 4;

// A separate server with slow inserts.
describeWith('own mongodb', 'the production pair above its capacity', (_) => {
  describeWith('kafka', 'with a slow database', (kafkaUrl) => {
    let mongodb: MongoServers;
    let cluster: Cluster;
    beforeAll(async () => {
      mongodb = await startMongo();
      const replicas = { gateway: 1, api: 1, relay: 1, worker: 1 };
      const limits = { protection: { load: { maxConcurrent: 2, maxBufferedBytes: 268_435_456 } } };
      cluster = await createCluster({ mongodbUrl: mongodb.url, kafkaUrl, replicas, limits });
      await cluster.startAll();
    });
    afterAll(async () => {
      await reapReplicas();
      await dropCluster(cluster);
      await mongodb.stop();
    });

    test('at five times its capacity, accepted requests wait for few others, and the rest is refused', async () => {
      const jobCount = (warmUpRequests + unloadedRequests + loadedRequests) * jobsPerRequest;
      const { accounts, imported } = await setClusterScene(cluster, { Acme: jobCount });
      const [account] = accounts;
      const jobIds = imported.get('Acme') ?? [];
      const baseUrl = cluster.gateways[0]?.baseUrl ?? '';
      if (account === undefined) throw new Error('no account');
      await slowDown(mongodb);

      const requests: SentRequest[] = [];
      const sendOne = async () => {
        const from = requests.length * jobsPerRequest;
        const request: SentRequest = {
          account,
          format: 'json',
          jobIds: jobIds.slice(from, from + jobsPerRequest),
          key: undefined,
          attempts: [],
        };
        requests.push(request);
        const startedAtMs = performance.now();
        const answer = await attempt(request, baseUrl);
        const endedAtMs = performance.now();
        return { status: answer?.status, startedAtMs, endedAtMs, ms: endedAtMs - startedAtMs };
      };
      for (let count = 0; count < warmUpRequests; count++) await sendOne();
      const unloaded: Awaited<ReturnType<typeof sendOne>>[] = [];
      while (unloaded.length < unloadedRequests) unloaded.push(await sendOne());
      const sent: ReturnType<typeof sendOne>[] = [];
      while (sent.length < loadedRequests) {
        sent.push(sendOne());
        await delay(insertMs / times);
      }
      const answers = await Promise.all(sent);
      const accepted = answers.filter(({ status }) => status === 200);
      const refused = answers.filter(({ status }) => status === 503);
      const peaks = cluster.replicas.map((replica) => ({
        name: replica.name,
        mib: peakResidentMib(replica.pid()),
      }));
      process.stderr.write(
        `overload: ${String(accepted.length)} of ${String(answers.length)} accepted, p99 ` +
          `${p99(unloaded).toFixed()} ms unloaded, ${p99(accepted).toFixed()} ms at five times the capacity, ` +
          `${p99(refused).toFixed()} ms for a refusal; ` +
          `${peaks.map(({ name, mib }) => `${name} ${String(mib)} MiB`).join(', ')}\n`,
      );

      expect(unloaded.map(({ status }) => status)).toEqual(unloaded.map(() => 200));
      expect(accepted.length + refused.length).toBe(answers.length);
      expect(accepted.length).toBeGreaterThan(answers.length / 10);
      expect(refused.length).toBeGreaterThan(answers.length / 2);
      // How many others were accepted while a request waited: a slow machine does not change that.
      const acceptedMeanwhile = accepted.map(
        (one) =>
          accepted.filter(({ endedAtMs }) => endedAtMs > one.startedAtMs && endedAtMs < one.endedAtMs).length,
      );
      expect(Math.max(...acceptedMeanwhile)).toBeLessThanOrEqual(maxAcceptedMeanwhile);
      expect(peaks.filter(({ mib }) => mib > 256)).toEqual([]);
      await untilClusterSettled(cluster);
      expect(audit({ imported, requests }, await readClusterAftermath(cluster))).toEqual([]);
      expect(cluster.replicas.flatMap((replica) => replica.crashes())).toEqual([]);
    });
  });
});

/** Makes the server wait before each insert, as with a busy disk. */
async function slowDown(mongodb: MongoServers): Promise<void> {
  const data = { failCommands: ['insert'], blockConnection: true, blockTimeMS: insertMs };
  const failPoint = { configureFailPoint: 'failCommand', mode: 'alwaysOn', data };
  await mongodb.command(await mongodb.primary(), failPoint);
}

function p99(calls: readonly { readonly ms: number }[]): number {
  return calls.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(calls.length * 0.99)] ?? NaN;
}
