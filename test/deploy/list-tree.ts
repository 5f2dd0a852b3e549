import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Returns every path below the folder, with its mode, size and times. */
export function listTree(folder: string): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Map(
    paths.sort().map((path) => {
      const { mode, size, mtimeMs, ctimeMs } = lstatSync(join(folder, path));
      return [path, [mode.toString(8), size, mtimeMs, ctimeMs].join(' ')];
    }),
  );
}
