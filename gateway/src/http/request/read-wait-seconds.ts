import type { Refusal } from '../answer/refusal.ts';

/** Reads `wait` from the query of a URL: a whole number from 0 to 30. Other parameters are ignored. Default: 0. */
export function readWaitSeconds(url: string): number | Refusal {
  const start = url.indexOf('?');
  const values = start === -1 ? [] : new URLSearchParams(url.slice(start + 1)).getAll('wait');
  if (values.length === 0) return 0;
  if (values.length === 1 && /^(?:[0-9]|[12][0-9]|30)$/.test(values[0] ?? '')) return Number(values[0]);
  return { code: 'query_invalid', parameter: 'wait' };
}
