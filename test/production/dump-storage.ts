import { receiveMessageOnPort, MessageChannel, Worker } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import type { Stored } from './cluster-aftermath.ts';

/** For the thread: what to dump, and where the answer goes. */
export interface DumpRequest extends Stored {
  readonly isAnswered: Int32Array;
}

let dumper: ((stored: Stored) => string) | undefined;

/**
 * Every document of every collection, and how far every topic goes: two equal dumps say that nothing has changed
 * between them. It waits as a read of a file does, so that nothing of this thread happens meanwhile; the drivers,
 * which can't, are in a thread of their own.
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
