import cliProgress from 'cli-progress';
import type { Io, Output } from './io.ts';
import { wholeNumber } from './report.ts';

export interface DeletionProgress {
  /** @param doneJobs accepted and refused, with those of earlier runs */
  update(doneJobs: number): void;
  stop(): void;
}

/** Time between two lines where there is no terminal. */
const lineEveryMs = 10_000;

/** Shows a bar on a terminal. Elsewhere, prints a line at most every 10 seconds. */
export function startDeletionProgress(
  { stderr, now }: Pick<Io, 'stderr' | 'now'>,
  isSandbox: boolean,
  jobCount: number,
  doneBefore: number,
): DeletionProgress {
  const startedMs = now();
  const pace = (doneJobs: number) => paceText(doneJobs - doneBefore, jobCount - doneJobs, now() - startedMs);
  if (stderr.isTTY) {
    const bar = barOn(stderr, '{verb} [{bar}] {percentage}%  {done} of {all} jobs  {pace}');
    const values = (doneJobs: number) => ({
      verb: isSandbox ? 'Checking in the sandbox' : 'Deleting',
      done: wholeNumber(doneJobs),
      all: wholeNumber(jobCount),
      pace: pace(doneJobs),
    });
    bar.start(jobCount, doneBefore, values(doneBefore));
    return { update: (doneJobs) => bar.update(doneJobs, values(doneJobs)), stop: () => bar.stop() };
  }
  let lastLineMs = startedMs;
  return {
    update: (doneJobs) => {
      if (now() - lastLineMs < lineEveryMs) return;
      lastLineMs = now();
      stderr.write(
        `${wholeNumber(doneJobs)} of ${wholeNumber(jobCount)} jobs${isSandbox ? ' in the sandbox' : ''}, ${pace(doneJobs)}\n`,
      );
    },
    stop: () => undefined,
  };
}

function barOn(stream: Output, format: string): cliProgress.SingleBar {
  return new cliProgress.SingleBar({ stream, format, clearOnComplete: true, hideCursor: null });
}

/** Returns the rate of this run and the time left, such as `23,000 jobs/s, 12 s left`. */
function paceText(doneJobs: number, leftJobs: number, elapsedMs: number): string {
  if (doneJobs <= 0 || elapsedMs <= 0) return 'starting';
  const rate = (doneJobs * 1_000) / elapsedMs;
  return `${wholeNumber(Math.round(rate))} jobs/s, ${timeText(leftJobs / rate)} left`;
}

function timeText(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${String(whole)} s`;
  const minutes = Math.ceil(whole / 60);
  return minutes < 60
    ? `${String(minutes)} min`
    : `${String(Math.floor(minutes / 60))} h ${String(minutes % 60)} min`;
}

export interface ImportProgress {
  update(bytesRead: number, records: number): void;
  stop(): void;
}

/** Shows a progress bar on a terminal, by bytes if the size is known. Clears it at the end. */
export function startImportProgress(output: Output, sizeBytes: number | undefined): ImportProgress {
  if (!output.isTTY) return { update: () => undefined, stop: () => undefined };
  const known = sizeBytes !== undefined && sizeBytes > 0;
  const bar = barOn(
    output,
    known ? 'Importing [{bar}] {percentage}%  {records} jobs' : 'Importing  {records} jobs',
  );
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
