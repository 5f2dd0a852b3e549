import { readFileSync, writeFileSync } from 'node:fs';

export interface Usage {
  readonly cpuSeconds: number;
  readonly peakMib: number;
}

/** Unit of the CPU times in /proc, the same on all machines. */
const ticksPerSecond = 100;

/** Returns the user and system time of a process since its start. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
  // The name in parentheses may contain any character. utime and stime are the 12th and 13th field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Returns the peak resident memory of a process since resetPeak. */
export function peakMib(pid: number): number {
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1];
  return Number(kib) / 1_024;
}

export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${String(pid)}/clear_refs`, '5');
}
