import type { Environment } from './configuration-of.ts';
import { guide } from './guide.ts';

/** Returns the guide's production Secret, with its random values. */
export function productionSecrets(): Environment {
  const variables = new Map<string, string>();
  const expanded = (text: string) =>
    text
      .replaceAll('$(openssl rand -hex 32)', () => (variables.size + 10).toString(36).repeat(64))
      .replaceAll(/\$(\w+)/g, (_, name: string) => variables.get(name) ?? '');
  for (const [, name = '', value = ''] of guide.matchAll(/^(\w+)="([^"]*)"$/gm))
    variables.set(name, expanded(value));
  const literals = [...guide.matchAll(/--from-literal=([A-Z_]+)=(?:'([^']*)'|"([^"]*)")/g)];
  return Object.fromEntries(
    literals.map(([, name = '', literal, text = '']) => [name, literal ?? expanded(text)]),
  );
}
