import type { Machine } from './report/machine.ts';
import type { RawFigures } from './raw/measure-raw.ts';
import type { RunFigures } from './run-cell.ts';

/** Results of a bench run. `--json` prints them, with the targets. */
export interface Figures {
  readonly machine: Machine;
  readonly rounds: number;
  readonly jobs: number;
  readonly runs: readonly RunFigures[];
  readonly raw: readonly RawFigures[];
  readonly embedded: readonly RunFigures[];
  readonly growth: readonly { readonly jobs: number; readonly runs: readonly RunFigures[] }[];
  readonly replicas: readonly { readonly replicas: number; readonly runs: readonly RunFigures[] }[];
  readonly backlog: Backlog | undefined;
}

export interface Backlog {
  readonly jobs: number;
  readonly acceptedPerSecond: number;
  readonly drainSeconds: number;
  readonly removedPerSecond: number;
  /** Peak memory during the first and the second half of the jobs, either accepted or removed. */
  readonly peaks: readonly {
    readonly name: string;
    readonly firstHalfMib: number;
    readonly secondHalfMib: number;
  }[];
}
