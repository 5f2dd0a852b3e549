import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Every path beneath the folder, with what changes when it is written. */
export function listTree(folder: string): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Map(
    paths.sort().map((path) => {
      const { mode, size, mtimeMs, ctimeMs } = lstatSync(join(folder, path));
      return [path, [mode.toString(8), size, mtimeMs, ctimeMs].join(' ')];
    }),
  );
}
