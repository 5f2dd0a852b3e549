import { spawnSync } from 'node:child_process';

const setpriv = ['setpriv', '--pdeathsig', 'KILL', '--'];
let wrapper: readonly string[] | undefined;

/** Returns the start of a command line. On Linux, the kernel then kills the command when this process dies. */
export function endWithParent(): readonly string[] {
  wrapper ??= spawnSync('setpriv', ['--pdeathsig', 'KILL', '--', 'true']).status === 0 ? setpriv : [];
  return wrapper;
}
