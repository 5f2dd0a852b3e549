import { closeSync, fstatSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { IncompleteError, ProblemError } from '@jobs-delete/client';
import { createPrivateFolder } from '@jobs-delete/runtime/files/private-files';
import { Interruption, type Io } from '../io.ts';
import { printable } from '../report.ts';
import { startDeletionProgress } from '../progress.ts';
import { Refusal } from '../refusal.ts';
import { createClient } from './create-client.ts';
import { readingError, validIds } from './id-input.ts';
import { prepareRun, type DeletionOrder, type PreparedRun } from './prepare-run.ts';
import { reportRun, type Stop } from './report-run.ts';

/**
 * Begins the run, or continues it by its journal, and reports its outcome. Closes the input.
 * @throws Refusal
 */
export async function runDeletion(io: Io, order: DeletionOrder): Promise<void> {
  const { input, inputName, journal } = order;
  try {
    const unlock = lockJournal(journal.path, io.lockFile);
    try {
      // Checks the options before anything is read.
      createClient(io, order);
      await run(io, order);
    } catch (error) {
      throw readingError(inputName, error);
    } finally {
      unlock();
    }
  } finally {
    await input.close();
  }
}

async function run(io: Io, order: DeletionOrder): Promise<void> {
  const { path, isFound } = order.journal;
  const prepared = await prepareRun(io, order);
  const { journal } = prepared;
  // Not earlier: until something is sent, a signal may end the process at once.
  const stopping = new AbortController();
  const { signal } = stopping;
  const disarm = io.onInterrupt(() => stopping.abort(new Interruption()));
  try {
    // Nothing else tells where it is if the process is killed.
    if (!isFound) io.stderr.write(`To continue after an interruption, add --journal ${printable(path)}\n`);
    const stop =
      (await sendRequests(io, order, prepared, signal)) ??
      (order.wait ? await waitForRemoval(io, order, prepared, signal) : undefined);
    const isNeeded = await reportRun(io, order, prepared, stop);
    if (!prepared.run.named && !isNeeded) rmSync(path, { force: true });
  } finally {
    disarm();
    journal.close();
  }
}

/**
 * Locks a journal for this process by a file beside it, which exists only while somebody uses the journal.
 * @returns a function that unlocks it
 * @throws Refusal when another process uses the journal
 */
export function lockJournal(journalPath: string, lockFile: Io['lockFile']): () => void {
  const path = `${journalPath}.lock`;
  createPrivateFolder(dirname(path));
  for (;;) {
    const file = openSync(path, 'a', 0o600);
    const unlock = lockFile(path);
    if (unlock === 'locked') {
      closeSync(file);
      throw new Refusal(`Another process uses the journal ${printable(journalPath)}. Wait until it ends.`);
    }
    const release = () => {
      unlock();
      // Not earlier: closing any descriptor of a file ends the locks of the process on it (POSIX).
      closeSync(file);
    };
    // The process before may have removed the file after it was opened here. Then its lock excludes nobody.
    if (fstatSync(file).ino === statSync(path, { throwIfNoEntry: false })?.ino) {
      return () => {
        rmSync(path, { force: true });
        release();
      };
    }
    release();
  }
}

/** Sends the requests that have no outcome in the journal, then those for the rest of the ids. */
async function sendRequests(
  io: Io,
  order: DeletionOrder,
  { journal, run }: PreparedRun,
  signal: AbortSignal,
): Promise<Stop> {
  const before = journal.acceptedJobs + journal.refusedJobs;
  const ids = validIds(order.input, { jobCount: run.job_count, digest: run.digest });
  const progress = startDeletionProgress(io, order.sandbox ?? false, run.job_count, before);
  try {
    await createClient(io, order).deleteJobs(ids, {
      signal,
      onRefusal: order.continueOnError ? 'split' : 'stop',
      onProgress: (made) => progress.update(before + made.acceptedJobs + made.refusedJobs),
      journal,
    });
    return undefined;
  } catch (error) {
    if (error instanceof IncompleteError) return { stoppedBy: error.cause };
    throw error;
  } finally {
    progress.stop();
  }
}

/** Waits until every deletion of the journal is completed. */
async function waitForRemoval(
  io: Io,
  order: DeletionOrder,
  { journal }: PreparedRun,
  signal: AbortSignal,
): Promise<Stop> {
  const client = createClient(io, order);
  for (const deletionId of journal.deletionIds) {
    if (deletionId === undefined) continue;
    try {
      await client.waitUntilRemoved(deletionId, { signal });
    } catch (error) {
      // The receipt of a deletion expires long after it is completed.
      if (error instanceof ProblemError && error.code === 'deletion_not_found') continue;
      return { stoppedBy: error };
    }
  }
  return undefined;
}
