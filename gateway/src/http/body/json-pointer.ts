import { echo } from '../answer/echo.ts';

/** Names and indexes from the root to a value, outermost first. */
export type JsonPath = readonly (string | number)[];

/** RFC 6901. Names are the caller's, so that a long one is cut, and the pointer then shows but doesn't resolve. */
export function jsonPointer(path: JsonPath): string {
  return path
    .map((token) => (typeof token === 'number' ? `/${String(token)}` : `/${escape(token)}`))
    .join('');
}

function escape(name: string): string {
  return echo(name).replaceAll('~', '~0').replaceAll('/', '~1');
}
