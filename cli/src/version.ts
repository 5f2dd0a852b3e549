import { readFileSync } from 'node:fs';

/** A bundle has the version in place of this name: it may be a file without a package. */
declare const bundledVersion: string | undefined;

/** Returns the version of the package. */
export function readVersion(): string {
  if (typeof bundledVersion === 'string') return bundledVersion;
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
