import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Copies a checkout as `COPY . .` does: without the files that .dockerignore names.
 * @param more paths of further empty files, as an operator's checkout may have
 */
export function copyDockerContext(checkout: string, target: string, more: readonly string[] = []): void {
  const isIgnored = readDockerIgnore(readFileSync(join(checkout, '.dockerignore'), 'utf8'));
  const copyFolder = (folder: string) => {
    for (const entry of readdirSync(join(checkout, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (isIgnored(path)) continue;
      if (entry.isDirectory()) copyFolder(path);
      else {
        mkdirSync(join(target, folder), { recursive: true });
        copyFileSync(join(checkout, path), join(target, path));
      }
    }
  };
  copyFolder('');
  for (const path of more.filter((candidate) => !isIgnored(candidate))) {
    mkdirSync(join(target, dirname(path)), { recursive: true });
    writeFileSync(join(target, path), '');
  }
}

/** Patterns match from the root. Files below a match are ignored too. Exceptions (`!`) are not supported. */
function readDockerIgnore(text: string): (path: string) => boolean {
  const patterns = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  if (patterns.some((pattern) => pattern.startsWith('!'))) throw new Error('exceptions are not supported');
  const matchers = patterns.map((pattern) => {
    const source = pattern
      .replace(/[.+^$()|{}]/g, '\\$&')
      .replace(/\*\*\/|\*|\?/g, (wildcard) =>
        wildcard === '**/' ? '(?:.*/)?' : wildcard === '*' ? '[^/]*' : '[^/]',
      );
    return new RegExp(`^${source}(?:/|$)`);
  });
  return (path) => matchers.some((matcher) => matcher.test(path));
}
