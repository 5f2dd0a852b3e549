import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import type { RefusalCount } from '../refusal-counter.ts';

export function refusalCalls(database: Sqlite) {
  const add = database.prepare(`
    INSERT INTO refusal_counts (account_id, day, code, count)
    SELECT id, ?, ?, ? FROM accounts WHERE id = ?
    ON CONFLICT (account_id, day, code) DO UPDATE SET count = count + excluded.count`);
  const list = database
    .prepare(
      'SELECT account_id, day, code, count FROM refusal_counts WHERE account_id = ? AND day >= ? ORDER BY day, code',
    )
    .raw();
  const expire = database.prepare('DELETE FROM refusal_counts WHERE day < ?');
  const addAll = database.transaction((counts: readonly RefusalCount[]) => {
    for (const { accountId, day, code, count } of counts) add.run([day, code, count, accountId]);
  });
  type Row = [accountId: string, day: string, code: string, count: number];
  return {
    addRefusals: (counts: readonly RefusalCount[]) => {
      if (counts.length > 0) addAll.immediate(counts);
    },
    listRefusals: (accountId: string, fromDay: string): readonly RefusalCount[] =>
      (list.all([accountId, fromDay]) as Row[]).map(([id, day, code, count]) => ({
        accountId: id,
        day,
        code,
        count,
      })),
    expireRefusals: (beforeDay: string) => {
      expire.run([beforeDay]);
    },
  };
}
