import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../readme/readme.ts';
import { cachedFolder } from './cached-folder.ts';
import { runCommand } from './run-command.ts';

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
