import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { dashboardVariables, readDashboardConfig } from '@jobs-delete/dashboard/config';
import { deleterVariables, readDeleterConfig } from '@jobs-delete/deleter-service/config';
import { gatewayVariables, readGatewayConfig } from '@jobs-delete/gateway/config';
import { namesOf, type Variables } from '@jobs-delete/runtime/config/variables';
import { ConfigurationError } from '@jobs-delete/runtime/startup-error';
import { type Authority, createAuthority, mountSecret } from '@jobs-delete/runtime/testing/certificates';
import { cliVariables, readCliConfig } from 'jobs-delete/config';
import { root } from '../../readme/readme.ts';
import type { Container, KeyReference, Workload } from './manifest.ts';
import type { Overlay } from './overlays.ts';

export type Environment = Readonly<Record<string, string>>;

/** The result of reading a pod's environment with its program's reader. */
export type Reading =
  | {
      readonly config: object;
      /** Variables that the program never reads. */
      readonly unread: readonly string[];
    }
  | { readonly problems: readonly string[] };

interface Program {
  readonly read: (env: NodeJS.ProcessEnv) => object;
  readonly variables: Variables;
}
const programs: Readonly<Record<string, Program>> = {
  'gateway/dist/main.js': { read: readGatewayConfig, variables: gatewayVariables },
  'dashboard/dist/main.js': { read: readDashboardConfig, variables: dashboardVariables },
  'deleter-service/dist/main.js': { read: readDeleterConfig, variables: deleterVariables },
  'jobs-delete': { read: readCliConfig, variables: cliVariables },
};

export function containerOf({ spec, metadata }: Workload): Container {
  const [container, ...others] = spec.template.spec.containers;
  if (container === undefined || others.length > 0) throw new Error(`${metadata.name}: not one container`);
  return container;
}

/** Reads the environment with the reader of the program in the command. */
export function readConfiguration({ command = [] }: Container, environment: Environment): Reading {
  const program = command.flatMap((word) => programs[word] ?? [])[0];
  if (program === undefined) throw new Error(`unknown program in the command: ${command.join(' ')}`);
  try {
    const config = program.read(environment);
    const known = namesOf(program.variables);
    return { config, unread: Object.keys(environment).filter((name) => !known.includes(name)) };
  } catch (error) {
    if (error instanceof ConfigurationError) return { problems: error.problems };
    throw error;
  }
}

/** Returns the environment that Kubernetes sets. Throws for a missing key: the pod would never start. */
export function environmentOf(overlay: Overlay, container: Container, secrets: Secrets): Environment {
  const configMap = (name: string) => overlay.find('ConfigMap', name).data ?? {};
  // The overlay or the operator creates a Secret.
  const secretOf = ({ name, key }: KeyReference) => {
    const generated = overlay.all('Secret').find(({ metadata }) => metadata.name === name);
    if (generated === undefined) return secrets[name]?.[key];
    const encoded = generated.data?.[key];
    return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString();
  };
  const given = (container.env ?? []).flatMap(({ name, value, valueFrom }) => {
    if (value !== undefined) return [[name, value] as const];
    const { secretKeyRef, configMapKeyRef } = valueFrom ?? {};
    const reference = secretKeyRef ?? configMapKeyRef;
    const found = secretKeyRef
      ? secretOf(secretKeyRef)
      : configMapKeyRef && configMap(configMapKeyRef.name)[configMapKeyRef.key];
    if (found !== undefined) return [[name, found] as const];
    // An optional key may be set, so the program must read it. An empty variable counts as absent.
    if (reference?.optional === true) return [[name, ''] as const];
    throw new Error(`${name}: there is no ${reference?.key ?? 'value'}`);
  });
  const named = given.map(([name]) => name);
  const twice = named.filter((name, index) => named.indexOf(name) !== index);
  if (twice.length > 0) throw new Error(`set twice: ${twice.join(', ')}`);
  const shared = (container.envFrom ?? []).map(({ configMapRef }) => configMap(configMapRef.name));
  // Files of a volume exist only below its mount path.
  const mounted = (value: string) => {
    const mount = container.volumeMounts?.find(({ mountPath }) => value.startsWith(`${mountPath}/`));
    return mount ? value.replace(mount.mountPath, certificateFolder(container.name)) : value;
  };
  const all = [...shared.flatMap((data) => Object.entries(data)), ...given];
  return Object.fromEntries(all.map(([name, value]) => [name, mounted(value)]));
}

export const guide = readFileSync(join(root, 'docs/kubernetes.md'), 'utf8');

/** The name in each role's certificate. */
export const certificateNames: Readonly<Record<string, string>> = {
  api: 'api',
  gateway: 'gateway.jobs-delete.svc',
  dashboard: 'dashboard.jobs-delete.svc',
};
const folders = new Map<string, string>();
let authority: Authority | undefined;
afterAll(() => {
  for (const folder of folders.values()) rmSync(folder, { recursive: true, force: true });
});

/** Returns a folder with the role's certificate, mounted as its Secret. */
function certificateFolder(role: string): string {
  const known = folders.get(role);
  if (known !== undefined) return known;
  const folder = mkdtempSync(join(tmpdir(), 'jobs-delete-certificate-'));
  folders.set(role, folder);
  authority ??= createAuthority('the authority of the cluster');
  const issued = authority.issue([certificateNames[role] ?? role]);
  mountSecret(folder, { ...issued, trusted: authority.certificate });
  return folder;
}

/** Secrets by name. */
export type Secrets = Readonly<Record<string, Environment>>;

/** Returns the guide's production Secrets with its random values, service tokens included. */
export function productionSecrets(): Secrets {
  const variables = new Map<string, string>();
  const expanded = (text: string) =>
    text
      .replaceAll('$(openssl rand -hex 32)', () => (variables.size + 10).toString(36).repeat(64))
      .replaceAll(/\$(\w+)/g, (_, name: string) => variables.get(name) ?? '');
  for (const [, name = '', literal, text = ''] of guide.matchAll(/^(\w+)=(?:'([^']*)'|"([^"]*)")$/gm))
    variables.set(name, literal ?? expanded(text));
  const commands = [...guide.matchAll(/create secret generic (\S+) ((?:\\\n +--from-literal=[^\\\n]*)+)/g)];
  const added = (secret: string) =>
    [...guide.matchAll(/patch secret (\S+) \\\n +--patch "stringData: \{ ([A-Z_]+): '([^']*)' \}"/g)]
      .filter(([, patched]) => patched === secret)
      .map(([, , name = '', text = '']) => [name, expanded(text)]);
  return Object.fromEntries(
    commands.map(([, secret = '', options = '']) => [
      secret,
      Object.fromEntries([
        ...[...options.matchAll(/--from-literal=([A-Z_]+)="([^"]*)"/g)].map(([, name = '', text = '']) => [
          name,
          expanded(text),
        ]),
        ...added(secret),
      ]) as Environment,
    ]),
  );
}
