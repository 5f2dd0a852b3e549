import cliProgress from 'cli-progress';
import type { Output } from '../io.ts';
import { wholeNumber } from '../report.ts';

export interface Progress {
  update(bytesRead: number, records: number): void;
  stop(): void;
}

/** Shows a progress bar on a terminal, by bytes if the size is known. Clears it at the end. */
export function startProgress(output: Output, sizeBytes: number | undefined): Progress {
  if (!output.isTTY) return { update: () => undefined, stop: () => undefined };
  const known = sizeBytes !== undefined && sizeBytes > 0;
  const bar = new cliProgress.SingleBar({
    stream: output,
    format: known ? 'Importing [{bar}] {percentage}%  {records} jobs' : 'Importing  {records} jobs',
    clearOnComplete: true,
    hideCursor: null,
  });
  bar.start(known ? sizeBytes : 1, 0, { records: 0 });
  return {
    update: (bytesRead, records) => {
      bar.update(known ? Math.min(bytesRead, sizeBytes) : 0, { records: wholeNumber(records) });
    },
    stop: () => {
      bar.stop();
    },
  };
}
