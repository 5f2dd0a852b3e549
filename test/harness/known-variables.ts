import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { secretVariables } from '@jobs-delete/runtime/config/secret-files';
import { root } from '../readme/readme.ts';

const workspaces = ['runtime', 'accounts', 'deleter-service', 'gateway', 'dashboard', 'cli'];

/** Matches one variable of a schema: its name, the start of its type, and the rest of the line. */
const variable = /^ {2,6}([A-Z]+(?:_[A-Z]+)*): (z|integer|oneOf|\w+Variable|name)\b(.*)$/gm;

/**
 * Returns every environment variable of the schemas in the sources, with its default if it is a literal, and the file of each
 * secret.
 */
export function knownVariables(): ReadonlyMap<string, string | undefined> {
  const sources = workspaces.flatMap((workspace) => {
    const folder = join(root, workspace, 'src');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const isSource = (file: string) => file.endsWith('.ts') && !file.endsWith('.spec.ts');
    return files.filter(isSource).map((file) => readFileSync(join(folder, file), 'utf8'));
  });
  const found = sources.flatMap((source) => [...source.matchAll(variable)]);
  const files = secretVariables.map((name) => [`${name}_FILE`, undefined] as const);
  const variables = found.map(
    ([, name = '', type = '', rest = '']) => [name, defaultOf(type, rest)] as const,
  );
  return new Map([...files, ...variables]);
}

/** Returns the last argument of `integer` and `oneOf`, or the argument of `default`, without quotes. */
function defaultOf(type: string, rest: string): string | undefined {
  if (type === 'integer') return /([\d_]+)\),$/.exec(rest)?.[1]?.replaceAll('_', '');
  const pattern = type === 'oneOf' ? /'([^']*)'\),$/ : /\.default\('([^']*)'\),$/;
  return pattern.exec(rest)?.[1];
}
