import { spawnSync } from 'node:child_process';
import type { User } from '../harness/programs.ts';

/** Returns a user who does not own the programs, as in the image, or the reason if none exists. */
export function unprivilegedUser(): User | string {
  const user = { uid: 65_534, gid: 65_534 };
  if (process.getuid?.() !== 0) return 'the tests do not run as root';
  const { status, error } = spawnSync(process.execPath, ['--version'], { ...user, cwd: '/' });
  return status === 0 ? user : `user 65534 cannot run ${process.execPath}: ${String(error ?? status)}`;
}
