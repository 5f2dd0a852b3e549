import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Fault } from '../fault.ts';
import { withSqlite } from './open-sqlite.ts';
import type { Opening, Refusal, Reply, Request } from './sqlite-thread.ts';
import { StartupError } from '../startup-error.ts';

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

/**
 * Opens a database file in a worker thread, where all calls run in order. The main thread never waits for the disk.
 * @param module the compiled module of the function that opens the file
 * @param name the name of that function
 * @throws what the function throws
 */
export async function callInThread<Open extends (...values: never[]) => SqliteCalls>(
  module: URL,
  name: string,
  ...values: Parameters<Open>
): Promise<Called<ReturnType<Open>>> {
  const workerData: Opening = { module: module.href, name, values };
  // Tests run from the source, but a worker needs the compiled script.
  const script = new URL('../../dist/sqlite/sqlite-thread.js', import.meta.url);
  const thread = new Worker(fileURLToPath(script), { workerData, resourceLimits });
  // The outcome of pending calls would be unknown: end the process.
  thread.on('error', (error) => {
    throw error;
  });
  const send = sendInOrder(thread);
  const names = (await send()) as string[];
  return methodsOf(names, (call, values) => send({ call, values }));
}

/** Enough for a call or two. The default fills with 30 MiB of garbage under load and is not faster. */
const resourceLimits = { maxYoungGenerationSizeMb: 6 };

/** The thread replies in order. Its first reply, to no request, is the result of opening the file. */
function sendInOrder(thread: Worker) {
  const waiting: { resolve: (result: unknown) => void; reject: (reason: Error) => void }[] = [];
  thread.on('message', (reply: Reply) => {
    const next = waiting.shift();
    if (waiting.length === 0) thread.unref();
    if ('result' in reply) next?.resolve(reply.result);
    else next?.reject(errorOf(reply));
  });
  return (request?: Request) =>
    new Promise<unknown>((resolve, reject) => {
      // Before waiting.push: when postMessage throws, no reply will come.
      if (request !== undefined) thread.postMessage(request);
      // The thread keeps the process alive only while a caller waits.
      if (waiting.push({ resolve, reject }) === 1) thread.ref();
    });
}

function errorOf({ refused, message, cause }: Refusal): Error {
  return refused === 'startup' ? new StartupError(message, { cause }) : new Fault(refused, message, cause);
}
