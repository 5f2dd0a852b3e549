import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { createAuthority, mountSecret, type Authority } from '@jobs-delete/runtime/testing/certificates';
import { audit } from '../durability/audit.ts';
import { attempt, finalAnswer, type SentRequest } from '../durability/sent-requests.ts';
import { createReplica, reapReplicas } from '../harness/spawn-roles.ts';
import { until } from '../harness/until.ts';
import { adminAt } from '../operations/admin.ts';
import { describeWith } from '../servers/describe-with.ts';
import { freePort } from '../servers/free-port.ts';
import { readClusterAftermath, untilClusterSettled } from './cluster-aftermath.ts';
import { createCluster, type Cluster } from './cluster.ts';
import { dropCluster } from './drop-cluster.ts';
import { setClusterScene } from './scene.ts';

const newPath = temporaryFolder();
const settleMs = 60_000;

describeWith('mongodb', 'TLS between the services in production', (mongodbUrl) => {
  describeWith('kafka', 'while its certificates are replaced', (kafkaUrl) => {
    let cluster: Cluster;
    beforeAll(async () => {
      cluster = await createCluster({
        mongodbUrl,
        kafkaUrl,
        replicas: { gateway: 0, api: 0, relay: 0, worker: 1 },
      });
    });
    afterAll(async () => {
      await reapReplicas();
      await dropCluster(cluster);
    });

    test('every request is answered 200, and its jobs are removed', async () => {
      const [old, young] = [createAuthority('old'), createAuthority('young')];
      const both = old.certificate + young.certificate;
      // Told apart, in the metrics, by when they expire.
      let issuedCount = 0;
      const issue = (authority: Authority, name: string) => {
        const expiresAt = Math.ceil(Date.now() / 1_000) + 3_600 + ++issuedCount;
        return { ...authority.issue([name], { to: new Date(expiresAt * 1_000) }), expiresAt };
      };
      const first = { api: issue(old, 'localhost'), gateway: issue(old, 'gateway') };
      const mounts = {
        api: mountSecret(newPath('api'), { ...first.api, trusted: old.certificate }),
        gateway: mountSecret(newPath('gateway'), { ...first.gateway, trusted: old.certificate }),
      };

      const [GRPC_PORT, PORT] = [String(await freePort()), String(await freePort())];
      const ports = { api: String(await freePort()), gateway: String(await freePort()) };
      const secured = { ...cluster.env, GRPC_SERVICE_TOKENS: '', GRPC_PORT };
      const services = {
        api: createReplica({
          name: 'api',
          program: 'deleter-service',
          env: {
            ...secured,
            ...mounts.api.files,
            ROLES: 'api,relay',
            GRPC_CALLERS: 'gateway=delete',
            ADMIN_PORT: ports.api,
          },
        }),
        gateway: createReplica({
          name: 'gateway',
          program: 'gateway',
          env: {
            ...secured,
            ...mounts.gateway.files,
            DELETER_ADDRESS: `localhost:${GRPC_PORT}`,
            PORT,
            ADMIN_PORT: ports.gateway,
          },
        }),
      };
      const { accounts, imported } = await setClusterScene(cluster, { Acme: 20_000 });
      const [account] = accounts;
      if (account === undefined) throw new Error('no account');
      await Promise.all([services.api.start(), services.gateway.start(), cluster.startAll()]);

      const requests: SentRequest[] = [];
      const unused = [...(imported.get('Acme') ?? [])];
      let isOver = false;
      const load = async () => {
        while (!isOver && unused.length > 0) {
          const jobIds = unused.splice(0, 1);
          const request: SentRequest = { account, format: 'json', jobIds, key: undefined, attempts: [] };
          requests.push(request);
          await attempt(request, `http://127.0.0.1:${PORT}`);
          // An even pace, so that the jobs last.
          await delay(10);
        }
      };
      const loads = Promise.all([load(), load()]);

      const untilAnswered = (count: number) => {
        const goal = requests.length + count;
        return until(() => requests.length >= goal, { timeoutMs: settleMs, what: 'more answers' });
      };
      const replace = async (
        side: keyof typeof mounts,
        issued: ReturnType<typeof issue>,
        trusted: string,
      ) => {
        mounts[side].swap({ ...issued, trusted });
        const series = `${side === 'api' ? 'deleter' : side}_certificate_expiry_timestamp_seconds`;
        await until(async () => (await adminAt(ports[side]).metrics()).get(series) === issued.expiresAt, {
          timeoutMs: settleMs,
          what: `the ${side} has its new certificate`,
        });
        await untilAnswered(20);
      };
      await untilAnswered(20);
      await replace('api', issue(old, 'localhost'), both);
      await replace('gateway', issue(old, 'gateway'), both);
      await replace('api', issue(young, 'localhost'), both);
      await replace('gateway', issue(young, 'gateway'), both);
      await replace('api', issue(young, 'localhost'), young.certificate);
      await replace('gateway', issue(young, 'gateway'), young.certificate);
      isOver = true;
      await loads;
      expect(requests.filter((request) => finalAnswer(request)?.status !== 200)).toEqual([]);

      // Nothing of the old authority is left: a gateway that starts now gets through.
      expect(await services.gateway.stop()).toBe(0);
      await services.gateway.start();
      await until(async () => (await adminAt(ports.gateway).readiness())?.ready, { timeoutMs: settleMs });
      isOver = false;
      const more = load();
      await untilAnswered(20);
      isOver = true;
      await more;
      expect(requests.filter((request) => finalAnswer(request)?.status !== 200)).toEqual([]);

      await untilClusterSettled(cluster, settleMs);
      expect(audit({ imported, requests }, await readClusterAftermath(cluster))).toEqual([]);
      expect(Object.values(services).flatMap((service) => service.crashes())).toEqual([]);
    });
  });
});
