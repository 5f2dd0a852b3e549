import type { Environment } from './configuration-of.ts';
import { guide } from './guide.ts';

/** Returns the guide's production Secret, with its random values. */
export function productionSecrets(): Environment {
  const literals = [
    ...guide.matchAll(/--from-literal=([A-Z_]+)=(?:'([^']*)'|"\$\(openssl rand -hex 32\)")/g),
  ];
  return Object.fromEntries(literals.map(([, name = '', value = 'f'.repeat(64)]) => [name, value]));
}
