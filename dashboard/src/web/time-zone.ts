import { LRUCache } from 'lru-cache';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** A name of the IANA database, such as `Europe/Paris`. */
export type TimeZone = string;

export const utc: TimeZone = 'UTC';

/** The zone in which the page shows points in time. Days are in UTC everywhere. */
export const TimeZoneContext = createContext<TimeZone>(utc);

export function useTimeZone(): TimeZone {
  return useContext(TimeZoneContext);
}

/** The names that have been checked: a check is slow. There are more zones than are in use. */
const known = new LRUCache<TimeZone, true>({ max: 100 });

/** Returns UTC for a text that names no zone: it comes from a browser. */
export function readTimeZone(text: string | null | undefined): TimeZone {
  if (text === null || text === undefined || !/^[A-Z][\w+-]*(?:\/[\w+-]+)*$/.test(text) || text.length > 64)
    return utc;
  if (known.get(text)) return text;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    known.set(text, true);
    return text;
  } catch {
    return utc;
  }
}
