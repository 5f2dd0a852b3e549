import { join } from 'node:path';
import type { GatewayLimits } from '../harness/gateway-limits.ts';
import { createReplica, type Program, type Replica as Process } from '../harness/spawn-roles.ts';
import { until } from '../harness/until.ts';
import { adminAt, type Admin } from '../operations/admin.ts';
import { root as checkout } from '../readme/readme.ts';
import { freePort } from '../servers/free-port.ts';

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
