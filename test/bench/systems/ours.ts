import { join } from 'node:path';
import { rootFolder } from '../folders.ts';
import { startProcess, type RunningProcess } from '../process/start-process.ts';
import { jobsDeletePath, stopAll, type System } from './system.ts';

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
  // Node 20 takes these from the command line only, not from NODE_OPTIONS.
  const profiling = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  return startProcess({
    name,
    args: [...profiling, join(rootFolder, program, 'dist/main.js')],
    env: { ...env, PORT: '0', GRPC_PORT: '0', LOG_LEVEL: 'info', ...(role !== 'gateway' && { ROLES: role }) },
    logFolder,
    ready: said[role],
  });
}
