import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { runCommand } from './run-command.ts';
import { startServer, type ServerProcess } from './server-process.ts';

export interface KubernetesCluster {
  /** In which a `kubectl` is that may do everything here. */
  readonly environment: Readonly<Record<string, string>>;
  /** Runs kubectl to its end. @throws Error with what it wrote */
  kubectl(...args: readonly string[]): Promise<string>;
  stop(): Promise<void>;
}

/**
 * A control plane of this process's own, on loopback and in a folder that goes with it: a real API server with its
 * admission, controllers and scheduler. Only nodes and their pods are played, by kwok: none runs a program, and each
 * does what a kubelet whose containers work would tell of it.
 */
export async function startKubernetes(programs: string): Promise<KubernetesCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'jobs-delete-kubernetes-'));
  const program = (name: string) => join(programs, 'bin', name);
  const inFolder = (name: string) => join(folder, name);
  const servers: ServerProcess[] = [];
  const stop = async () => {
    await Promise.all(servers.map((server) => server.kill()));
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  const start = async (name: string, args: readonly string[], isReady: () => Promise<boolean>) => {
    const outputFile = inFolder(`${name}.log`);
    servers.push(await startServer({ name, file: program(name), args, outputFile, isReady }));
  };

  const [clientPort, peerPort, apiPort] = [await freePort(), await freePort(), await freePort()];
  const token = randomUUID();
  const kubeconfig = inFolder('kubeconfig');
  const environment = {
    PATH: `${join(programs, 'bin')}:${process.env.PATH ?? ''}`,
    KUBECONFIG: kubeconfig,
    KUBECACHEDIR: inFolder('cache'),
  };
  const kubectl = (...args: readonly string[]) => runCommand('kubectl', args, { env: environment });
  const serviceAccountKey = inFolder('service-account.key');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  writeFileSync(serviceAccountKey, privateKey.export({ type: 'pkcs1', format: 'pem' }));
  writeFileSync(inFolder('tokens.csv'), `${token},admin,admin,system:masters\n`);
  writeFileSync(kubeconfig, JSON.stringify(configOf(apiPort, token)));

  const startEtcd = () => {
    const [client, peer] = [clientPort, peerPort].map((port) => `http://127.0.0.1:${String(port)}`);
    return start(
      'etcd',
      [
        ...[`--data-dir=${inFolder('etcd')}`, '--unsafe-no-fsync'],
        ...[`--listen-client-urls=${client}`, `--advertise-client-urls=${client}`],
        ...[`--listen-peer-urls=${peer}`, `--initial-advertise-peer-urls=${peer}`],
        `--initial-cluster=default=${peer}`,
      ],
      async () => (await fetch(`${client}/health`)).ok,
    );
  };
  const startApiServer = () =>
    start(
      'kube-apiserver',
      [
        ...['--bind-address=127.0.0.1', `--secure-port=${String(apiPort)}`, `--cert-dir=${folder}`],
        `--etcd-servers=http://127.0.0.1:${String(clientPort)}`,
        '--service-account-issuer=https://kubernetes.default.svc',
        `--service-account-key-file=${serviceAccountKey}`,
        `--service-account-signing-key-file=${serviceAccountKey}`,
        `--token-auth-file=${inFolder('tokens.csv')}`,
        ...['--authorization-mode=RBAC', '--service-cluster-ip-range=10.96.0.0/16'],
      ],
      async () => (await kubectl('get', '--raw', '/readyz')) === 'ok',
    );
  const startController = async (name: string, args: readonly string[]) => {
    const port = await freePort();
    const own = [`--secure-port=${String(port)}`, `--cert-dir=${inFolder(name)}`];
    const common = ['--bind-address=127.0.0.1', '--leader-elect=false', `--kubeconfig=${kubeconfig}`];
    await start(name, [...common, ...own, ...args], () => answersOk(port, '/healthz'));
  };
  const startKwok = async () => {
    const port = await freePort();
    const stages = join(programs, 'stages');
    const address = `127.0.0.1:${String(port)}`;
    await start(
      'kwok',
      [
        ...[`--kubeconfig=${kubeconfig}`, '--manage-all-nodes=true', `--server-address=${address}`],
        ...readdirSync(stages).map((file) => `--config=${join(stages, file)}`),
      ],
      async () => (await fetch(`http://${address}/healthz`)).ok,
    );
  };

  try {
    await startEtcd();
    await startApiServer();
    await Promise.all([
      startController('kube-controller-manager', [
        `--service-account-private-key-file=${serviceAccountKey}`,
        '--horizontal-pod-autoscaler-sync-period=1s',
      ]),
      startController('kube-scheduler', []),
      startKwok(),
    ]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { environment, kubectl, stop };
}

/** Its certificate is one that it has made for itself. */
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
