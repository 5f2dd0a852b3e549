import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isEmbedded } from '@jobs-delete/deleter-service/config';
import type { CliConfig } from '../config.ts';
import { ok, warning, type Finding } from './finding.ts';

/** Warns of files that another user of the machine can read or write. They hold jobs, and what tokens are hashed with. */
export function examineDataFolder(config: CliConfig): readonly Finding[] {
  // Windows has no such modes.
  if (!isEmbedded(config) || process.platform === 'win32') return [];
  const found = ownPaths(config).filter((path) => existsSync(path));
  const loose = found.filter((path) => (statSync(path).mode & 0o077) !== 0);
  if (found.length === 0) return [];
  if (loose.length === 0) return [ok('data_folder', `${config.dataDir} is for its owner only`)];
  const message = `Other users of this machine may use ${loose.join(', ')}`;
  return [warning('data_folder', message, `Run chmod go= ${loose.map(quoted).join(' ')}`)];
}

function ownPaths({ dataDir, database, eventLog }: CliConfig): string[] {
  const own = ['credential-pepper', 'demo.json', 'serve.lock'].map((name) => join(dataDir, name));
  const databases = [
    ...(database.kind === 'sqlite' ? withJournals(database.path) : []),
    ...(eventLog.kind === 'embedded' ? withJournals(eventLog.path) : []),
  ];
  return [dataDir, ...own, ...databases];
}

/** SQLite's journals have the names of the file and a suffix. */
function withJournals(path: string): string[] {
  return ['', '-wal', '-shm', '-journal'].map((suffix) => path + suffix);
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
