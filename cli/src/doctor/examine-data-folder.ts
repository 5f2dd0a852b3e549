import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isEmbedded } from '@jobs-delete/deleter-service/config';
import type { CliConfig } from '../config.ts';
import { ok, warning, type Finding } from './finding.ts';

/** Warns of files that other users can access. They contain jobs and the key of the token hashes. */
export function examineDataFolder(config: CliConfig): readonly Finding[] {
  // Windows has no file modes.
  if (!isEmbedded(config) || process.platform === 'win32') return [];
  const found = ownPaths(config).filter((path) => existsSync(path));
  const loose = found.filter((path) => (statSync(path).mode & 0o077) !== 0);
  if (found.length === 0) return [];
  if (loose.length === 0) return [ok('data_folder', `only the owner can access ${config.dataDir}`)];
  const message = `Other users of this machine can access ${loose.join(', ')}`;
  return [warning('data_folder', message, `Run chmod go= ${loose.map(quoted).join(' ')}`)];
}

function ownPaths({ dataDir, database, eventLog }: CliConfig): string[] {
  const own = ['credential-pepper', 'demo.json', 'serve.lock'].map((name) => join(dataDir, name));
  const databases = [
    ...[database, eventLog].flatMap((storage) => ('path' in storage ? withJournals(storage.path) : [])),
  ];
  return [dataDir, ...own, ...databases];
}

/** Returns the database file and SQLite's journals. */
function withJournals(path: string): string[] {
  return ['', '-wal', '-shm', '-journal'].map((suffix) => path + suffix);
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
