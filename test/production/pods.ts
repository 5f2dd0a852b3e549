import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../servers/free-port.ts';
import { createRole, type Replica, type Role } from './create-role.ts';

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
