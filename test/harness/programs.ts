import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, lchownSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Programs {
  /** Where they stand: of the form of a checkout that is built. */
  readonly root: string;
  /** Who runs them; by default who runs the tests. */
  readonly user?: User;
}

export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** What the tests start: those of this checkout, unless a spec has others. */
let tested: Programs = { root: fileURLToPath(new URL('../..', import.meta.url)) };

export function testedPrograms(): Programs {
  return tested;
}

/** Has all that this spec file starts from now on be of that tree, and that user's. */
export function testPrograms(programs: Programs): void {
  tested = programs;
}

/** Lets the user of the programs have what root has prepared for them. */
export function handOver(dataDir: string, { uid, gid }: User): void {
  const folder = dirname(dataDir);
  if (!folder.startsWith(join(tmpdir(), '/'))) throw new Error(`${folder} is not the test's own`);
  mkdirSync(folder, { recursive: true });
  chownSync(folder, uid, gid);
  for (let above = dirname(folder); above.startsWith(join(tmpdir(), '/')); above = dirname(above))
    chmodSync(above, 0o755);
  if (!existsSync(dataDir)) return;
  chownSync(dataDir, uid, gid);
  for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(dataDir, name), uid, gid);
}
