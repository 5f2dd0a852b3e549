import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

// Bundles the command for callers, with everything that it imports, into one file. Writes the licences of its packages beside
// it, and what it consists of to metafile.json.

const root = join(import.meta.dirname, '../..');
const dist = join(import.meta.dirname, 'dist');
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'));

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['cli/src/caller-main.ts'],
  outfile: join(dist, 'jobs-delete.cjs'),
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  // An executable can contain no ES module (executable.js).
  format: 'cjs',
  conditions: ['source'],
  define: { bundledVersion: JSON.stringify(version) },
  // Only for the source checkout: a bundle has `bundledVersion`.
  logOverride: { 'empty-import-meta': 'silent' },
  banner: { js: '#!/usr/bin/env node' },
  legalComments: 'none',
  metafile: true,
});
writeFileSync(join(dist, 'metafile.json'), JSON.stringify(metafile));

const folders = Object.keys(metafile.inputs).flatMap(
  (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
);
const licences = [...new Set(folders)].sort().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text =
    file === undefined ? 'The package has no text of it.' : readFileSync(join(root, folder, file), 'utf8');
  return `${name} ${version}: ${license}\n\n${text.trim()}\n`;
});
writeFileSync(join(dist, 'third-party-licences.txt'), licences.join(`\n${'-'.repeat(80)}\n\n`));
