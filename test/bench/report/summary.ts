import { cellName, type Cell } from '../cells.ts';
import type { RunFigures } from '../run-cell.ts';
import { median } from './statistics.ts';

export type RunNumber = 'acceptedPerSecond' | 'removedPerSecond' | 'p50Ms' | 'p99Ms';

/** Returns the values of one system in one cell, one per round. */
export function rounds(runs: readonly RunFigures[], system: string, cell: Cell, field: RunNumber): number[] {
  return runs.filter((run) => run.system === system && run.cell === cellName(cell)).map((run) => run[field]);
}

/** Returns the median, or NaN when nothing was measured. */
export function medianOf(runs: readonly RunFigures[], system: string, cell: Cell, field: RunNumber): number {
  return median(rounds(runs, system, cell, field));
}

export interface ProcessSummary {
  readonly name: string;
  readonly cpuSecondsPer1000Jobs: number;
  readonly peakMib: number;
}

/** Returns the median cost and the maximum peak of each process. */
export function processesOf(runs: readonly RunFigures[], system: string, cell: Cell): ProcessSummary[] {
  const of = runs.filter((run) => run.system === system && run.cell === cellName(cell));
  return (of[0]?.processes ?? []).map(({ name }, index) => ({
    name,
    cpuSecondsPer1000Jobs: median(of.map((run) => run.processes[index]?.cpuSecondsPer1000Jobs ?? NaN)),
    peakMib: Math.max(...of.map((run) => run.processes[index]?.peakMib ?? NaN)),
  }));
}
