import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GatewayLimits } from '../harness/gateway-limits.ts';
import { createReplica, type Program, type Replica as Process } from '../harness/spawn-roles.ts';
import { until } from '../harness/until.ts';
import { type Admin, adminAt } from '../operations/admin.ts';
import { root as checkout } from '../readme/readme.ts';
import { freePort } from '../servers/child-process.ts';

export const roles = ['gateway', 'api', 'relay', 'worker'] as const;
export type Role = (typeof roles)[number];

export type Replica = Process & { readonly admin: Admin };

export interface RoleOptions {
  readonly name: string;
  readonly env: NodeJS.ProcessEnv;
  /** The folder of its programs. Default: those under test. */
  readonly root?: string | undefined;
  /** Limits of a gateway that no variable sets. */
  readonly limits?: GatewayLimits | undefined;
}

/** Creates a replica of a role, with an admin port. Does not start it. */
export async function createRole(role: Role, { name, env, root, limits }: RoleOptions): Promise<Replica> {
  const ADMIN_PORT = String(await freePort());
  const replica = createReplica({
    name,
    program: role === 'gateway' ? gatewayWith(limits) : 'deleter-service',
    env: { ...(role !== 'gateway' && { ROLES: role }), ...env, ADMIN_PORT },
    ...(root !== undefined && { root }),
  });
  return { ...replica, admin: adminAt(ADMIN_PORT) };
}

/** Starts the replicas. Resolves when all report that they are ready: a gateway then reaches an api. */
export async function startUntilReady(replicas: readonly Replica[]): Promise<void> {
  await Promise.all(replicas.map((replica) => replica.start()));
  for (const { name, admin } of replicas)
    await until(async () => (await admin.readiness())?.ready, { what: `${name} is ready` });
}

function gatewayWith(limits: GatewayLimits | undefined): Program {
  if (limits === undefined) return 'gateway';
  const program = join(checkout, 'test/dist/production/limited-gateway.js');
  return { commandLine: `'${process.execPath}' '${program}' '${JSON.stringify(limits)}'` };
}

/** A replica that is never restarted. Its successor has another address. */
export type Pod = Replica & {
  readonly role: Role;
  /** A gateway's public port. */
  readonly port: number;
  /** An api's address. */
  readonly address: string;
};

export interface PodOptions {
  /** Variables of every process. */
  readonly env: Readonly<Record<string, string>>;
  /** The folder for the file of names. Created here. */
  readonly folder: string;
  /** DRAIN_DELAY_MS of gateways and apis. */
  readonly drainDelayMs: number;
}

export interface Pods {
  create(role: Role): Promise<Pod>;
  /** Sets the addresses behind the apis' name. */
  nameApis(apis: Iterable<Pod>): void;
}

const preload = new URL('resolve-by-file.js', import.meta.url);

/** Creates pods as deploy/kubernetes does: gateways find ready apis by one DNS name. */
export async function createPods({ env, folder, drainDelayMs }: PodOptions): Promise<Pods> {
  mkdirSync(folder, { recursive: true });
  const namesFile = join(folder, 'names.json');
  const GRPC_PORT = String(await freePort());
  const drain = { DRAIN_DELAY_MS: String(drainDelayMs), SHUTDOWN_TIMEOUT_MS: String(drainDelayMs + 20_000) };
  let count = 0;
  return {
    create: async (role) => {
      const number = String(++count);
      // On Linux all of 127.0.0.0/8 is loopback.
      const address = `127.0.1.${number}`;
      const port = await freePort();
      const own: Record<Role, NodeJS.ProcessEnv> = {
        gateway: {
          ...drain,
          PORT: String(port),
          DELETER_ADDRESS: `dns:///api:${GRPC_PORT}`,
          NODE_OPTIONS: `--import=${preload.href}`,
          NAMES_FILE: namesFile,
        },
        api: { ...drain, ROLES: 'api,relay', GRPC_HOST: address, GRPC_PORT },
        relay: {},
        worker: {},
      };
      const replica = await createRole(role, { name: `${role} ${number}`, env: { ...env, ...own[role] } });
      return { ...replica, role, port, address };
    },
    nameApis: (apis) => {
      // A rename is atomic for readers.
      writeFileSync(`${namesFile}.new`, JSON.stringify({ api: [...apis].map(({ address }) => address) }));
      renameSync(`${namesFile}.new`, namesFile);
    },
  };
}

/** Returns the process's peak of resident memory, in MiB. */
export function peakResidentMib(pid: number | undefined): number {
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1];
  return Math.round(Number(kib) / 1_024);
}
