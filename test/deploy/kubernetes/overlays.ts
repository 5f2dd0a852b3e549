import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { root } from '../../readme/readme.ts';
import { kustomize } from '../../servers/kustomize-program.ts';
import type { Kinds, Manifest, Workload } from './manifest.ts';

const folder = realpathSync(join(root, 'deploy/kubernetes'));
export const overlayNames = [...readdirSync(join(folder, 'overlays')), 'production, all components'];

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
  if (!name.endsWith(', all components'))
    return overlayOf(await kustomize(program, join(folder, 'overlays', name)));
  const components = readdirSync(join(folder, 'components')).map((component) =>
    join(folder, 'components', component),
  );
  return buildOnTop(program, name.split(',')[0] ?? '', { components });
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
