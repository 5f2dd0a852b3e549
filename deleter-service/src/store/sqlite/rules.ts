import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { noRules, type SafetyRules } from '../safety-rules.ts';

export function prepareRules(database: Sqlite) {
  const find = database
    .prepare(
      'SELECT account_id, rules FROM safety_rules WHERE account_id IN (SELECT value FROM json_each(?))',
    )
    .raw();
  const write = database.prepare(
    `INSERT INTO safety_rules (account_id, rules) VALUES (?, ?)
     ON CONFLICT (account_id) DO UPDATE SET rules = excluded.rules`,
  );
  const findRules = (accountIds: readonly string[]): ReadonlyMap<string, SafetyRules> => {
    const rows = find.all(JSON.stringify(accountIds)) as [string, string][];
    return new Map(rows.map(([id, rules]) => [id, { ...noRules, ...(JSON.parse(rules) as SafetyRules) }]));
  };

  return {
    findRules,
    setRules: database.transaction((accountId: string, change: Partial<SafetyRules>): SafetyRules => {
      const rules = { ...(findRules([accountId]).get(accountId) ?? noRules), ...change };
      write.run(accountId, JSON.stringify(rules));
      return rules;
    }).immediate,
  };
}
