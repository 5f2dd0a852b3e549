import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority, mountSecret, type Authority } from '@jobs-delete/runtime/testing/certificates';

/** The name in each role's certificate. */
export const certificateNames: Readonly<Record<string, string>> = {
  api: 'api',
  gateway: 'gateway.jobs-delete.svc',
  dashboard: 'dashboard.jobs-delete.svc',
};
const folders = new Map<string, string>();
let authority: Authority | undefined;
process.once('exit', () => {
  for (const folder of folders.values()) rmSync(folder, { recursive: true, force: true });
});

/** Returns a folder with the role's certificate, mounted as its Secret. */
export function certificateFolder(role: string): string {
  const known = folders.get(role);
  if (known !== undefined) return known;
  const folder = mkdtempSync(join(tmpdir(), 'jobs-delete-certificate-'));
  folders.set(role, folder);
  authority ??= createAuthority('the authority of the cluster');
  const issued = authority.issue([certificateNames[role] ?? role]);
  mountSecret(folder, { ...issued, trusted: authority.certificate });
  return folder;
}
