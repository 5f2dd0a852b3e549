import type { Cell, Format } from '../cells.ts';

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

/** Odd factor. Consecutive jobs get ids at distant places of the index, like real job ids. */
const factor = 2_654_435_761n;
const mask = (1n << 40n) - 1n;

/** Returns the id of a numbered job: 10 characters, different for each number. */
export function jobId(number: number): string {
  const scattered = (BigInt(number) * factor) & mask;
  return `JB${scattered.toString(36).toUpperCase().padStart(8, '0')}`;
}

export function jobIds(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => jobId(from + index));
}

/** Posting of a typical size, the same for every job. */
export const posting = { title: 'Night nurse, cardiology (m/f/d)' } as const;

/** Returns the requests of an order as bytes. Prepared before the measurement starts. */
export function requestBytes(order: LoadOrder): Buffer[] {
  const { cell, firstJob, jobs, path, keyPrefix, method = 'DELETE', accounts = [order.headers] } = order;
  const heads = accounts.map((headers) => {
    const fixed = { Host: '127.0.0.1', ...headers, 'Content-Type': `application/${cell.format}` };
    return `${method} ${path} HTTP/1.1\r\n${lines(fixed)}`;
  });
  if (method === 'GET') return heads.map((head) => Buffer.from(`${head}\r\n`, 'latin1'));
  return Array.from({ length: Math.floor(jobs / cell.ids) }, (_, index) => {
    const own = Math.floor(index / heads.length);
    const body = bodyOf(jobIds(firstJob + own * cell.ids, cell.ids), cell.format);
    const rest = {
      ...(keyPrefix !== undefined && { 'Idempotency-Key': `${keyPrefix}-${String(index)}` }),
      'Content-Length': String(body.length),
    };
    return Buffer.from(`${heads[index % heads.length] ?? ''}${lines(rest)}\r\n${body}`, 'latin1');
  });
}

function lines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

/** Returns a body of ASCII characters only, so its length in characters is its length in bytes. */
export function bodyOf(ids: readonly string[], format: Format): string {
  if (format === 'json') return JSON.stringify({ jobs: { job: ids.map((id) => ({ id })) } });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<jobs>${ids.map((id) => `<job><id>${id}</id></job>`).join('')}</jobs>`;
}

/** Instructions for callers with unknown tokens. */
export interface UnauthenticatedOrder {
  readonly port: number;
  readonly path: string;
  /** Number of source addresses, from 127.0.1.0 on. */
  readonly addresses: number;
  /** Each has one request in flight, without a pause. */
  readonly connections: number;
  /** Further connections, which send nothing. */
  readonly idle: number;
  /** Further connections, which send a byte of a header each second. */
  readonly slow: number;
  readonly seconds: number;
}

/** Answers by status, in a second. */
export type UnauthenticatedReport = Readonly<Record<string, number>>;
