import { openSqlite, sqliteMethod, type OpenSqliteOptions } from '@jobs-delete/runtime/open-sqlite';
import { prepareAcceptDeletions, prepareFindUnavailable } from './sqlite/accept-deletions.ts';
import { prepareAudit } from './sqlite/audit.ts';
import { prepareJobs } from './sqlite/jobs.ts';
import { prepareOutbox } from './sqlite/outbox.ts';
import { prepareReceipts } from './sqlite/receipts.ts';
import { prepareRemoveJobs } from './sqlite/remove-jobs.ts';
import { jobsSchema } from './sqlite/schema.ts';
import type { Store } from './store.ts';

/**
 * The store in one SQLite file. Each method is one synchronous transaction, never held over a turn of the event
 * loop. Several processes may use the file; one writes at a time.
 * @throws StartupError
 */
export function openSqliteStore(path: string, options: OpenSqliteOptions = {}): Store {
  const database = openSqlite(path, jobsSchema, options);
  const acceptDeletions = prepareAcceptDeletions(database);
  const findUnavailable = prepareFindUnavailable(database);
  const outbox = prepareOutbox(database);
  const removeJobs = prepareRemoveJobs(database);
  const receipts = prepareReceipts(database);
  const jobs = prepareJobs(database);

  return {
    acceptDeletions: sqliteMethod(acceptDeletions),
    findUnavailableJobs: sqliteMethod(findUnavailable),
    leaseDue: sqliteMethod(outbox.leaseDue),
    markPublished: sqliteMethod(outbox.markPublished),
    releaseLeases: sqliteMethod(outbox.releaseLeases),
    measureOutbox: sqliteMethod(outbox.measureOutbox),
    removeJobs: sqliteMethod(removeJobs),
    findDeletion: sqliteMethod(receipts.findDeletion),
    listDeletions: sqliteMethod(receipts.listDeletions),
    expireReceipts: sqliteMethod(receipts.expireReceipts),
    ...prepareAudit(database),
    importJobs: sqliteMethod(jobs.importJobs),
    findJob: sqliteMethod(jobs.findJob),
    countJobs: sqliteMethod(jobs.countJobs),
    check: sqliteMethod(() => {
      database.prepare('SELECT count(*) FROM schema_versions').get();
      return undefined;
    }),
    close: sqliteMethod(() => {
      database.close();
    }),
  };
}
