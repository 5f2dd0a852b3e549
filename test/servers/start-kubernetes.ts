import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, runCommand, type ServerProcess, startServer } from './child-process.ts';

export interface KubernetesCluster {
  /** Environment whose PATH has a `kubectl` with full rights on the cluster. */
  readonly environment: Readonly<Record<string, string>>;
  /** Runs kubectl to its end. Throws with its output. */
  kubectl(...args: readonly string[]): Promise<string>;
  stop(): Promise<void>;
}

interface ControlPlane extends KubernetesCluster {
  readonly kubeconfig: string;
  readonly serviceAccountKey: string;
  readonly tokens: string;
  readonly apiPort: number;
  inFolder(name: string): string;
  start(name: string, args: readonly string[], isReady: () => Promise<boolean>): Promise<void>;
}

/**
 * Starts a control plane on loopback: an API server with admission, controllers and a scheduler. kwok simulates nodes
 * and pods. It starts no container, and reports each pod as if its containers worked.
 */
export async function startKubernetes(programs: string): Promise<KubernetesCluster> {
  const plane = prepare(programs, await freePort());
  try {
    await startApiServer(plane, await startEtcd(plane));
    await Promise.all([
      startController(plane, 'kube-controller-manager', [
        `--service-account-private-key-file=${plane.serviceAccountKey}`,
        '--horizontal-pod-autoscaler-sync-period=1s',
        // On a busy machine kwok renews a node late. It never makes the node's pods ready again.
        '--node-monitor-grace-period=1h',
      ]),
      startController(plane, 'kube-scheduler', []),
      startKwok(plane, join(programs, 'stages')),
    ]);
  } catch (error) {
    await plane.stop();
    throw error;
  }
  return plane;
}

/** Makes a folder with the cluster's keys and credentials. `stop` removes it. */
function prepare(programs: string, apiPort: number): ControlPlane {
  const folder = mkdtempSync(join(tmpdir(), 'jobs-delete-kubernetes-'));
  const inFolder = (name: string) => join(folder, name);
  const servers: ServerProcess[] = [];
  const token = randomUUID();
  const kubeconfig = inFolder('kubeconfig');
  const serviceAccountKey = inFolder('service-account.key');
  const tokens = inFolder('tokens.csv');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  writeFileSync(serviceAccountKey, privateKey.export({ type: 'pkcs1', format: 'pem' }));
  writeFileSync(tokens, `${token},admin,admin,system:masters\n`);
  writeFileSync(kubeconfig, JSON.stringify(configOf(apiPort, token)));
  const environment = {
    PATH: `${join(programs, 'bin')}:${process.env.PATH ?? ''}`,
    KUBECONFIG: kubeconfig,
    KUBECACHEDIR: inFolder('cache'),
  };
  return {
    environment,
    kubeconfig,
    serviceAccountKey,
    tokens,
    apiPort,
    inFolder,
    kubectl: (...args) => runCommand('kubectl', args, { env: environment }),
    start: async (name, args, isReady) => {
      const file = join(programs, 'bin', name);
      servers.push(await startServer({ name, file, args, outputFile: inFolder(`${name}.log`), isReady }));
    },
    stop: async () => {
      await Promise.all(servers.map((server) => server.kill()));
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Returns the URL for the API server. */
async function startEtcd({ start, inFolder }: ControlPlane): Promise<string> {
  const client = `http://127.0.0.1:${String(await freePort())}`;
  const peer = `http://127.0.0.1:${String(await freePort())}`;
  await start(
    'etcd',
    [
      ...[`--data-dir=${inFolder('etcd')}`, '--unsafe-no-fsync'],
      ...[`--listen-client-urls=${client}`, `--advertise-client-urls=${client}`],
      ...[`--listen-peer-urls=${peer}`, `--initial-advertise-peer-urls=${peer}`],
      `--initial-cluster=default=${peer}`,
    ],
    async () => (await fetch(`${client}/health`)).ok,
  );
  return client;
}

function startApiServer(plane: ControlPlane, etcd: string): Promise<void> {
  const { apiPort, serviceAccountKey, tokens, inFolder, kubectl } = plane;
  return plane.start(
    'kube-apiserver',
    [
      ...['--bind-address=127.0.0.1', `--secure-port=${String(apiPort)}`, `--cert-dir=${inFolder('api')}`],
      `--etcd-servers=${etcd}`,
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${serviceAccountKey}`,
      `--service-account-signing-key-file=${serviceAccountKey}`,
      `--token-auth-file=${tokens}`,
      ...['--authorization-mode=RBAC', '--service-cluster-ip-range=10.96.0.0/16'],
    ],
    async () => (await kubectl('get', '--raw', '/readyz')) === 'ok',
  );
}

async function startController(plane: ControlPlane, name: string, args: readonly string[]): Promise<void> {
  const port = await freePort();
  const own = [`--secure-port=${String(port)}`, `--cert-dir=${plane.inFolder(name)}`];
  const common = ['--bind-address=127.0.0.1', '--leader-elect=false', `--kubeconfig=${plane.kubeconfig}`];
  await plane.start(name, [...common, ...own, ...args], () => answersOk(port, '/healthz'));
}

async function startKwok({ start, kubeconfig }: ControlPlane, stages: string): Promise<void> {
  const address = `127.0.0.1:${String(await freePort())}`;
  await start(
    'kwok',
    [
      ...[`--kubeconfig=${kubeconfig}`, '--manage-all-nodes=true', `--server-address=${address}`],
      ...readdirSync(stages).map((file) => `--config=${join(stages, file)}`),
    ],
    async () => (await fetch(`http://${address}/healthz`)).ok,
  );
}

/** The API server creates a self-signed certificate, so the client skips its verification. */
function configOf(apiPort: number, token: string): object {
  const cluster = { server: `https://127.0.0.1:${String(apiPort)}`, 'insecure-skip-tls-verify': true };
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'tests', cluster }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'tests', context: { cluster: 'tests', user: 'admin' } }],
    'current-context': 'tests',
  };
}

function answersOk(port: number, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, rejectUnauthorized: false, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).once('error', reject);
  });
}
