import { closeSync, fstatSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { createPrivateFolder } from '@jobs-delete/runtime/files/private-files';
import type { Io } from '../io.ts';
import { printable } from '../printable.ts';
import { Refusal } from '../refusal.ts';

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
