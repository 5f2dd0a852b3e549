import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { audit } from '../durability/audit.ts';
import type { Scene } from '../durability/scene.ts';
import { runBulkClient, runClient, type SentRequest } from '../durability/sent-requests.ts';
import { reapReplicas } from '../harness/spawn-roles.ts';
import { testSeed } from '../harness/test-seed.ts';
import { until } from '../harness/until.ts';
import { watchTestEnd } from '../harness/watch-test-end.ts';
import { describeWith } from '../servers/describe-with.ts';
import { createBalancer } from './balancer.ts';
import { dropCluster, readClusterAftermath, untilClusterSettled } from './cluster-aftermath.ts';
import { createCluster, setClusterScene, succeed, type Cluster } from './cluster.ts';
import { createPods, type Pod, type Role, roles } from './create-role.ts';

const seed = testSeed('rolling restart');
const newPath = temporaryFolder();
const clients = 8;
const thinkMs = 40;
/** Latency between client and gateway, in each direction. Requests and connection closes can cross. */
const latencyMs = 15;
const replicas = 2;
/** Much longer than the other processes need to notice that a pod is not ready. */
const drainDelayMs = 5_000;
/** Requests that are sent before a stopping pod loses its place. */
const requestsMeanwhile = 10;

describeWith('mongodb', 'a rolling restart in production', (mongodbUrl) => {
  describeWith('kafka', 'of every role, under load', (kafkaUrl) => {
    const balancer = createBalancer();
    let cluster: Cluster;
    let service: ConnectionBalancer;
    beforeAll(async () => {
      const none = { gateway: 0, api: 0, relay: 0, worker: 0 };
      cluster = await createCluster({ mongodbUrl, kafkaUrl, replicas: none });
      service = await startConnectionBalancer(latencyMs);
    });
    watchTestEnd();
    afterAll(async () => {
      balancer.end();
      await service.stop();
      await reapReplicas();
      await dropCluster(cluster);
    });

    test('answers no request with an error, and loses nothing', async () => {
      const { pools, imported } = await setClusterScene(cluster, { Acme: 150_000, Umbrella: 150_000 });
      const requests: SentRequest[] = [];
      const untilSent = (count: number) => {
        const goal = requests.length + count;
        return until(() => requests.length >= goal);
      };
      const deployment = await createDeployment(cluster, service, () => untilSent(requestsMeanwhile));
      const { begin, end } = deployment;
      const beginAll = (role: Role) => Promise.all(Array.from({ length: replicas }, () => begin(role)));
      const [api, relay, worker] = await Promise.all([
        beginAll('api'),
        beginAll('relay'),
        beginAll('worker'),
      ]);
      const first: Record<Role, Pod[]> = { api, relay, worker, gateway: await beginAll('gateway') };

      balancer.add(service);
      const load = Promise.all(startClients(pools, requests));
      await untilSent(requestsMeanwhile);
      // All roles restart at the same time, as with `kubectl apply`. Within a role, one pod after another.
      await Promise.all(
        roles.map(async (role) => {
          for (const pod of first[role]) {
            await begin(role);
            await end(pod);
          }
        }),
      );
      await untilSent(requestsMeanwhile);
      expect(pools.map(({ next, jobIds }) => next < jobIds.length)).toEqual([true, true]);
      balancer.end();
      await load;

      expect(requests.flatMap(failuresOf)).toEqual([]);
      await untilClusterSettled(cluster);
      expect(audit({ imported, requests }, await readClusterAftermath(cluster))).toEqual([]);
      expect(await succeed(['audit', '--older-than', '1s'], cluster.env)).toMatchObject({
        healthy: true,
        open_count: 0,
      });
      expect(deployment.all.flatMap((pod) => pod.crashes())).toEqual([]);
    });

    const startClients = (pools: Scene['pools'], requests: SentRequest[]) =>
      Array.from({ length: clients }, (_, index) => {
        const pool = pools[index % pools.length];
        if (pool === undefined) throw new Error('no account');
        const random = createSeededRandom(seed + index);
        const isBulk = index >= clients - 2;
        const whereabouts = balancer.client(random, isBulk ? 20 * thinkMs : thinkMs);
        return (isBulk ? runBulkClient : runClient)(
          `c${String(index)}x`,
          pool,
          random,
          whereabouts,
          requests,
        );
      });
  });
});

/** Starts and stops pods as Kubernetes does: pods that are not ready get no new requests. */
async function createDeployment(
  { env }: Cluster,
  service: ConnectionBalancer,
  untilOthersKnow: () => Promise<unknown>,
) {
  const pods = await createPods({ env, folder: newPath('names'), drainDelayMs });
  const all: Pod[] = [];
  const apis = new Set<Pod>();
  return {
    all,
    begin: async (role: Role): Promise<Pod> => {
      const pod = await pods.create(role);
      all.push(pod);
      await pod.start();
      await until(async () => (await pod.admin.readiness())?.status === 200);
      if (role === 'gateway') service.add(pod.port);
      if (role === 'api') pods.nameApis(apis.add(pod));
      return pod;
    },
    end: async (pod: Pod): Promise<void> => {
      const stopped = pod.stop();
      if (pod.role === 'gateway' || pod.role === 'api') {
        await until(async () => (await pod.admin.readiness())?.status !== 200);
        await untilOthersKnow();
        if (pod.role === 'gateway') service.remove(pod.port);
        else if (apis.delete(pod)) pods.nameApis(apis);
      }
      expect([pod.name, await stopped]).toEqual([pod.name, 0]);
    },
  };
}

/** Lists answers other than 200 and 404. The audit checks each 404: some clients request jobs that are gone. */
function failuresOf({ jobIds, key, attempts }: SentRequest): unknown[] {
  return attempts
    .filter(({ answer }) => answer?.status !== 200 && answer?.status !== 404)
    .map(({ sentAtMs, answeredAtMs, answer }) => ({
      sentAt: new Date(sentAtMs).toISOString(),
      tookMs: answeredAtMs - sentAtMs,
      jobs: jobIds.length,
      key,
      status: answer?.status,
      text: answer?.text,
    }));
}

interface ConnectionBalancer {
  readonly baseUrl: string;
  /** Sends new connections to this port too. */
  add(port: number): void;
  /** Sends it no new connections. Open connections stay. */
  remove(port: number): void;
  stop(): Promise<void>;
}

/**
 * Balances connections, not requests, like a Kubernetes Service. Bytes arrive with a delay, so both sides may send
 * at the same time.
 */
async function startConnectionBalancer(latencyMs: number): Promise<ConnectionBalancer> {
  const ports: number[] = [];
  const open = new Set<Socket>();
  let turn = 0;
  const carry = (from: Socket, to: Socket) => {
    open.add(from);
    const afterAWhile = (act: () => void) => void setTimeout(act, latencyMs);
    from.on('data', (bytes) => afterAWhile(() => to.writable && to.write(bytes)));
    from.on('end', () => afterAWhile(() => to.end()));
    // Its close event follows.
    from.on('error', () => undefined);
    from.on('close', (broken) => {
      open.delete(from);
      if (broken) afterAWhile(() => to.destroy());
    });
  };
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const port = ports[turn++ % ports.length];
    if (port === undefined) {
      client.destroy();
      return;
    }
    const gateway = connect({ host: '127.0.0.1', port, allowHalfOpen: true, noDelay: true });
    carry(client, gateway);
    carry(gateway, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    add: (port) => void ports.push(port),
    remove: (port) => {
      const index = ports.indexOf(port);
      if (index >= 0) ports.splice(index, 1);
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
