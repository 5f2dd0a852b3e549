import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { cachedFolder, cachePath } from './programs.ts';
import { runCommand } from './child-process.ts';

const version = '1.36.3';
const folderName = `kubernetes-${version}`;
const etcd = { path: 'go.etcd.io/etcd/server/v3', version: 'v3.6.8' };
const kwok = { path: 'sigs.k8s.io/kwok', version: 'v0.8.0' };

/** Files from Go modules, and their target folders. */
const files = [
  {
    // The rules with which kwok simulates nodes and pods.
    folder: 'stages',
    module: `${kwok.path}@${kwok.version}`,
    paths: [
      'node/fast/node-initialize',
      'node/heartbeat-with-lease/node-heartbeat-with-lease',
      ...['pod/fast/pod-ready', 'pod/fast/pod-complete', 'pod/fast/pod-delete'],
    ].map((path) => `kustomize/stage/${path}.yaml`),
  },
  {
    // The resource definitions of the optional components.
    folder: 'crds',
    module: 'github.com/kedacore/keda/v2@v2.21.0',
    paths: ['scaledobjects', 'triggerauthentications'].map((kind) => `config/crd/bases/keda.sh_${kind}.yaml`),
  },
  {
    folder: 'crds',
    module: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    paths: ['servicemonitors', 'prometheusrules'].map(
      (kind) => `example/prometheus-operator-crd/monitoring.coreos.com_${kind}.yaml`,
    ),
  },
];

/**
 * Returns a folder with the programs of a cluster in `bin`, and their manifests beside it. Builds them from Go modules
 * at first use, which takes up to 15 minutes on 2 cores. Throws if Go or a module is missing.
 */
export async function kubernetesPrograms(): Promise<string> {
  const startedAt = performance.now();
  return cachedFolder(folderName, async (folder) => {
    process.stderr.write(`building Kubernetes ${version}, once, in ${cachePath(folderName)}\n`);
    await build(folder);
    const minutes = (performance.now() - startedAt) / 60_000;
    process.stderr.write(`built Kubernetes ${version} in ${minutes.toFixed(1)} minutes\n`);
  });
}

async function build(folder: string): Promise<void> {
  const [bin, source] = [join(folder, 'bin'), join(folder, 'source')];
  await mkdir(source);
  await runGo(source, ['mod', 'init', 'kubernetes-for-tests']);
  const file = await downloadModule(source, `k8s.io/kubernetes@v${version}`, 'GoMod');
  const { Replace } = JSON.parse(await runGo(source, ['mod', 'edit', '-json', file])) as {
    Replace: readonly { Old: { Path: string } }[];
  };
  // The sources of these modules are in Kubernetes' own folders. They are published as v0.
  const staging = Replace.map(
    ({ Old: { Path: path } }) => `-replace=${path}=${path}@v${version.replace(/^1/, '0')}`,
  );
  const programs = {
    etcd: etcd.path,
    ...Object.fromEntries(
      ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubectl'].map((name) => [
        name,
        `k8s.io/kubernetes/cmd/${name}`,
      ]),
    ),
  };
  const required = [`k8s.io/kubernetes@v${version}`, `${etcd.path}@${etcd.version}`];
  await runGo(source, ['mod', 'edit', ...required.map((module) => `-require=${module}`), ...staging]);
  const imports = Object.values(programs).map((path) => `import _ "${path}"\n`);
  await writeFile(
    join(source, 'programs.go'),
    `//go:build programs\n\npackage programs\n\n${imports.join('')}`,
  );
  await runGo(source, ['mod', 'tidy']);
  const variables = { gitVersion: `v${version}`, gitMajor: '1', gitMinor: version.split('.')[1] ?? '' };
  const flags = Object.entries(variables).map(
    ([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`,
  );
  for (const [name, path] of Object.entries(programs))
    await runGo(source, [
      'build',
      '-trimpath',
      '-o',
      join(bin, name),
      '-ldflags',
      `-s -w ${flags.join(' ')}`,
      path,
    ]);
  await runGo(source, ['install', '-trimpath', `${kwok.path}/cmd/kwok@${kwok.version}`], { GOBIN: bin });
  for (const { folder: to, module, paths } of files) {
    const from = await downloadModule(source, module, 'Dir');
    for (const path of paths) await cp(join(from, path), join(folder, to, basename(path)));
  }
  await rm(source, { recursive: true });
}

/** Downloads a module. Returns its path in the module cache. */
async function downloadModule(cwd: string, module: string, what: 'Dir' | 'GoMod'): Promise<string> {
  const download = JSON.parse(await runGo(cwd, ['mod', 'download', '-json', module])) as Record<
    string,
    string
  >;
  return download[what] ?? '';
}

function runGo(cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return runCommand('go', args, { cwd, env, timeoutMs: 3_600_000 });
}

const module = 'sigs.k8s.io/gateway-api@v1.5.1';
const paths = ['gateways', 'httproutes'].map(
  (kind) => `config/crd/standard/gateway.networking.k8s.io_${kind}.yaml`,
);

/** Returns a folder with the resource definitions of the Gateway API, from its Go module. */
export function gatewayApiDefinitions(): Promise<string> {
  return cachedFolder(module.replace(/.*\/(.*)@v/, '$1-'), async (folder) => {
    const download = await runCommand('go', ['mod', 'download', '-json', module], { cwd: folder });
    const { Dir } = JSON.parse(download) as { Dir: string };
    for (const path of paths) await cp(join(Dir, path), join(folder, basename(path)));
  });
}
