import { receiveMessageOnPort, MessageChannel, Worker } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import type { Stored } from './cluster-aftermath.ts';

/** The thread's input: the storage, and the port for the answer. */
export interface DumpRequest extends Stored {
  readonly isAnswered: Int32Array;
}

let dumper: ((stored: Stored) => string) | undefined;

/**
 * Returns every document of every collection, and the end offset of every topic. Equal dumps mean that nothing has
 * changed, except what a refused request records: the times when a credential was last refused and a domain last used, and
 * the counts of refusals. Blocks this thread, like reading a file: the asynchronous drivers run in another thread.
 */
export function dumpStorage({ databaseUrl, kafka }: Stored): string {
  dumper ??= startDumper();
  return dumper({ databaseUrl, kafka });
}

function startDumper() {
  const { port1: ours, port2: theirs } = new MessageChannel();
  const file = fileURLToPath(new URL('../dist/production/dump-thread.js', import.meta.url));
  const worker = new Worker(file, { workerData: theirs, transferList: [theirs], execArgv: [] });
  worker.unref();
  ours.unref();
  return (stored: Stored): string => {
    const isAnswered = new Int32Array(new SharedArrayBuffer(4));
    const request: DumpRequest = { ...stored, isAnswered };
    ours.postMessage(request);
    if (Atomics.wait(isAnswered, 0, 0, 30_000) === 'timed-out') throw new Error('no dump within 30 s');
    const answer = receiveMessageOnPort(ours)?.message as { dump?: string; error?: string } | undefined;
    if (answer?.dump === undefined) throw new Error(`no dump: ${answer?.error ?? 'no answer'}`);
    return answer.dump;
  };
}
