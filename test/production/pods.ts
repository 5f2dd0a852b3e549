import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../servers/free-port.ts';
import { createRole, type Replica, type Role } from './create-role.ts';

/** A replica that is never started again: another one takes its place, at another address. */
export type Pod = Replica & {
  readonly role: Role;
  /** Of a gateway, its public one. */
  readonly port: number;
  /** Of an api. */
  readonly address: string;
};

export interface PodOptions {
  /** For every process. */
  readonly env: Readonly<Record<string, string>>;
  /** For what is to be known by name; made here. */
  readonly folder: string;
  /** Of gateways and apis, which are called. */
  readonly drainDelayMs: number;
}

export interface Pods {
  create(role: Role): Promise<Pod>;
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
      // As a whole, whoever reads it meanwhile.
      writeFileSync(`${namesFile}.new`, JSON.stringify({ api: [...apis].map(({ address }) => address) }));
      renameSync(`${namesFile}.new`, namesFile);
    },
  };
}
