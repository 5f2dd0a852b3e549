import { describe, expect, test } from '@jest/globals';
import { openSqlite, type Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { prepareAcceptDeletions } from './accept.ts';
import { prepareAudit } from './audit.ts';
import { prepareJobs } from './jobs.ts';
import { prepareOutbox } from './outbox.ts';
import { prepareReceipts } from './receipts.ts';
import { prepareRemoval } from './remove.ts';
import { jobsSchema } from './schema.ts';
import { prepareUsage } from './rules.ts';

const newPath = temporaryFolder();

/** Only counting may read every row. */
const counts = (sql: string) => sql.startsWith('SELECT count(*) FROM jobs');

describe('every statement of the store', () => {
  const statements: string[] = [];
  const database = openSqlite(newPath(), jobsSchema);
  const recorder = new Proxy(database, {
    get: (target, name) => {
      if (name !== 'prepare') return (...values: unknown[]) => call(target, name, values);
      return (sql: string) => {
        statements.push(sql);
        return target.prepare(sql);
      };
    },
  });
  prepareAcceptDeletions(recorder, prepareUsage(recorder));
  prepareOutbox(recorder);
  prepareRemoval(recorder);
  prepareAudit(recorder);
  prepareJobs(recorder);
  const { listDeletions } = prepareReceipts(recorder);
  const after = { acceptedAtMs: 1, id: 'a' };
  listDeletions({ accountId: 'a', state: undefined, pageSize: 1, after: undefined });
  listDeletions({ accountId: 'a', state: 'accepted', pageSize: 1, after });
  listDeletions({ accountId: 'a', state: undefined, tokenId: 't', acceptedFromMs: 1, pageSize: 1, after });
  listDeletions({ accountId: 'a', state: undefined, jobId: 'j', pageSize: 1, after });
  const asked = statements.filter(
    (sql) => /\b(FROM|UPDATE|JOIN) (jobs|deletions)\b/.test(sql) && !counts(sql),
  );
  const plans = asked.map((sql): [string, string[]] => [sql, planOf(database, sql)]);
  database.close();

  test('was looked at', () => {
    expect(plans.length).toBeGreaterThan(12);
  });

  test.each(plans)('finds its rows by a key, however many there are: %s', (_, plan) => {
    const visits = plan.filter((line) => /\b(jobs|deletions)\b/.test(line));
    expect(visits.length).toBeGreaterThan(0);
    for (const visit of visits) {
      expect(visit.startsWith('SEARCH')).toBe(true);
      // Only a page of the list may scan the index of one account.
      if (!visit.includes('deletions_accepted')) expect(visit).not.toContain('(account_id=?)');
    }
  });
});

function planOf(database: Sqlite, sql: string): string[] {
  const rows = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).raw().all() as [
    number,
    number,
    number,
    string,
  ][];
  return rows.map(([, , , line]) => line);
}

function call(target: Sqlite, name: string | symbol, values: unknown[]): unknown {
  return Reflect.apply(Reflect.get(target, name) as (...given: unknown[]) => unknown, target, values);
}
