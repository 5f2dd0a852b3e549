import { cellName, type Cell } from '../cells.ts';
import type { ProcessFigures, RunFigures } from '../run-cell.ts';

export type RunNumber = 'acceptedPerSecond' | 'removedPerSecond' | 'p50Ms' | 'p99Ms';

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** Returns the difference of maximum and minimum, divided by the median. */
export function spread(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / median(values);
}

/** Returns the runs of one system in one cell, one per round. */
export function runsOf(runs: readonly RunFigures[], system: string, cell: Cell): RunFigures[] {
  return runs.filter((run) => run.system === system && run.cell === cellName(cell));
}

/** Returns the median, or NaN when nothing was measured. */
export function medianOf(runs: readonly RunFigures[], system: string, cell: Cell, field: RunNumber): number {
  return median(runsOf(runs, system, cell).map((run) => run[field]));
}

/** Returns the median cost and the maximum peak of each process. */
export function processesOf(runs: readonly RunFigures[]): ProcessFigures[] {
  return (runs[0]?.processes ?? []).map(({ name }, index) => ({
    name,
    cpuSecondsPer1000Jobs: median(runs.map((run) => run.processes[index]?.cpuSecondsPer1000Jobs ?? NaN)),
    peakMib: Math.max(...runs.map((run) => run.processes[index]?.peakMib ?? NaN)),
  }));
}
