import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDataFolderLocked } from '@jobs-delete/runtime/sqlite/lock-data-folder';

/** The port that `serve` has picked for `DASHBOARD_PORT=0`, for the commands beside it. */
const pathIn = (dataDir: string) => join(dataDir, 'dashboard.port');

/** Returns a function that removes the file. */
export function writeDashboardPort(dataDir: string, port: number): () => void {
  const path = pathIn(dataDir);
  writeFileSync(path, String(port), { mode: 0o600 });
  return () => rmSync(path, { force: true });
}

/** Returns undefined while nothing serves from the folder: a process that was killed leaves its file. */
export function readDashboardPort(dataDir: string): string | undefined {
  if (!isDataFolderLocked(dataDir)) return undefined;
  try {
    return readFileSync(pathIn(dataDir), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
