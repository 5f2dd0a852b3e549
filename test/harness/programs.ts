import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, lchownSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../readme/readme.ts';

export interface Programs {
  /** A folder laid out as a built checkout. */
  readonly root: string;
  /** The user of the processes. Default: the user of the tests. */
  readonly user?: User;
}

export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** The programs under test. Default: those of this checkout. */
let tested: Programs = { root };

export function testedPrograms(): Programs {
  return tested;
}

/** Makes this spec file start the programs of that folder, as that user. */
export function testPrograms(programs: Programs): void {
  tested = programs;
}

/** Gives a temporary folder to the user of the programs. */
export function handOver(dataDir: string, { uid, gid }: User): void {
  const folder = dirname(dataDir);
  if (!folder.startsWith(join(tmpdir(), '/')))
    throw new Error(`${folder} is not in the folder for temporary files`);
  mkdirSync(folder, { recursive: true });
  chownSync(folder, uid, gid);
  for (let above = dirname(folder); above.startsWith(join(tmpdir(), '/')); above = dirname(above))
    chmodSync(above, 0o755);
  if (!existsSync(dataDir)) return;
  chownSync(dataDir, uid, gid);
  for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(dataDir, name), uid, gid);
}
