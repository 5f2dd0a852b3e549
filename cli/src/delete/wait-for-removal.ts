import { ConnectionError, DeletionCancelledError, ProblemError } from '@jobs-delete/client';
import type { Io } from '../io.ts';
import type { DeletionOrder } from './deletion-order.ts';
import { readJournal, type JournalFile } from './journal.ts';
import { createClient, Interruption } from './run-deletion.ts';

/**
 * Waits until every deletion of the journal is completed.
 * @returns why it ended early, or undefined
 */
export async function waitForRemoval(
  io: Io,
  order: DeletionOrder,
  journal: JournalFile,
  signal: AbortSignal,
): Promise<{ readonly stoppedBy: unknown } | undefined> {
  const client = createClient(io, order);
  for await (const { line } of readJournal(journal.path)) {
    if (line.kind !== 'accepted' || line.deletion_id === null) continue;
    try {
      await client.waitUntilRemoved(line.deletion_id, { signal });
    } catch (error) {
      // The receipt of a deletion expires long after it is completed.
      if (error instanceof ProblemError && error.code === 'deletion_not_found') continue;
      if (isExpected(error)) return { stoppedBy: error };
      throw error;
    }
  }
  return undefined;
}

function isExpected(error: unknown): boolean {
  const expected = [DeletionCancelledError, ProblemError, ConnectionError, Interruption];
  return expected.some((kind) => error instanceof kind);
}
