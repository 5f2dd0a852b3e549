import { spawnSync } from 'node:child_process';
import type { User } from '../harness/programs.ts';

/** As in the image: nobody who owns the programs. @returns why not, where the tests can't start them as another */
export function unprivilegedUser(): User | string {
  const user = { uid: 65_534, gid: 65_534 };
  if (process.getuid?.() !== 0) return 'the tests do not run as root';
  const { status, error } = spawnSync(process.execPath, ['--version'], { ...user, cwd: '/' });
  return status === 0 ? user : `user 65534 cannot run ${process.execPath}: ${String(error ?? status)}`;
}
