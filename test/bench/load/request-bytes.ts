import type { Format } from '../cells.ts';
import { jobId } from '../job-ids.ts';
import type { LoadOrder } from './load-order.ts';

/** Returns the requests of an order as bytes. Prepared before the measurement starts. */
export function requestBytes(order: LoadOrder): Buffer[] {
  const { cell, jobs, path, keyPrefix, method = 'DELETE', accounts = [order.headers] } = order;
  const heads = accounts.map((headers) => {
    const fixed = { Host: '127.0.0.1', ...headers, 'Content-Type': `application/${cell.format}` };
    return `${method} ${path} HTTP/1.1\r\n${lines(fixed)}`;
  });
  if (method === 'GET') return heads.map((head) => Buffer.from(`${head}\r\n`, 'latin1'));
  return Array.from({ length: Math.floor(jobs / cell.ids) }, (_, index) => {
    const own = Math.floor(index / heads.length);
    const numbers = Array.from({ length: cell.ids }, (__, job) => numberOf(own * cell.ids + job, order));
    const body = bodyOf(numbers.map(jobId), cell.format);
    const rest = {
      ...(keyPrefix !== undefined && { 'Idempotency-Key': `${keyPrefix}-${String(index)}` }),
      'Content-Length': String(body.length),
    };
    return Buffer.from(`${heads[index % heads.length] ?? ''}${lines(rest)}\r\n${body}`, 'latin1');
  });
}

/** Odd and not a multiple of 5. The steps reach each job of a round number of jobs once. */
const stride = 7_368_787;

function numberOf(position: number, { firstJob, jobs, order = 'forward' }: LoadOrder): number {
  if (order === 'forward') return firstJob + position;
  if (order === 'reverse') return firstJob + jobs - 1 - position;
  return firstJob + ((position * stride) % jobs);
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
