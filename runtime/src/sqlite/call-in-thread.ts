import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Fault } from '../fault.ts';
import { methodsOf, type Called, type SqliteCalls } from './sqlite-calls.ts';
import type { Opening, Refusal, Reply, Request } from './sqlite-thread.ts';
import { StartupError } from '../startup-error.ts';

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
