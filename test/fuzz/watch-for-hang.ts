import { Worker } from 'node:worker_threads';
import { maxInputBytes } from './mutate.ts';

/** Prints an input that runs for a minute, and kills the process: its only other thread can't. */
const watcher = `
  const { workerData } = require('node:worker_threads');
  const { writeSync } = require('node:fs');
  const [count, length] = [new Int32Array(workerData, 0, 1), new Int32Array(workerData, 4, 1)];
  let before;
  setInterval(() => {
    if (before === count[0]) {
      const input = Buffer.from(new Uint8Array(workerData, 8, length[0])).toString('latin1');
      writeSync(2, 'This input, in Latin-1, does not end: ' + JSON.stringify(input) + '\\n');
      process.kill(process.pid, 'SIGKILL');
    }
    before = count[0];
  }, 60_000);
`;

/** Returns what to call before each input. */
export function watchForHang(): (input: Buffer) => void {
  const shared = new SharedArrayBuffer(8 + 16 * maxInputBytes);
  const [count, length] = [new Int32Array(shared, 0, 1), new Int32Array(shared, 4, 1)];
  const bytes = new Uint8Array(shared, 8);
  new Worker(watcher, { eval: true, workerData: shared }).unref();
  return (input) => {
    const part = input.subarray(0, bytes.length);
    bytes.set(part);
    length[0] = part.length;
    count[0] = (count[0] ?? 0) + 1;
  };
}
