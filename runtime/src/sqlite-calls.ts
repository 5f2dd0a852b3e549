import { Fault } from './fault.ts';
import { withSqlite } from './open-sqlite.ts';

/** What can be asked of one database file, by name: synchronous, with values and results that can be cloned. */
export type SqliteCalls = Readonly<Record<string, (...values: never[]) => unknown>> & {
  /** The last of them. */
  readonly close: () => void;
};

/** The same as methods of a port: each resolves with the result, or rejects with a Fault only. */
export type Called<Calls> = {
  readonly [Name in keyof Calls]: Calls[Name] extends (...values: infer Values) => infer Result
    ? (...values: Values) => Promise<Result>
    : never;
};

/** Each call is done at once, on the thread it is made from, which waits for the disk meanwhile. */
export function callHere<Calls extends SqliteCalls>(calls: Calls): Called<Calls> {
  let closed = false;
  const methods = Object.entries(calls).map(([name, call]) => [
    name,
    (...values: never[]) =>
      new Promise((resolve) => {
        // A prepared statement of libsql outlives its database.
        if (closed && name !== 'close') throw new FileClosed();
        if (name === 'close') closed = true;
        resolve(withSqlite(() => call(...values)));
      }),
  ]);
  return Object.fromEntries(methods) as Called<Calls>;
}

export class FileClosed extends Fault {
  constructor() {
    super('unavailable', 'SQLite: the file is closed');
  }
}
