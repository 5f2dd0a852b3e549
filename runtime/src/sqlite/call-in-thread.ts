import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Fault } from '../fault.ts';
import { methodsOf, type Called, type SqliteCalls } from './sqlite-calls.ts';
import type { Asked, Opening, Refusal, Reply } from './sqlite-thread.ts';
import { StartupError } from '../startup-error.ts';

/**
 * Opens a database file in a thread of its own, and closes it with the thread. What is asked of it is done there, in the
 * order of asking, so that nobody else waits for the disk.
 * @param module compiled, of the function that opens it
 * @param name of that function
 * @throws what the function throws
 */
export async function callInThread<Open extends (...values: never[]) => SqliteCalls>(
  module: URL,
  name: string,
  ...values: Parameters<Open>
): Promise<Called<ReturnType<Open>>> {
  const workerData: Opening = { module: module.href, name, values };
  // The compiled script, from the source too: Node runs nothing else in a thread.
  const script = new URL('../../dist/sqlite/sqlite-thread.js', import.meta.url);
  const thread = new Worker(fileURLToPath(script), { workerData, resourceLimits });
  // Nobody could go on without it, nor without knowing what it has done: this ends the process.
  thread.on('error', (error) => {
    throw error;
  });
  const ask = askInOrder(thread);
  const names = (await ask()) as string[];
  return methodsOf(names, (call, given) => ask({ call, given }));
}

/** Room for the young objects of a call or two: more of it fills with garbage, 30 MiB under load, and gains nothing. */
const resourceLimits = { maxYoungGenerationSizeMb: 6 };

/** A thread answers in the order of asking; first of all, unasked, how the opening went. */
function askInOrder(thread: Worker) {
  const waiting: { resolve: (result: unknown) => void; reject: (reason: Error) => void }[] = [];
  thread.on('message', (reply: Reply) => {
    const next = waiting.shift();
    if (waiting.length === 0) thread.unref();
    if ('result' in reply) next?.resolve(reply.result);
    else next?.reject(errorOf(reply));
  });
  return (asked?: Asked) =>
    new Promise<unknown>((resolve, reject) => {
      // First, as it throws where something can't be cloned: who waits for no answer would be given another's.
      if (asked !== undefined) thread.postMessage(asked);
      // It holds the process as long as somebody waits for it, and no longer.
      if (waiting.push({ resolve, reject }) === 1) thread.ref();
    });
}

function errorOf({ refused, message, cause }: Refusal): Error {
  return refused === 'startup' ? new StartupError(message, { cause }) : new Fault(refused, message, cause);
}
