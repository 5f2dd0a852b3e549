import { Fault } from '../fault.ts';
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
  const call = (name: string, values: readonly never[]) =>
    new Promise((resolve) => {
      resolve(withSqlite(() => calls[name]?.(...values)));
    });
  return methodsOf(Object.keys(calls), call);
}

/** One method for each name. Once closed the file is used no more, and closing it again is harmless. */
export function methodsOf<Calls>(
  names: readonly string[],
  call: (name: string, values: readonly never[]) => Promise<unknown>,
): Called<Calls> {
  let closing: Promise<unknown> | undefined;
  const methods = names.map((name) => [
    name,
    (...values: readonly never[]) => {
      if (name === 'close') return (closing ??= call(name, values));
      // A prepared statement of libsql outlives its database.
      if (closing) return Promise.reject(new Fault('unavailable', 'SQLite: the file is closed'));
      return call(name, values);
    },
  ]);
  return Object.fromEntries(methods) as Called<Calls>;
}
