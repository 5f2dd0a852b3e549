import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDataFolderLocked } from '@jobs-delete/runtime/sqlite/lock-data-folder';

/** The port that `serve` has picked for `DASHBOARD_PORT=0`, for the commands beside it. */
export const dashboardPortFile = 'dashboard.port';
const pathIn = (dataDir: string) => join(dataDir, dashboardPortFile);

export function writeDashboardPort(dataDir: string, port: number): void {
  writeFileSync(pathIn(dataDir), String(port), { mode: 0o600 });
}

/** A process that was killed leaves its file. */
export function removeDashboardPort(dataDir: string): void {
  rmSync(pathIn(dataDir), { force: true });
}

/** Returns the address of the dashboard that serves from the folder; undefined if none has picked a port. */
export function pickedDashboardUrl(dataDir: string): string | undefined {
  const path = pathIn(dataDir);
  // The look at the lock takes it for a moment, so only where it decides.
  if (!existsSync(path) || !isDataFolderLocked(dataDir)) return undefined;
  return `http://localhost:${readFileSync(path, 'utf8')}`;
}
