import { rmSync } from 'node:fs';
import { ImportError } from '../import/import-record.ts';
import { SourceError } from '../import/open-source.ts';
import type { Io } from '../io.ts';
import { printable } from '../printable.ts';
import { Refusal } from '../refusal.ts';
import type { DeletionOrder } from './deletion-order.ts';
import { InputChangedError } from './id-input.ts';
import { lockJournal } from './lock-journal.ts';
import { prepareRun } from './prepare-run.ts';
import { reportRun, type RunReportOptions } from './report-run.ts';
import { createClient, Interruption, sendRequests } from './run-deletion.ts';
import { waitForRemoval } from './wait-for-removal.ts';

/**
 * Begins the run, or continues it by its journal, and reports its outcome. Closes the input.
 * @throws Refusal
 */
export async function runOrder(io: Io, order: DeletionOrder, options: RunReportOptions): Promise<void> {
  const { input, inputName } = order;
  const unlock = lockJournal(order.journal.path, io.lockFile);
  try {
    createClient(io, order);
    await run(io, order, options);
  } catch (error) {
    throw readingError(inputName, error);
  } finally {
    unlock();
    await input.close();
  }
}

async function run(io: Io, order: DeletionOrder, options: RunReportOptions): Promise<void> {
  const stopping = new AbortController();
  const disarm = io.onInterrupt(() => stopping.abort(new Interruption()));
  try {
    const journal = await prepareRun(io, order);
    try {
      // Nothing else tells where it is if the process is killed.
      if (!order.journal.isFound)
        io.stderr.write(`To continue after an interruption, add --journal ${printable(journal.path)}\n`);
      const stop =
        (await sendRequests(io, order, journal, stopping.signal)) ??
        (order.wait ? await waitForRemoval(io, order, journal, stopping.signal) : undefined);
      const isNeeded = await reportRun(io, order, journal, stop, options);
      if (!journal.run.named && !isNeeded) rmSync(journal.path, { force: true });
    } finally {
      journal.close();
    }
  } finally {
    disarm();
  }
}

/** Returns what to throw for an error while the input is read. */
export function readingError(inputName: string, error: unknown): unknown {
  if (error instanceof SourceError) return new Refusal(`Cannot read ${inputName}: ${error.message}.`);
  if (error instanceof ImportError)
    return new Refusal(`${inputName}, line ${String(error.line)}: ${error.message}.`);
  if (error instanceof InputChangedError) return new Refusal(`${inputName} changed while it was read.`);
  return error;
}
