import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../readme/readme.ts';
import type { Environment } from './configuration-of.ts';

/** The Secret of a production installation, as its guide makes it, with something random where that has it. */
export function productionSecrets(): Environment {
  const guide = readFileSync(join(root, 'docs/kubernetes.md'), 'utf8');
  const literals = [
    ...guide.matchAll(/--from-literal=([A-Z_]+)=(?:'([^']*)'|"\$\(openssl rand -hex 32\)")/g),
  ];
  return Object.fromEntries(literals.map(([, name = '', value = 'f'.repeat(64)]) => [name, value]));
}
