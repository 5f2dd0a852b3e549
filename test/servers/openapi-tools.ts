import { createHash } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../readme/readme.ts';
import { cachedFolder } from './cached-folder.ts';
import { runCommand } from './run-command.ts';

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
