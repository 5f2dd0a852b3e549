import { Fault } from '../fault.ts';
import { withSqlite } from './open-sqlite.ts';

/** The synchronous functions of one database file. Arguments and results must be cloneable. */
export type SqliteCalls = Readonly<Record<string, (...values: never[]) => unknown>> & {
  /** The last call. */
  readonly close: () => void;
};

/** The same functions as asynchronous methods, which reject only with a Fault. */
export type Called<Calls> = {
  readonly [Name in keyof Calls]: Calls[Name] extends (...values: infer Values) => infer Result
    ? (...values: Values) => Promise<Result>
    : never;
};

/** Runs each call on the calling thread, which waits for the disk. */
export function callHere<Calls extends SqliteCalls>(calls: Calls): Called<Calls> {
  const call = (name: string, values: readonly never[]) =>
    new Promise((resolve) => {
      resolve(withSqlite(() => calls[name]?.(...values)));
    });
  return methodsOf(Object.keys(calls), call);
}

/** Returns a method for each name. After `close` methods reject; a second `close` has no effect. */
export function methodsOf<Calls>(
  names: readonly string[],
  call: (name: string, values: readonly never[]) => Promise<unknown>,
): Called<Calls> {
  let closing: Promise<unknown> | undefined;
  const methods = names.map((name) => [
    name,
    (...values: readonly never[]) => {
      if (name === 'close') return (closing ??= call(name, values));
      // A prepared libsql statement would still work on the closed database.
      if (closing) return Promise.reject(new Fault('unavailable', 'SQLite: the file is closed'));
      return call(name, values);
    },
  ]);
  return Object.fromEntries(methods) as Called<Calls>;
}
