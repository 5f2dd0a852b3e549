import { readDashboardConfig } from '@jobs-delete/dashboard/config';
import { readDeleterConfig } from '@jobs-delete/deleter-service/config';
import { readGatewayConfig } from '@jobs-delete/gateway/config';
import { ConfigurationError } from '@jobs-delete/runtime/startup-error';
import { readCliConfig } from 'jobs-delete/config';
import { certificateFolder } from './certificate-folder.ts';
import type { Container, KeyReference, Workload } from './manifest.ts';
import type { Overlay } from './overlays.ts';
import type { Secrets } from './production-secrets.ts';

export type Environment = Readonly<Record<string, string>>;

/** The result of reading a pod's environment with its program's reader. */
export type Reading =
  | {
      readonly config: object;
      /** Variables that the program never reads. */
      readonly unread: readonly string[];
    }
  | { readonly problems: readonly string[] };

type ReadConfig = (env: NodeJS.ProcessEnv) => object;
const readers: Readonly<Record<string, ReadConfig>> = {
  'gateway/dist/main.js': readGatewayConfig,
  'dashboard/dist/main.js': readDashboardConfig,
  'deleter-service/dist/main.js': readDeleterConfig,
  'jobs-delete': readCliConfig,
};

export function containerOf({ spec, metadata }: Workload): Container {
  const [container, ...others] = spec.template.spec.containers;
  if (container === undefined || others.length > 0) throw new Error(`${metadata.name}: not one container`);
  return container;
}

/** Reads the environment with the reader of the program in the command. */
export function readConfiguration({ command = [] }: Container, environment: Environment): Reading {
  const read = command.flatMap((word) => readers[word] ?? [])[0];
  if (read === undefined) throw new Error(`unknown program in the command: ${command.join(' ')}`);
  const looked = new Set<string>();
  const watched = new Proxy<NodeJS.ProcessEnv>(
    { ...environment },
    {
      get: (env, name) => {
        looked.add(String(name));
        return env[String(name)];
      },
    },
  );
  try {
    const config = read(watched);
    return { config, unread: Object.keys(environment).filter((name) => !looked.has(name)) };
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
