import { openSqlite, type OpenSqliteOptions } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { callInThread, callHere, type Called } from '@jobs-delete/runtime/sqlite/sqlite-calls';
import { prepareAcceptDeletions } from './sqlite/accept.ts';
import { auditByPages, prepareAudit } from './sqlite/audit.ts';
import { listByBatches, prepareJobs } from './sqlite/jobs.ts';
import { prepareCancel, prepareOutbox } from './sqlite/outbox.ts';
import { prepareReceipts } from './sqlite/receipts.ts';
import { prepareRemoval } from './sqlite/remove.ts';
import { prepareRules, prepareUsage } from './sqlite/rules.ts';
import { jobsSchema } from './sqlite/schema.ts';
import type { Store } from './store.ts';

export interface SqliteStoreOptions extends OpenSqliteOptions {
  /** The time of day. Default: that of the system. */
  readonly now?: () => number;
}

/**
 * Opens the store in one SQLite file. Each method is one synchronous transaction within a turn of the event loop.
 * Several processes may use the file; one writes at a time.
 * @throws StartupError
 */
export function openSqliteStore(path: string, options: SqliteStoreOptions = {}): Store {
  return storeOf(callHere(openStoreCalls(path, options)));
}

/** Opens the same store in a thread, so that disk access does not block the event loop. @throws StartupError */
export async function openSqliteStoreInThread(path: string, options: OpenSqliteOptions = {}): Promise<Store> {
  const compiled = new URL('../../dist/store/sqlite-store.js', import.meta.url);
  return storeOf(await callInThread<typeof openStoreCalls>(compiled, 'openStoreCalls', path, options));
}

function storeOf(calls: Called<ReturnType<typeof openStoreCalls>>): Store {
  return {
    ...calls,
    ...auditByPages(calls),
    ...listByBatches(calls),
    // One transaction has every outcome at once.
    acceptDeletions: async (requests, answer) =>
      (await calls.acceptDeletions(requests)).forEach((outcome, index) => answer(index, outcome)),
  };
}

export function openStoreCalls(path: string, { now, ...options }: SqliteStoreOptions) {
  const database = openSqlite(path, jobsSchema, options);
  const check = database.prepare('SELECT count(*) FROM schema_versions');
  const usage = prepareUsage(database, now);
  const receipts = prepareReceipts(database, now);
  return {
    acceptDeletions: prepareAcceptDeletions(database, usage),
    readUsage: usage.readUsage,
    ...prepareOutbox(database),
    ...prepareCancel(database, receipts.findReceipt, now),
    ...prepareRemoval(database),
    ...receipts,
    ...prepareAudit(database),
    ...prepareJobs(database),
    ...prepareRules(database),
    check: () => {
      check.get();
      return undefined;
    },
    close: () => {
      database.close();
    },
  };
}
