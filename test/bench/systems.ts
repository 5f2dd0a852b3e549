import { join } from 'node:path';
import type { Format } from './cells.ts';
import { benchFolder, builtFolder, rootFolder } from './folders.ts';
import { startProcess, stopAll, type RunningProcess } from './processes.ts';

/** A server that deletes jobs over HTTP: jobs-delete or a peer. */
export interface System {
  /** Short name for tables, such as `express`. */
  readonly name: string;
  readonly processes: readonly RunningProcess[];
  /** HTTP ports, one per replica. */
  readonly ports: readonly number[];
  path(format: Format): string;
  stop(): Promise<void>;
}

export interface Caller {
  readonly accountId: string;
  readonly token: string;
  readonly secretKey: string;
  readonly origin: string;
}

/** Returns every header that jobs-delete requires. The peers get the same headers and use what they need. */
export function callerHeaders({ token, secretKey, origin }: Caller): Record<string, string> {
  return {
    Authorization: `Bearer ${token}`,
    Usersecretkey: secretKey,
    Origin: origin,
    'Accept-Language': 'en',
    'User-Agent': 'bench/1.0',
    'X-Client-Lang': 'TypeScript',
  };
}

export function jobsDeletePath(format: Format): string {
  return `/v1/${format}/jobs-delete`;
}

/** `gateway`, or a value of the deleter service's ROLES. */
export type Role = 'gateway' | 'api' | 'api,relay' | 'relay' | 'worker';
const asRecommended: readonly Role[] = ['gateway', 'api,relay', 'worker'];

export interface OursOptions {
  /** DATABASE_URL, EVENT_LOG_URL, CREDENTIAL_PEPPER and GRPC_SERVICE_TOKENS. */
  readonly env: Readonly<Record<string, string>>;
  readonly logFolder: string;
  /** Number of replicas of each role. */
  readonly replicas: number;
  /** Number of replicas for single roles, instead of `replicas`. */
  readonly replicasOf?: Partial<Readonly<Record<Role, number>>>;
  /** Additional variables of one replica, numbered from 0. */
  readonly envOf?: (role: Role, index: number) => Readonly<Record<string, string>>;
  /** Returns the port at which gateways call the api on `port`. */
  readonly portFor?: (port: number, index: number) => Promise<number>;
  /** Roles, one process each. Default: the layout that the README recommends. */
  readonly roles?: readonly Role[];
  readonly profileFolder?: string | undefined;
}

/** Starts the built services as in production: one process per role, all features on, logs at info. */
export async function startOurs(options: OursOptions): Promise<System> {
  const { replicas, replicasOf = {}, roles = asRecommended, envOf, portFor } = options;
  const each = async (role: Role, env: Readonly<Record<string, string>>): Promise<RunningProcess[]> => {
    if (!roles.includes(role)) return [];
    const count = replicasOf[role] ?? replicas;
    return Promise.all(
      Array.from({ length: count }, (_, index) =>
        startRole(
          role,
          count === 1 ? role : `${role} ${String(index + 1)}`,
          { ...env, ...envOf?.(role, index) },
          options,
        ),
      ),
    );
  };
  const { env } = options;
  const apis = [...(await each('api', env)), ...(await each('api,relay', env))];
  const others = await Promise.all([each('relay', env), each('worker', env)]);
  const ports = await Promise.all(
    apis.map(async ({ said }, index) => (await portFor?.(Number(said), index)) ?? Number(said)),
  );
  const addresses = ports.map((port) => `127.0.0.1:${String(port)}`).join(',');
  const gateways = await each('gateway', { ...env, DELETER_ADDRESS: `ipv4:${addresses}` });
  const processes = [...gateways, ...apis, ...others.flat()];
  return {
    name: 'jobs-delete',
    processes,
    ports: gateways.map(({ said }) => Number(said)),
    path: jobsDeletePath,
    stop: () => stopAll(processes),
  };
}

/** Log patterns that contain the port. */
const said = {
  gateway: /"port":(\d+).* is ready/,
  api: /"grpcPort":(\d+).* is ready/,
  'api,relay': /"grpcPort":(\d+).* is ready/,
  relay: / is ready/,
  worker: / is ready/,
} as const satisfies Record<Role, RegExp>;

function startRole(
  role: Role,
  name: string,
  env: Readonly<Record<string, string>>,
  { logFolder, profileFolder }: OursOptions,
): Promise<RunningProcess> {
  const program = role === 'gateway' ? 'gateway' : 'deleter-service';
  return startProcess({
    name,
    args: [...profiling(profileFolder), join(rootFolder, program, 'dist/main.js')],
    env: { ...env, PORT: '0', GRPC_PORT: '0', LOG_LEVEL: 'info', ...(role !== 'gateway' && { ROLES: role }) },
    logFolder,
    ready: said[role],
  });
}

export interface PeerOptions {
  /** DATABASE_URL, CREDENTIAL_PEPPER, KAFKA_BROKERS and KAFKA_TOPIC, or DATABASE_FILE for the embedded peer. */
  readonly env: Readonly<Record<string, string>>;
  readonly logFolder: string;
}

/** Starts `jobs-delete serve` on SQLite. */
export async function startServe(
  options: Pick<OursOptions, 'env' | 'logFolder' | 'profileFolder'>,
): Promise<System> {
  const { env, logFolder, profileFolder } = options;
  const serve = await startProcess({
    name: 'serve',
    args: [...profiling(profileFolder), join(rootFolder, 'cli/bin/jobs-delete.js'), 'serve', '--json'],
    env: { ...env, PORT: '0', DASHBOARD_PORT: '0', GRPC_PORT: '0', LOG_LEVEL: 'info' },
    logFolder,
    ready: /"base_url":"http:\/\/[^"]*:(\d+)"/,
  });
  return { ...systemOf('jobs-delete serve', [serve]), path: jobsDeletePath };
}

/** Node 20 takes these from the command line only, not from NODE_OPTIONS. */
function profiling(folder: string | undefined): string[] {
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`];
}

export const peerNames = ['express', 'grpc-kafka', 'feathers'] as const;
export type PeerName = (typeof peerNames)[number];

export async function startPeer(name: PeerName, options: PeerOptions): Promise<System> {
  switch (name) {
    case 'express':
      return systemOf(name, [await start('express-mongoose', options)]);
    case 'feathers':
      return systemOf(name, [await start('feathers', options)]);
    case 'grpc-kafka': {
      const service = await start('grpc-service', options);
      const env = { ...options.env, SERVICE_ADDRESS: `127.0.0.1:${service.said}` };
      return systemOf(name, [await start('grpc-gateway', { ...options, env }), service]);
    }
  }
}

export async function startEmbeddedPeer(options: PeerOptions): Promise<System> {
  return systemOf('express-libsql', [await start('express-libsql', options)]);
}

function start(file: string, { env, logFolder }: PeerOptions): Promise<RunningProcess> {
  return startProcess({
    name: file,
    // Its packages are found only from its source.
    args: [join(file === 'feathers' ? benchFolder : builtFolder, `peers/${file}.js`)],
    env,
    logFolder,
    ready: /listening on (\d+)/,
  });
}

/** Builds a system whose first process serves HTTP. */
function systemOf(name: string, processes: readonly RunningProcess[]): System {
  return {
    name,
    processes,
    ports: processes.slice(0, 1).map(({ said }) => Number(said)),
    path: () => '/jobs',
    stop: () => stopAll(processes),
  };
}
