import { readFileSync } from 'node:fs';

/** The most MiB that the process has had in memory so far. */
export function peakResidentMib(pid: number | undefined): number {
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1];
  return Math.round(Number(kib) / 1_024);
}
