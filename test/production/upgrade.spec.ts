import { basename } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';
import { audit } from '../durability/audit.ts';
import {
  attempt,
  deletionIdOf,
  finalAnswer,
  runClient,
  type SentRequest,
} from '../durability/sent-requests.ts';
import type { Scene } from '../durability/scene.ts';
import { reapReplicas } from '../harness/spawn-roles.ts';
import { testSeed } from '../harness/test-seed.ts';
import { until } from '../harness/until.ts';
import { watchTestEnd } from '../harness/watch-test-end.ts';
import { recordedReleases } from '../releases/recording.ts';
import { describeWith } from '../servers/describe-with.ts';
import { createBalancer } from './balancer.ts';
import { dropCluster, readClusterAftermath, untilClusterSettled } from './cluster-aftermath.ts';
import { clusterEnv, createCluster, setClusterScene, succeed, type Cluster } from './cluster.ts';
import { startUntilReady, type Replica } from './create-role.ts';

const seed = testSeed('rolling upgrade');
const clients = 4;
const thinkMs = 100;

describeWith('mongodb', 'upgrades of the production pair', (mongodbUrl) => {
  describeWith('kafka', 'on one database and its topics', (kafkaUrl) => {
    describeWith('previous release', 'from the previous release to this version, and back', (release) => {
      let cluster: Cluster;
      let scene: Scene;
      const balancer = createBalancer();
      watchTestEnd();
      const requests: SentRequest[] = [];

      /** Each role has two replicas: the first of this version, the second of the previous release. */
      const [current, previous] = [0, 1] as const;
      type Version = typeof current | typeof previous;
      const gatewayOf = (version: Version) => memberOf(cluster.gateways, version);
      const apiOf = (version: Version) => memberOf(cluster.apis, version);
      const relayOf = (version: Version) => memberOf(cluster.relays, version);
      const workerOf = (version: Version) => memberOf(cluster.workers, version);

      beforeAll(async () => {
        process.stderr.write(`upgrades: this version beside ${basename(release)}\n`);
        // A stopping process serves until its callers use another one.
        const env = { ...clusterEnv({ mongodbUrl, kafkaUrl }), DRAIN_DELAY_MS: '1000' };
        await succeed(['indexes', 'create'], env, release);
        await succeed(['topics', 'create', '--partitions', '4'], env, release);
        const replicas = { gateway: 2, api: 2, relay: 2, worker: 2 };
        const rootOf = (name: string) => (name.endsWith('2') ? release : undefined);
        // An upgrade begins with the indexes and topics of this version.
        cluster = await createCluster({ mongodbUrl, kafkaUrl, replicas, env, rootOf });
        scene = await setClusterScene(cluster, { Acme: 160_000, Umbrella: 100 });
      });
      afterAll(async () => {
        balancer.end();
        await reapReplicas();
        await dropCluster(cluster);
      });

      /** Stops all replicas, and starts these. */
      const runOnly = async (...replicas: readonly Replica[]) => {
        await Promise.all(cluster.replicas.map((replica) => replica.stop()));
        await startUntilReady(replicas);
      };
      const poolOfScene = () => memberOf(scene.pools, 0);
      /** Fails when the jobs run out: there would be no load. */
      const jobsAreLeft = () => {
        expect(poolOfScene().next).toBeLessThan(poolOfScene().jobIds.length);
        return true;
      };
      const deleteJobs = async (version: Version, count: number, key?: string) => {
        const pool = poolOfScene();
        const jobIds = pool.jobIds.slice(pool.next, (pool.next += count));
        const format = requests.length % 2 === 0 ? 'json' : 'xml';
        const request: SentRequest = { account: pool.account, format, jobIds, key, attempts: [] };
        requests.push(request);
        expect((await attempt(request, gatewayOf(version).baseUrl))?.status).toBe(200);
      };
      /** Deletes one job, some jobs, and enough jobs for several events. */
      const deleteSome = async (version: Version) => {
        await deleteJobs(version, 1);
        await deleteJobs(version, 30, `key-${String(requests.length)}`);
        await deleteJobs(version, 2_500, `key-${String(requests.length)}`);
      };
      /** Every accepted job is removed, announced and recorded, and no other. */
      const expectAllDone = async () => {
        await untilClusterSettled(cluster);
        const aftermath = await readClusterAftermath(cluster);
        expect(audit({ imported: scene.imported, requests }, aftermath)).toEqual([]);
      };
      /** Each version knows the other's deletions: a key returns its first answer, and without a key the answer is 404. */
      const expectRecordToBeKnown = async (version: Version) => {
        for (const request of requests) {
          const { key, attempts } = request;
          const first = attempts[0]?.answer;
          const again = await attempt({ ...request, attempts: [] }, gatewayOf(version).baseUrl);
          if (key === undefined) expect(again?.status).toBe(404);
          else
            expect([again?.text, again && deletionIdOf(again)]).toEqual([
              first?.text,
              first && deletionIdOf(first),
            ]);
        }
      };
      const untilAllHaveWorked = (...versions: readonly Version[]) =>
        until(
          async () => {
            // Requests at the same time: an account alone prefers one api.
            for (const version of versions)
              await Promise.all(Array.from({ length: 20 }, () => deleteJobs(version, 10)));
            const counts = versions.flatMap((version) => [
              countOf(apiOf(version), 'deletions_accepted_total'),
              countOf(workerOf(version), 'jobs_removed_total'),
            ]);
            return (await Promise.all(counts)).every((count) => count > 0);
          },
          { what: 'each api has accepted and each worker has removed something' },
        );

      test("the release's gateway, api, relay and worker leave their records", async () => {
        await runOnly(gatewayOf(previous), apiOf(previous), relayOf(previous), workerOf(previous));
        await deleteSome(previous);
        await expectAllDone();
      });

      test("upgrade: the release's worker completes what this version's gateway, api and relay accept", async () => {
        await runOnly(gatewayOf(current), apiOf(current), relayOf(current), workerOf(previous));
        await expectRecordToBeKnown(current);
        await deleteSome(current);
        await expectAllDone();
        expect(await countOf(workerOf(previous), 'jobs_removed_total')).toBe(2_531);
      });

      test("roll-back: this version's worker completes what the release's gateway, api and relay accept", async () => {
        await runOnly(gatewayOf(previous), apiOf(previous), relayOf(previous), workerOf(current));
        await expectRecordToBeKnown(previous);
        await deleteSome(previous);
        await expectAllDone();
        expect(await countOf(workerOf(current), 'jobs_removed_total')).toBe(2_531);
      });

      test('both versions of every role share the work', async () => {
        await runOnly(...cluster.replicas);
        await deleteSome(current);
        await deleteSome(previous);
        await untilAllHaveWorked(current, previous);
        await expectAllDone();
        await expectRecordToBeKnown(current);
        await expectRecordToBeKnown(previous);
      });

      /** Replaces a replica: stops the old one after the new one has done some work. */
      const replace = async (outgoing: Replica, incoming: Replica, work?: string, onReady?: () => void) => {
        await startUntilReady([incoming]);
        onReady?.();
        if (work !== undefined) {
          const what = `${incoming.name} counts ${work}`;
          await until(async () => jobsAreLeft() && (await countOf(incoming, work)) > 0, {
            what,
          });
        }
        expect(await outgoing.stop()).toBe(0);
      };

      // Before the first release, both versions are this one: rolling-restart.spec.ts replaces its replicas.
      if (recordedReleases.length > 0)
        test('every request is answered 200 or 404 during a rolling upgrade in the order of the guide, and its roll-back', async () => {
          const begun = requests.length;
          await runOnly(gatewayOf(previous), apiOf(previous), relayOf(previous), workerOf(previous));
          balancer.add(gatewayOf(previous));
          const load = Array.from({ length: clients }, (_, index) => {
            const random = createSeededRandom(seed + index);
            return runClient(`c${index}x`, poolOfScene(), random, balancer.client(random, thinkMs), requests);
          });
          const replaceGateway = (from: Version, to: Version) =>
            replace(gatewayOf(from), gatewayOf(to), 'http_requests_total', () => {
              balancer.add(gatewayOf(to));
              balancer.remove(gatewayOf(from));
            });
          await replace(workerOf(previous), workerOf(current), 'jobs_removed_total');
          await replace(relayOf(previous), relayOf(current));
          await replace(apiOf(previous), apiOf(current), 'deletions_accepted_total');
          await replaceGateway(previous, current);

          await replaceGateway(current, previous);
          await replace(apiOf(current), apiOf(previous), 'deletions_accepted_total');
          await replace(relayOf(current), relayOf(previous));
          await replace(workerOf(current), workerOf(previous), 'jobs_removed_total');
          balancer.end();
          await Promise.all(load);

          const attempts = requests.slice(begun).flatMap((request) => request.attempts);
          const unanswered = attempts.filter(({ answer }) => ![200, 404].includes(answer?.status ?? 0));
          expect(unanswered.map(({ answer }) => answer?.text ?? 'no answer')).toEqual([]);
          jobsAreLeft();
          process.stderr.write(`rolling upgrade and roll-back: ${String(attempts.length)} requests\n`);
          await expectAllDone();
        });

      test('afterwards the audit finds nothing, and no process has crashed', async () => {
        const answers = requests.flatMap((request) => finalAnswer(request) ?? []);
        const accepted = new Set(answers.flatMap((answer) => deletionIdOf(answer) ?? []));
        expect(await succeed(['audit'], cluster.env)).toEqual({
          healthy: true,
          finding_count: 0,
          findings: [],
          open_count: 0,
          completed_count: accepted.size,
        });
        expect(cluster.replicas.flatMap((replica) => replica.crashes())).toEqual([]);
      });
    });
  });
});

function memberOf<Member>(members: readonly Member[], index: number): Member {
  const member = members[index];
  if (member === undefined) throw new Error(`missing replica ${String(index + 1)}`);
  return member;
}

/** Returns the sum of a counter over its labels. */
async function countOf({ admin }: Replica, counter: string): Promise<number> {
  const series = [...(await admin.metrics())].filter(([name]) => name.split('{')[0] === counter);
  return series.reduce((sum, [, count]) => sum + count, 0);
}
