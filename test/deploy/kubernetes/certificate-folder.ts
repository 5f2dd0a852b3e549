import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority, mountSecret, type Authority } from '@jobs-delete/runtime/testing/certificates';

/** Of each role, what its certificate is issued for. */
export const certificateNames: Readonly<Record<string, string>> = {
  api: 'api',
  gateway: 'gateway.jobs-delete.svc',
};
const folders = new Map<string, string>();
let authority: Authority | undefined;
process.once('exit', () => {
  for (const folder of folders.values()) rmSync(folder, { recursive: true, force: true });
});

/** As the Secret with the role's certificate is mounted. */
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
