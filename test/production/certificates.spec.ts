import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { createAuthority, mountSecret } from '@jobs-delete/runtime/testing/certificates';
import { audit } from '../durability/audit.ts';
import { attempt, finalAnswer, type SentRequest } from '../durability/sent-requests.ts';
import type { TestAccount } from '../harness/service.ts';
import { createReplica, reapReplicas } from '../harness/spawn-roles.ts';
import { until } from '../harness/until.ts';
import { adminAt } from '../operations/admin.ts';
import { describeWith } from '../servers/describe-with.ts';
import { freePort } from '../servers/child-process.ts';
import { dropCluster, readClusterAftermath, untilClusterSettled } from './cluster-aftermath.ts';
import { createCluster, setClusterScene, type Cluster } from './cluster.ts';

const newPath = temporaryFolder();

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
      const { issue, trusted } = createIssuer();
      const first = { api: issue('old', 'localhost'), gateway: issue('old', 'gateway') };
      const services = await createServices(cluster.env, first, trusted.old);
      const { accounts, imported } = await setClusterScene(cluster, { Acme: 20_000 });
      const [account] = accounts;
      if (account === undefined) throw new Error('an account was expected');
      await Promise.all([services.api.start(), services.gateway.start(), cluster.startAll()]);
      await services.untilGatewayReady();
      const load = createLoad(services.baseUrl, account, imported.get('Acme') ?? []);

      const stopFirst = load.start();
      await load.untilAnswered();
      const replace = async (side: 'api' | 'gateway', authority: 'old' | 'young', trust: string) => {
        await services.replaceCertificate(side, issue(authority, certificateNames[side]), trust);
        await load.untilAnswered();
      };
      await replace('api', 'old', trusted.both);
      await replace('gateway', 'old', trusted.both);
      await replace('api', 'young', trusted.both);
      await replace('gateway', 'young', trusted.both);
      await replace('api', 'young', trusted.young);
      await replace('gateway', 'young', trusted.young);
      await stopFirst();

      // A gateway that starts now gets through without the old authority.
      expect(await services.gateway.stop()).toBe(0);
      await services.gateway.start();
      await services.untilGatewayReady();
      const stopSecond = load.start();
      await load.untilAnswered();
      await stopSecond();

      const { requests } = load;
      expect(requests.filter((request) => finalAnswer(request)?.status !== 200)).toEqual([]);
      await untilClusterSettled(cluster);
      expect(audit({ imported, requests }, await readClusterAftermath(cluster))).toEqual([]);
      expect([services.api, services.gateway].flatMap((service) => service.crashes())).toEqual([]);
    });
  });
});

const certificateNames = { api: 'localhost', gateway: 'gateway' } as const;

interface Issued {
  readonly certificate: string;
  readonly key: string;
  /** Seconds since 1970, as in the metrics. Each certificate has a different value. */
  readonly expiresAt: number;
}

/** Two authorities, and what to trust while the young one replaces the old one. */
function createIssuer() {
  const authorities = { old: createAuthority('old'), young: createAuthority('young') };
  const { old, young } = authorities;
  let issuedCount = 0;
  return {
    issue: (authority: keyof typeof authorities, name: string): Issued => {
      const expiresAt = Math.ceil(Date.now() / 1_000) + 3_600 + ++issuedCount;
      return { ...authorities[authority].issue([name], { to: new Date(expiresAt * 1_000) }), expiresAt };
    },
    trusted: {
      old: old.certificate,
      young: young.certificate,
      both: old.certificate + young.certificate,
    },
  };
}

/** Creates an api with relay, and a gateway, which authenticate each other only with certificates. */
async function createServices(
  env: Cluster['env'],
  first: Readonly<Record<'api' | 'gateway', Issued>>,
  trusted: string,
) {
  const [GRPC_PORT, PORT] = [String(await freePort()), String(await freePort())];
  const adminPorts = { api: String(await freePort()), gateway: String(await freePort()) };
  const mounts = {
    api: mountSecret(newPath('api'), { ...first.api, trusted }),
    gateway: mountSecret(newPath('gateway'), { ...first.gateway, trusted }),
  };
  const envOf = (side: keyof typeof mounts) => ({
    ...env,
    GRPC_SERVICE_TOKENS: '',
    GRPC_PORT,
    ...mounts[side].files,
    ADMIN_PORT: adminPorts[side],
  });
  const apiEnv = { ...envOf('api'), ROLES: 'api,relay', GRPC_CALLERS: 'gateway=delete' };
  const gatewayEnv = { ...envOf('gateway'), DELETER_ADDRESS: `localhost:${GRPC_PORT}`, PORT };
  const metric = { api: 'deleter', gateway: 'gateway' };
  return {
    api: createReplica({ name: 'api', program: 'deleter-service', env: apiEnv }),
    gateway: createReplica({ name: 'gateway', program: 'gateway', env: gatewayEnv }),
    baseUrl: `http://127.0.0.1:${PORT}`,
    replaceCertificate: async (side: keyof typeof mounts, issued: Issued, trust: string) => {
      mounts[side].swap({ ...issued, trusted: trust });
      const series = `${metric[side]}_certificate_expiry_timestamp_seconds`;
      const { metrics } = adminAt(adminPorts[side]);
      await until(async () => (await metrics()).get(series) === issued.expiresAt, {
        what: `the ${side} uses its new certificate`,
      });
    },
    untilGatewayReady: () => until(async () => (await adminAt(adminPorts.gateway).readiness())?.ready),
  };
}

/** Two clients, each with one request at a time for one job. */
function createLoad(baseUrl: string, account: TestAccount, jobIds: readonly string[]) {
  const requests: SentRequest[] = [];
  const unused = [...jobIds];
  return {
    requests,
    /** Returns a function that stops the load and waits for the last answers. */
    start: () => {
      let isOver = false;
      const send = async () => {
        while (!isOver && unused.length > 0) {
          const ids = unused.splice(0, 1);
          const request: SentRequest = { account, format: 'json', jobIds: ids, key: undefined, attempts: [] };
          requests.push(request);
          await attempt(request, baseUrl);
          // Limits the rate, so the jobs suffice.
          await delay(10);
        }
      };
      const both = Promise.all([send(), send()]);
      return async () => {
        isOver = true;
        await both;
      };
    },
    untilAnswered: () => {
      const goal = requests.length + 20;
      return until(() => requests.length >= goal, { what: '20 more requests' });
    },
  };
}
