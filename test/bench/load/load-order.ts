import type { Cell } from '../cells.ts';

export type JobOrder = 'forward' | 'reverse' | 'random';

/** Instructions for the load generator. */
export interface LoadOrder {
  /** Target ports. The connections are spread over them. */
  readonly ports: readonly number[];
  readonly path: string;
  /** Default: DELETE. A GET has no body, and names no job. */
  readonly method?: 'DELETE' | 'GET';
  readonly headers: Readonly<Record<string, string>>;
  readonly cell: Cell;
  /** Number of the first job. The other jobs have the following numbers. */
  readonly firstJob: number;
  readonly jobs: number;
  /** Order of the job ids in the requests. Default: `forward`, the order of their import. */
  readonly order?: JobOrder;
  /** Seconds after which no new request starts. */
  readonly seconds: number;
  /** Prefix of the Idempotency-Keys. Each request has its own key. Absent: no keys, and no request is repeated. */
  readonly keyPrefix?: string;
  /** Sends the requests again and again until the time is over. For requests without effect. */
  readonly repeat?: boolean;
  /** Headers of several accounts, which send in rotation. The jobs of each account have the numbers from `firstJob` on. */
  readonly accounts?: readonly Readonly<Record<string, string>>[];
}

export interface LoadReport {
  /** Time on the clock that all processes of the machine share. */
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly acceptedRequests: number;
  readonly acceptedJobs: number;
  /** Jobs in all sent requests, accepted or not. */
  readonly issuedJobs: number;
  /** Number of 503 responses. A request with a key is sent again after each. */
  readonly retries: number;
  /** First response other than 200 and 503. */
  readonly refusal: string | undefined;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of the load generator, without the preparation. */
  readonly cpuSeconds: number;
}

export function sharedClockMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
