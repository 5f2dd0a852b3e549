import type { Environment } from './configuration-of.ts';
import { guide } from './guide.ts';

/** Secrets by name. */
export type Secrets = Readonly<Record<string, Environment>>;

/** Returns the guide's production Secrets with its random values, service tokens included. */
export function productionSecrets(): Secrets {
  const variables = new Map<string, string>();
  const expanded = (text: string) =>
    text
      .replaceAll('$(openssl rand -hex 32)', () => (variables.size + 10).toString(36).repeat(64))
      .replaceAll(/\$(\w+)/g, (_, name: string) => variables.get(name) ?? '');
  for (const [, name = '', literal, text = ''] of guide.matchAll(/^(\w+)=(?:'([^']*)'|"([^"]*)")$/gm))
    variables.set(name, literal ?? expanded(text));
  const commands = [...guide.matchAll(/create secret generic (\S+) ((?:\\\n +--from-literal=[^\\\n]*)+)/g)];
  const added = (secret: string) =>
    [...guide.matchAll(/patch secret (\S+) \\\n +--patch "stringData: \{ ([A-Z_]+): '([^']*)' \}"/g)]
      .filter(([, patched]) => patched === secret)
      .map(([, , name = '', text = '']) => [name, expanded(text)]);
  return Object.fromEntries(
    commands.map(([, secret = '', options = '']) => [
      secret,
      Object.fromEntries([
        ...[...options.matchAll(/--from-literal=([A-Z_]+)="([^"]*)"/g)].map(([, name = '', text = '']) => [
          name,
          expanded(text),
        ]),
        ...added(secret),
      ]) as Environment,
    ]),
  );
}
