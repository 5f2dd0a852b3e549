import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { root } from '../../readme/readme.ts';
import { kustomize } from '../../servers/programs.ts';
import type { Kinds, Manifest, Workload } from './manifest.ts';

const folder = realpathSync(join(root, 'deploy/kubernetes'));
const allComponents = 'production, all components';
/** The production overlay of an operator who removes the component `tls`. */
export const withServiceTokens = 'production, service tokens';
export const overlayNames = [...readdirSync(join(folder, 'overlays')), allComponents, withServiceTokens];

interface Kustomization {
  readonly resources: readonly string[];
  readonly components?: readonly string[];
}

export interface Overlay {
  readonly yaml: string;
  readonly manifests: readonly Manifest[];
  /** Returns the object of that kind and name. Throws if it does not exist. */
  find<Kind extends keyof Kinds>(kind: Kind, name: string): Kinds[Kind];
  all<Kind extends keyof Kinds>(kind: Kind): readonly Kinds[Kind][];
  /** The objects that run our programs. */
  readonly workloads: readonly Workload[];
}

export async function buildOverlay(program: string, name: string): Promise<Overlay> {
  if (name === allComponents) {
    const { components: own = [] } = kustomizationOf('production');
    const components = readdirSync(join(folder, 'components'))
      .filter((component) => !own.some((path) => path.endsWith(`/${component}`)))
      .map((component) => join(folder, 'components', component));
    return buildOnTop(program, 'production', { components });
  }
  if (name === withServiceTokens) return buildWithout(program, 'tls');
  return overlayOf(await kustomize(program, join(folder, 'overlays', name)));
}

const kustomizationOf = (name: string) =>
  parse(readFileSync(join(folder, 'overlays', name, 'kustomization.yaml'), 'utf8')) as Kustomization;

/** Builds a copy of the production overlay that lacks a component. */
async function buildWithout(program: string, removed: string): Promise<Overlay> {
  const source = join(folder, 'overlays/production');
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'jobs-delete-overlay-')));
  cpSync(source, scratch, { recursive: true });
  const moved = (path: string) => (path.startsWith('..') ? relative(scratch, join(source, path)) : path);
  const kustomization = kustomizationOf('production');
  const { components = [], resources } = kustomization;
  const kept = components.filter((path) => !path.endsWith(`/${removed}`)).map(moved);
  const text = JSON.stringify({ ...kustomization, resources: resources.map(moved), components: kept });
  writeFileSync(join(scratch, 'kustomization.yaml'), text);
  try {
    return overlayOf(await kustomize(program, scratch));
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Builds an overlay with additions, like an operator. */
export async function buildOnTop(
  program: string,
  name: string,
  { components = [], ...more }: { readonly components?: readonly string[] },
): Promise<Overlay> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'jobs-delete-overlay-')));
  const kustomization = {
    resources: [relative(scratch, join(folder, 'overlays', name))],
    components: components.map((component) => relative(scratch, component)),
    ...more,
  };
  writeFileSync(join(scratch, 'kustomization.yaml'), JSON.stringify(kustomization));
  try {
    return overlayOf(await kustomize(program, scratch));
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

export function overlayOf(yaml: string): Overlay {
  const manifests = parseAllDocuments(yaml).map((document) => document.toJS() as Manifest);
  const all = <Kind extends keyof Kinds>(kind: Kind) =>
    manifests.filter((manifest): manifest is Kinds[Kind] => manifest.kind === kind);
  return {
    yaml,
    manifests,
    all,
    find: (kind, name) => {
      const found = all(kind).find(({ metadata }) => metadata.name === name);
      if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
      return found;
    },
    workloads: [
      ...all('Deployment'),
      ...all('Job'),
      ...all('CronJob').map((cronJob) => ({ ...cronJob, spec: cronJob.spec.jobTemplate.spec })),
    ],
  };
}
