import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../readme/readme.ts';

export interface ComposeService {
  readonly image: string;
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: object;
  readonly read_only?: boolean;
  readonly ports?: readonly string[];
  readonly networks?: readonly string[];
  readonly network_mode?: string;
  readonly volumes?: readonly string[];
}

export const compose = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly volumes: Readonly<Record<string, null>>;
};

export function serviceOf(name: string): ComposeService {
  const service = compose.services[name];
  if (service === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
  return service;
}

export interface Addresses {
  readonly mongodb?: string;
  readonly kafka?: string;
}

/** Runs the command of the service `secrets` in a folder, with other addresses of the servers. */
export function createSecrets(folder: string, addresses: Addresses = {}, env: NodeJS.ProcessEnv = {}): void {
  const { mongodb = 'mongodb:27017', kafka = 'kafka:9092' } = addresses;
  const [, script = '', ...args] = serviceOf('secrets').command;
  const own = args.map(
    (arg) => ({ '/secrets': folder, 'mongodb:27017': mongodb, 'kafka:9092': kafka })[arg] ?? arg,
  );
  mkdirSync(folder, { recursive: true });
  execFileSync(process.execPath, [join(root, script), ...own], { env: { PATH: process.env.PATH, ...env } });
}

/** Replaces `${NAME:-default}` as Compose does, when no variable is set. */
export function interpolated(value: string | number): string {
  return String(value).replace(/\$\{[A-Z_]+:-([^}]*)\}/g, '$1');
}

/** Returns the environment of a service, with the secrets of the folder in the place of its volume. */
export function environmentOf(service: ComposeService, secrets: string): Record<string, string> {
  const mounted = service.volumes
    ?.map((volume) => /^secrets-(\w+):\/run\/secrets:ro$/.exec(volume)?.[1])
    .find((name) => name !== undefined);
  return Object.fromEntries(
    Object.entries(service.environment ?? {}).map(([name, value]) => [
      name,
      interpolated(value).replace('/run/secrets', join(secrets, mounted ?? 'nothing')),
    ]),
  );
}
