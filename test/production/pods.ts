import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createReplica, type Replica } from '../harness/spawn-roles.ts';
import { adminAt, type Admin } from '../operations/admin.ts';
import { freePort } from '../servers/free-port.ts';

export const podRoles = ['gateway', 'api', 'relay', 'worker'] as const;
export type PodRole = (typeof podRoles)[number];

/** A replica that is never started again: another one takes its place, at another address. */
export interface Pod extends Replica {
  readonly role: PodRole;
  readonly admin: Admin;
  /** Of a gateway, its public one. */
  readonly port: number;
  /** Of an api. */
  readonly address: string;
}

export interface PodOptions {
  /** For every process. */
  readonly env: Readonly<Record<string, string>>;
  /** For what is to be known by name; made here. */
  readonly folder: string;
  /** Of gateways and apis, which are called. */
  readonly drainDelayMs: number;
}

export interface Pods {
  create(role: PodRole): Promise<Pod>;
  /** What those who look up the apis' name from now on are told. */
  nameApis(apis: Iterable<Pod>): void;
}

const preload = new URL('resolve-by-file.js', import.meta.url);

/** As deploy/kubernetes runs them: gateways find the apis by a name, with an address for each that is ready. */
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
      const ADMIN_PORT = String(await freePort());
      const own: Record<PodRole, NodeJS.ProcessEnv> = {
        gateway: {
          ...drain,
          PORT: String(port),
          DELETER_ADDRESS: `dns:///api:${GRPC_PORT}`,
          NODE_OPTIONS: `--import=${preload.href}`,
          NAMES_FILE: namesFile,
        },
        api: { ...drain, ROLES: 'api,relay', GRPC_HOST: address, GRPC_PORT },
        relay: { ROLES: 'relay' },
        worker: { ROLES: 'worker' },
      };
      const replica = createReplica({
        name: `${role} ${number}`,
        program: role === 'gateway' ? 'gateway' : 'deleter-service',
        env: { ...env, ...own[role], ADMIN_PORT },
      });
      return { ...replica, role, admin: adminAt(ADMIN_PORT), port, address };
    },
    nameApis: (apis) => {
      // As a whole, whoever reads it meanwhile.
      writeFileSync(`${namesFile}.new`, JSON.stringify({ api: [...apis].map(({ address }) => address) }));
      renameSync(`${namesFile}.new`, namesFile);
    },
  };
}
