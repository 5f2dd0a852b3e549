import { echo } from '../answer/echo.ts';

/** Names and indexes from the root to a value, outermost first. */
export type JsonPath = readonly (string | number)[];

/** Formats an RFC 6901 pointer. Cuts a long name, and then the pointer no longer resolves. */
export function jsonPointer(path: JsonPath): string {
  return path
    .map((token) => (typeof token === 'number' ? `/${String(token)}` : `/${escape(token)}`))
    .join('');
}

function escape(name: string): string {
  return echo(name).replaceAll('~', '~0').replaceAll('/', '~1');
}
