import { parentPort, workerData } from 'node:worker_threads';
import { Fault, type FaultCode } from '../fault.ts';
import { sqliteFault } from './open-sqlite.ts';
import { StartupError } from '../startup-error.ts';

// The script of the worker thread for one database file. sqlite-calls.ts starts it.

export interface Opening {
  readonly module: string;
  readonly name: string;
  readonly values: readonly unknown[];
}

export interface Request {
  readonly call: string;
  readonly values: readonly unknown[];
}

export type Reply = { readonly result: unknown } | Refusal;

/** An error as data: cloning it would lose its class. */
export interface Refusal {
  readonly refused: FaultCode | 'startup';
  readonly message: string;
  readonly cause: string;
}

const { module, name, values } = workerData as Opening;
/** Callers' types guarantee valid names and arguments. */
type Functions<Result> = Readonly<Record<string, (...values: readonly unknown[]) => Result>>;
const openers = (await import(module)) as Functions<Functions<unknown>>;

// Without a listener, after a failed open, the thread ends by itself.
reply(() => {
  const calls = openers[name]?.(...values) ?? {};
  parentPort?.on('message', ({ call, values: args }: Request) => {
    reply(() => calls[call]?.(...args));
    if (call === 'close') parentPort?.close();
  });
  return Object.keys(calls);
});

function reply(use: () => unknown): void {
  try {
    parentPort?.postMessage({ result: use() } satisfies Reply);
  } catch (error) {
    parentPort?.postMessage(refusal(error));
  }
}

function refusal(error: unknown): Refusal {
  const known = error instanceof StartupError ? error : sqliteFault(error);
  const cause = known.cause instanceof Error ? (known.cause.stack ?? '') : String(known.cause);
  return { refused: known instanceof Fault ? known.code : 'startup', message: known.message, cause };
}
