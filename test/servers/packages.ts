import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../readme/readme.ts';
import { runCommand } from './child-process.ts';
import { cachedFolder } from './programs.ts';

/** A release of the package has the schemas of all earlier Kubernetes releases too. */
const version = '1.37.0';

/** The releases that the manifests support. */
export const kubernetesReleases = ['1.35', '1.36', '1.37'] as const;

/** Returns a folder of Python packages. Downloads them at first use. Throws if pip fails. */
export function kubernetesSchemas(): Promise<string> {
  return cachedFolder(`kubernetes-validate-${version}`, async (folder) => {
    await runCommand('python3', [
      ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--root-user-action', 'ignore'],
      ...['--only-binary', ':all:', '--target', folder, `kubernetes-validate==${version}`],
    ]);
  });
}

/** Validates a file against the schemas of one release. Unknown fields are errors. Throws with the problems. */
export async function validateManifests(schemas: string, release: string, file: string): Promise<void> {
  await runCommand(
    'python3',
    ['-m', 'kubernetes_validate', '--kubernetes-version', release, '--strict', '--quiet', file],
    { env: { PYTHONPATH: schemas } },
  );
}

const tools = join(root, 'test/openapi/tools');

/** Returns a folder with the npm packages of test/openapi/tools. Installs them at first use. Throws if npm fails. */
export function openapiPackages(): Promise<string> {
  return cachedFolder(`openapi-packages-${hashOf('package-lock.json')}`, async (folder) => {
    for (const name of ['package.json', 'package-lock.json'])
      await copyFile(join(tools, name), join(folder, name));
    await runCommand('npm', ['ci', '--ignore-scripts', '--no-audit', '--prefix', folder]);
  });
}

/** Returns a folder of Python packages. Downloads them at first use. Throws if pip fails or a hash differs. */
export function schemathesisPackages(): Promise<string> {
  const requirements = join(tools, 'requirements.txt');
  return cachedFolder(`schemathesis-${hashOf('requirements.txt')}`, async (folder) => {
    await runCommand('python3', [
      ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--root-user-action', 'ignore'],
      ...[
        '--only-binary',
        ':all:',
        '--no-deps',
        '--require-hashes',
        '--target',
        folder,
        '--requirement',
        requirements,
      ],
    ]);
  });
}

function hashOf(name: string): string {
  return createHash('sha256')
    .update(readFileSync(join(tools, name)))
    .digest('hex')
    .slice(0, 12);
}

export const pythonClient = join(root, 'client/python');
export const pythonRequirements = join(pythonClient, 'tests/requirements.txt');

/**
 * Returns a folder with the packages that the Python client and its tests need. Downloads them at first use. Throws if pip fails
 * or a hash differs.
 */
export function pythonPackages(): Promise<string> {
  const hash = createHash('sha256').update(readFileSync(pythonRequirements)).digest('hex').slice(0, 12);
  return cachedFolder(`python-packages-${hash}`, async (folder) => {
    const download = ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--dest', folder];
    const pinned = ['--only-binary', ':all:', '--require-hashes', '--requirement', pythonRequirements];
    await runCommand('python3', [...download, ...pinned]);
  });
}
