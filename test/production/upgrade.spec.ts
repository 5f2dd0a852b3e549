import { basename } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { audit } from '../durability/audit.ts';
import { attempt, deletionIdOf, type SentRequest } from '../durability/sent-requests.ts';
import type { Scene } from '../durability/scene.ts';
import { reapReplicas } from '../harness/spawn-roles.ts';
import { until } from '../harness/until.ts';
import { describeWith } from '../servers/describe-with.ts';
import { readClusterAftermath, untilClusterSettled } from './cluster-aftermath.ts';
import { clusterEnv, createCluster, succeed, type Cluster, type Replica } from './cluster.ts';
import { dropCluster } from './drop-cluster.ts';
import { setClusterScene } from './scene.ts';

jest.setTimeout(300_000);

const settlingMs = 120_000;

describeWith('mongodb', 'upgrades of the production pair', (mongodbUrl) => {
  describeWith('kafka', 'on one database and its topics', (kafkaUrl) => {
    describeWith('previous release', 'to this version from the release before it, and back', (release) => {
      let cluster: Cluster;
      let scene: Scene;
      const requests: SentRequest[] = [];

      /** Of each role the first replica is of this version, the second of the release before. */
      const [current, previous] = [0, 1] as const;
      type Version = typeof current | typeof previous;
      const gatewayOf = (version: Version) => memberOf(cluster.gateways, version);
      const apiOf = (version: Version) => memberOf(cluster.apis, version);
      const relayOf = (version: Version) => memberOf(cluster.relays, version);
      const workerOf = (version: Version) => memberOf(cluster.workers, version);

      beforeAll(async () => {
        process.stderr.write(`upgrades: this version beside ${basename(release)}\n`);
        const env = clusterEnv({ mongodbUrl, kafkaUrl });
        await succeed(['indexes', 'create'], env, release);
        await succeed(['topics', 'create', '--partitions', '4'], env, release);
        const replicas = { gateway: 2, api: 2, relay: 2, worker: 2 };
        const rootOf = (name: string) => (name.endsWith('2') ? release : undefined);
        // As an upgrade begins, with the indexes and topics of this version.
        cluster = await createCluster({ mongodbUrl, kafkaUrl, replicas, env, rootOf });
        scene = await setClusterScene(cluster, { Acme: 20_000 });
      });
      afterAll(async () => {
        await reapReplicas();
        await dropCluster(cluster);
      });

      /** Ends all that runs, and starts these. */
      const runOnly = async (...replicas: readonly Replica[]) => {
        await Promise.all(cluster.replicas.map((replica) => replica.stop()));
        await Promise.all(replicas.map((replica) => replica.start()));
      };
      const deleteJobs = async (version: Version, count: number, key?: string) => {
        const [pool] = scene.pools;
        if (pool === undefined) throw new Error('no account');
        const jobIds = pool.jobIds.slice(pool.next, (pool.next += count));
        const format = requests.length % 2 === 0 ? 'json' : 'xml';
        const request: SentRequest = { account: pool.account, format, jobIds, key, attempts: [] };
        requests.push(request);
        expect((await attempt(request, gatewayOf(version).baseUrl))?.status).toBe(200);
      };
      /** Of one job, of some, and of so many that it takes several events. */
      const deleteSome = async (version: Version) => {
        await deleteJobs(version, 1);
        await deleteJobs(version, 30, `key-${String(requests.length)}`);
        await deleteJobs(version, 2_500, `key-${String(requests.length)}`);
      };
      /** Every job that was asked for is removed, announced, and on record as such; no other is. */
      const expectAllDone = async () => {
        await untilClusterSettled(cluster, settlingMs);
        expect(audit({ imported: scene.imported, requests }, await readClusterAftermath(cluster))).toEqual(
          [],
        );
      };
      /** Also of what the other version has accepted and removed: the first answer for a key, and 404 without one. */
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
            for (const version of versions) await deleteJobs(version, 10);
            const counts = versions.flatMap((version) => [
              countOf(apiOf(version), 'deletions_accepted_total'),
              countOf(workerOf(version), 'jobs_removed_total'),
            ]);
            return (await Promise.all(counts)).every((count) => count > 0);
          },
          { timeoutMs: settlingMs, what: 'each api has accepted and each worker has removed something' },
        );

      test("the release's gateway, api, relay and worker leave something behind", async () => {
        await runOnly(gatewayOf(previous), apiOf(previous), relayOf(previous), workerOf(previous));
        await deleteSome(previous);
        await expectAllDone();
      });

      test("upgrade: what this version's gateway, api and relay accept, the release's worker completes", async () => {
        await runOnly(gatewayOf(current), apiOf(current), relayOf(current), workerOf(previous));
        await expectRecordToBeKnown(current);
        await deleteSome(current);
        await expectAllDone();
        expect(await countOf(workerOf(previous), 'jobs_removed_total')).toBe(2_531);
      });

      test("roll-back: what the release's gateway, api and relay accept, this version's worker completes", async () => {
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

      test('afterwards the audit has nothing to say, and no process has failed', async () => {
        expect(await succeed(['audit'], cluster.env)).toEqual({
          ...{ healthy: true, finding_count: 0, findings: [] },
          ...{ open_count: 0, completed_count: requests.length },
        });
        expect(cluster.replicas.flatMap((replica) => replica.crashes())).toEqual([]);
      });
    });
  });
});

function memberOf<Member>(members: readonly Member[], index: number): Member {
  const member = members[index];
  if (member === undefined) throw new Error(`there is no replica ${String(index + 1)}`);
  return member;
}

async function countOf({ admin }: Replica, counter: string): Promise<number> {
  return (await admin.metrics()).get(counter) ?? 0;
}
