import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { enrol } from '@jobs-delete/dashboard/testing/enrol';
import { createTestBrowser, type TestBrowser } from '@jobs-delete/dashboard/testing/test-browser';
import {
  CallError,
  connectTestClient,
  type TestClient,
} from '@jobs-delete/deleter-service/grpc/testing/test-client';
import { createReplica, reapReplicas } from '../harness/spawn-roles.ts';
import type { Operator } from '../harness/service.ts';
import { describeWith } from '../servers/describe-with.ts';
import { freePort } from '../servers/child-process.ts';
import { createCluster, serviceToken, setClusterScene, type Cluster } from './cluster.ts';
import { createRole } from './create-role.ts';
import { dropCluster } from './cluster-aftermath.ts';

const dashboardToken = 'token-of-the-dashboard-0123456789-0123456789';
const deletingToken = 'token-of-the-deleting-dashboard-0123456789-01';
const pages = ['/keys', '/domains', '/people', '/trail', '/profile'];

describeWith('mongodb', 'a dashboard as a process of its own', (mongodbUrl) => {
  describeWith('kafka', 'beside an api that lets it read', (kafkaUrl) => {
    let cluster: Cluster;
    let operator: Operator;
    let jobId: string;
    let client: TestClient;
    let browser: TestBrowser;

    beforeAll(async () => {
      const none = { gateway: 0, api: 0, relay: 0, worker: 0 };
      cluster = await createCluster({ mongodbUrl, kafkaUrl, replicas: none });
      jobId = (await setClusterScene(cluster, { Acme: 10 })).pools[0]?.jobIds[0] ?? '';
      operator = await cluster.openOperator();
      const [GRPC_PORT, DASHBOARD_PORT] = [await freePort(), await freePort()];
      const callers = {
        GRPC_SERVICE_TOKENS: `${serviceToken},dashboard:${dashboardToken},deleting:${deletingToken}`,
        GRPC_CALLERS: 'gateway=delete,dashboard=manage,deleting=manage-and-delete',
      };
      const api = await createRole('api', {
        name: 'api',
        env: { ...cluster.env, ...callers, GRPC_PORT: String(GRPC_PORT) },
      });
      const dashboard = createReplica({
        name: 'dashboard',
        program: { commandLine: 'node dashboard/dist/main.js' },
        env: {
          ...cluster.env,
          DASHBOARD_PORT: String(DASHBOARD_PORT),
          ADMIN_PORT: '0',
          DELETER_ADDRESS: `127.0.0.1:${String(GRPC_PORT)}`,
          GRPC_SERVICE_TOKENS: dashboardToken,
        },
      });
      await Promise.all([api.start(), dashboard.start()]);
      client = connectTestClient(GRPC_PORT);
      const url = `http://127.0.0.1:${String(DASHBOARD_PORT)}`;
      const publicUrl = url.replace('127.0.0.1', 'localhost');
      const visited = { accounts: operator.accounts, browser: () => createTestBrowser(url), publicUrl };
      browser = await enrol(visited, 'Acme', 'ada@example.com');
    });
    afterAll(async () => {
      client.close();
      await operator.close();
      await reapReplicas();
      await dropCluster(cluster);
    });

    test('serves its pages to a person who was invited', async () => {
      const statuses = await Promise.all(pages.map(async (path) => (await browser.get(path)).status));
      expect(statuses).toEqual(pages.map(() => 200));
    });

    test('can read deletions with its token, and cannot delete', async () => {
      const options = { token: dashboardToken };
      await expect(client.listDeletions({ accountId: 'Acme' }, options)).resolves.toBeDefined();
      const refusal = client.deleteJobs({ accountId: 'Acme', jobIds: [jobId] }, options);
      await expect(refusal).rejects.toThrow(CallError);
      await expect(refusal).rejects.toMatchObject({ code: 7 });
      expect((await operator.store.findJob('Acme', jobId))?.deletionId).toBeUndefined();
    });

    test('can delete with a token of the role for it, in the name of a person', async () => {
      const request = { accountId: 'Acme', jobIds: [jobId], origin: { person: 'ada@example.com' } };
      const { deletionId } = await client.deleteJobs(request, { token: deletingToken });
      const deletion = await operator.store.findReceipt(deletionId, 'Acme');
      expect(deletion?.origin).toMatchObject({ person: 'ada@example.com', caller: 'token:deleting' });
    });
  });
});
