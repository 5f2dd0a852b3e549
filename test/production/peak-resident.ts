import { readFileSync } from 'node:fs';

/** Returns the process's peak of resident memory, in MiB. */
export function peakResidentMib(pid: number | undefined): number {
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1];
  return Math.round(Number(kib) / 1_024);
}
