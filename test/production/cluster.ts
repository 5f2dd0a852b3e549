import type { KafkaUrl } from '@jobs-delete/runtime/config/storage-url';
import type { GatewayLimits } from '../harness/gateway-limits.ts';
import { connectOperator, type Operator } from '../harness/service.ts';
import { runJobsDelete } from '../harness/spawn-roles.ts';
import { databaseUrl, kafkaTargetOf, uniqueName } from '../servers/unique-storage.ts';
import { freePort } from '../servers/child-process.ts';
import { type Line, openLine } from '../servers/line.ts';
import { createRole, startUntilReady, type Replica, type Role } from './create-role.ts';
import { seedScene, type JobCounts, type Scene } from '../durability/scene.ts';

export interface ClusterOptions {
  readonly mongodbUrl: string;
  readonly kafkaUrl: string;
  /** The number of replicas of each role. */
  readonly replicas: Readonly<Record<Role, number>>;
  readonly partitions?: number;
  /** Puts a line between all gateways and each api. */
  readonly withLines?: boolean;
  /** Additional variables of every process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Returns additional variables of a replica, such as `api 1`. Only gateways get the ports of the apis. */
  readonly envOf?: (name: string, apiPorts: readonly number[]) => Promise<NodeJS.ProcessEnv>;
  /** Limits of the gateways that no variable sets. */
  readonly limits?: GatewayLimits;
  /** Returns the folder of the programs of a replica, such as `api 1`. Default: those under test. */
  readonly rootOf?: (name: string) => string | undefined;
}

/** The services of one installation, with their own database and topics. */
export interface Cluster {
  readonly env: Readonly<Record<string, string>>;
  readonly gateways: readonly (Replica & { readonly baseUrl: string })[];
  readonly apis: readonly (Replica & { readonly address: string })[];
  /** The lines from the gateways to the apis, in the order of the apis; empty without them. */
  readonly lines: readonly Line[];
  readonly relays: readonly Replica[];
  readonly workers: readonly Replica[];
  readonly replicas: readonly Replica[];
  readonly kafka: KafkaUrl;
  readonly databaseUrl: string;
  /** Connects an operator. The caller closes it. */
  openOperator(): Promise<Operator>;
  /** Resolves when all replicas are ready. */
  startAll(): Promise<void>;
}

export const serviceToken = 'service-token-of-the-tests-0123456789';
export const pepper = 'pepper-of-the-tests-0123456789-0123456789';

/** Returns the environment of an installation with new names. Creates nothing. */
export function clusterEnv({ mongodbUrl, kafkaUrl }: Pick<ClusterOptions, 'mongodbUrl' | 'kafkaUrl'>) {
  return {
    DATABASE_URL: databaseUrl(mongodbUrl, uniqueName('production')),
    EVENT_LOG_URL: `${kafkaUrl}?prefix=${uniqueName('production')}.`,
    CREDENTIAL_PEPPER: pepper,
    GRPC_SERVICE_TOKENS: serviceToken,
  };
}

/** Sets up an installation with the command. Starts no service. */
export async function createCluster(options: ClusterOptions): Promise<Cluster> {
  const env = { ...clusterEnv(options), ...options.env };
  const { partitions = 4 } = options;
  await succeed(['indexes', 'create'], env);
  await succeed(['topics', 'create', '--partitions', String(partitions)], env);

  const createAll = <Created>(role: Role, create: (name: string) => Promise<Created>) =>
    Promise.all(
      Array.from({ length: options.replicas[role] }, (_, index) => create(`${role} ${String(index + 1)}`)),
    );
  const create = async (role: Role, name: string, own: NodeJS.ProcessEnv = {}, apiPorts: number[] = []) => {
    const all = { ...env, ...own, ...(await options.envOf?.(name, apiPorts)) };
    return createRole(role, { name, env: all, root: options.rootOf?.(name), limits: options.limits });
  };
  const apis = await createAll('api', async (name) => {
    const GRPC_PORT = String(await freePort());
    return { ...(await create('api', name, { GRPC_PORT })), address: `127.0.0.1:${GRPC_PORT}` };
  });
  const apiPorts = apis.map(({ address }) => Number(address.split(':')[1]));
  const lines =
    options.withLines === true ? await Promise.all(apiPorts.map((port) => openLine({ port }))) : [];
  const ports = lines.length > 0 ? lines.map(({ port }) => port) : apiPorts;
  const DELETER_ADDRESS = `ipv4:${ports.map((port) => `127.0.0.1:${String(port)}`).join(',')}`;
  const gateways = await createAll('gateway', async (name) => {
    const PORT = String(await freePort());
    const gateway = await create('gateway', name, { DELETER_ADDRESS, PORT }, apiPorts);
    return { ...gateway, baseUrl: `http://127.0.0.1:${PORT}` };
  });
  const relays = await createAll('relay', (name) => create('relay', name));
  const workers = await createAll('worker', (name) => create('worker', name));
  const replicas = [...apis, ...gateways, ...relays, ...workers];
  return {
    env,
    gateways,
    apis,
    lines,
    relays,
    workers,
    replicas,
    kafka: kafkaTargetOf(env.EVENT_LOG_URL),
    databaseUrl: env.DATABASE_URL,
    openOperator: () => connectOperator(env.DATABASE_URL, pepper),
    startAll: () => startUntilReady(replicas),
  };
}

/** Runs the command. Returns its output, or throws with its stderr if it fails. */
export async function succeed(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  root?: string,
): Promise<unknown> {
  const { code, stdout, stderr } = await runJobsDelete([...args, '--json'], env, root);
  if (code !== 0) throw new Error(`jobs-delete ${args.join(' ')} ended with ${String(code)}: ${stderr}`);
  return JSON.parse(stdout);
}

/** Creates the scene in the cluster's database. */
export async function setClusterScene(
  cluster: Pick<Cluster, 'openOperator'>,
  jobCounts: JobCounts,
): Promise<Scene> {
  return seedScene(await cluster.openOperator(), jobCounts);
}
