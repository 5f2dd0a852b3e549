import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { maxAllowances, noRules, type Allowance, type SafetyRules } from '../safety-rules.ts';

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

  const change = database.transaction(
    (accountId: string, changeOf: (rules: SafetyRules) => Partial<SafetyRules>): SafetyRules => {
      const before = findRules([accountId]).get(accountId) ?? noRules;
      const rules = { ...before, ...changeOf(before) };
      write.run(accountId, JSON.stringify(rules));
      return rules;
    },
  ).immediate;

  return {
    findRules,
    setRules: (accountId: string, changed: Partial<SafetyRules>) => change(accountId, () => changed),
    addAllowance: (accountId: string, added: Allowance, nowMs: number) =>
      change(accountId, ({ allowances }) => {
        const current = allowances.filter(({ untilMs }) => untilMs > nowMs);
        const isAdded = current.length < maxAllowances && !current.some(({ id }) => id === added.id);
        return { allowances: isAdded ? [...current, added] : current };
      }),
  };
}
