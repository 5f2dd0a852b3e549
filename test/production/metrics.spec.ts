import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { callerHeaders, jsonBody, send } from '../harness/http-client.ts';
import { createReplica, reapReplicas } from '../harness/spawn-roles.ts';
import { until } from '../harness/until.ts';
import { adminAt, type Admin } from '../operations/admin.ts';
import { describeWith } from '../servers/describe-with.ts';
import { freePort } from '../servers/child-process.ts';
import { createCluster, setClusterScene, type Cluster } from './cluster.ts';
import { dropCluster } from './cluster-aftermath.ts';

describeWith('mongodb', 'metrics in production', (mongodbUrl) => {
  describeWith('kafka', 'of each service', (kafkaUrl) => {
    let cluster: Cluster;
    beforeAll(async () => {
      const replicas = { gateway: 1, api: 1, relay: 0, worker: 0 };
      cluster = await createCluster({ mongodbUrl, kafkaUrl, replicas });
      await cluster.startAll();
    });
    afterAll(async () => {
      await reapReplicas();
      await dropCluster(cluster);
    });

    const startRole = async (ROLES: 'relay' | 'worker'): Promise<Admin> => {
      const ADMIN_PORT = String(await freePort());
      const env = { ...cluster.env, ROLES, ADMIN_PORT };
      await createReplica({ name: ROLES, program: 'deleter-service', env }).start();
      return adminAt(ADMIN_PORT);
    };
    const untilValue = (admin: Admin, name: string, value: number) =>
      until(async () => (await admin.metrics()).get(name) === value, {
        what: `${name} is ${String(value)}`,
      });

    test('count waiting events, the apis that serve, and removed jobs', async () => {
      const { accounts, imported } = await setClusterScene(cluster, { Acme: 2_500 });
      const [account] = accounts;
      const jobIds = imported.get('Acme') ?? [];
      if (account === undefined) throw new Error('no account');
      const body = jsonBody(jobIds.slice(0, 2_500));
      const answer = await send(cluster.gateways[0]?.baseUrl ?? '', {
        headers: callerHeaders(account),
        body,
      });
      expect(answer.status).toBe(200);

      const relay = await startRole('relay');
      // Three events of up to 1,000 jobs are published. No worker runs yet.
      await untilValue(relay, 'outbox_deletions{state="accepted"}', 0);
      expect((await relay.metrics()).has('consumer_lag_events{partition="0"}')).toBe(false);
      const worker = await startRole('worker');
      await untilValue(worker, 'jobs_removed_total', 2_500);
      await untilValue(worker, 'consumer_lag_events{partition="0"}', 0);
      const metrics = await worker.metrics();
      expect(metrics.get('accepted_to_removed_seconds_count')).toBe(3);
      expect(metrics.get('store_mongodb_connections{state="open"}')).toBeGreaterThan(0);
      await untilValue(worker, 'store_mongodb_connections{state="in_use"}', 0);
      expect(metrics.has('outbox_deletions{state="accepted"}')).toBe(false);
    });
  });
});
