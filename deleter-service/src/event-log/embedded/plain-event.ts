import type { EventRecord } from '../event-log.ts';

/** An event for the thread of the database file. Texts only: to clone a small Buffer copies the whole pool behind it. */
export type PlainEvent = readonly [key: string, headers: string, latin1Value: string];

export function toPlainEvent({ key, headers, value }: EventRecord): PlainEvent {
  return [key, JSON.stringify(headers), value.toString('latin1')];
}

export function fromPlainEvent([key, headers, latin1Value]: PlainEvent): EventRecord {
  return {
    key,
    headers: JSON.parse(headers) as Record<string, string>,
    value: Buffer.from(latin1Value, 'latin1'),
  };
}

/** Returns the columns of a row: key, headers, value. */
export function toColumns([key, headers, latin1Value]: PlainEvent): [string, string, Buffer] {
  return [key, headers, Buffer.from(latin1Value, 'latin1')];
}

export function fromColumns(key: string, headers: string, value: Buffer): PlainEvent {
  return [key, headers, value.toString('latin1')];
}
