import type { Cell } from '../cells.ts';

export type JobOrder = 'forward' | 'reverse' | 'random';

/** What the load generator is told to do. */
export interface LoadOrder {
  /** Connections are shared out among them. */
  readonly ports: readonly number[];
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly cell: Cell;
  /** Number of the first job; the others follow. */
  readonly firstJob: number;
  readonly jobs: number;
  /** In which order the jobs are asked for; `forward` is the order of their import and the default. */
  readonly order?: JobOrder;
  /** No request is begun after so long. */
  readonly seconds: number;
  /** Of the Idempotency-Keys, each request having one of its own. */
  readonly keyPrefix: string;
}

/** What has come of it. */
export interface LoadReport {
  /** On the clock that all processes of the machine share. */
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly acceptedRequests: number;
  readonly acceptedJobs: number;
  /** Asked for, accepted or not. */
  readonly issuedJobs: number;
  /** Answers of 503, after which a request is sent again. */
  readonly retries: number;
  /** The first answer that was neither, if any. */
  readonly refusal: string | undefined;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of the load generator, without the preparation. */
  readonly cpuSeconds: number;
}

export function sharedClockMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
