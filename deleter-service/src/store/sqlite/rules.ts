import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import {
  maxAllowances,
  noRules,
  type Allowance,
  type SafetyRules,
  countAgainMs,
  countedMs,
  limitAt,
  maxCountAgeMs,
  quarterMs,
  type DeletionUsage,
  type Guard,
  type LimitExceeded,
} from '../safety-rules.ts';
import type { AcceptRequest } from '../store.ts';

function prepareFindRules(database: Sqlite) {
  const find = database
    .prepare(
      'SELECT account_id, rules FROM safety_rules WHERE account_id IN (SELECT value FROM json_each(?))',
    )
    .raw();
  return (accountIds: readonly string[]): ReadonlyMap<string, SafetyRules> => {
    const rows = find.all(JSON.stringify(accountIds)) as [string, string][];
    return new Map(rows.map(([id, rules]) => [id, { ...noRules, ...(JSON.parse(rules) as SafetyRules) }]));
  };
}

export function prepareRules(database: Sqlite) {
  const findRules = prepareFindRules(database);
  const write = database.prepare(
    `INSERT INTO safety_rules (account_id, rules) VALUES (?, ?)
     ON CONFLICT (account_id) DO UPDATE SET rules = excluded.rules`,
  );
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
    endAllowance: (accountId: string, id: string) =>
      change(accountId, ({ allowances }) => ({
        allowances: allowances.map((one) => (one.id === id ? { ...one, jobs: 0 } : one)),
      })),
  };
}

interface Usage {
  used: number;
  /** Used by this transaction. */
  added: number;
  /** Undefined if the jobs were not counted within 24 hours. */
  had: number | undefined;
  countedAtMs: number;
  isCounted: boolean;
  quarterMs: number;
  /** The last quarter on record before this transaction. */
  lastQuarterMs: number | undefined;
}

type UsageRow = [used: number | null, had: number | null, countedAtMs: number | null, lastMs: number | null];

/** Counts the jobs that guarded accounts delete. The transaction that accepts reads and writes the count. */
export function prepareUsage(database: Sqlite, now = Date.now) {
  const find = database
    .prepare(
      'SELECT sum(jobs), max(had), max(counted_at_ms), max(quarter_ms) FROM deletion_usage WHERE account_id = ? AND quarter_ms > ?',
    )
    .raw();
  const add = database.prepare(
    `INSERT INTO deletion_usage (account_id, quarter_ms, jobs, had, counted_at_ms) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (account_id, quarter_ms) DO UPDATE SET jobs = jobs + excluded.jobs,
       had = coalesce(max(had, excluded.had), had, excluded.had),
       counted_at_ms = coalesce(excluded.counted_at_ms, counted_at_ms)`,
  );
  const forget = database.prepare('DELETE FROM deletion_usage WHERE account_id = ? AND quarter_ms <= ?');
  const findRules = prepareFindRules(database);
  const countJobs = database.prepare('SELECT count(*) FROM jobs WHERE account_id = ?').raw();

  const read = (accountId: string, nowMs: number): Usage => {
    const [used, had, countedAtMs, lastMs] = find.get(accountId, nowMs - countedMs) as UsageRow;
    return {
      used: used ?? 0,
      added: 0,
      isCounted: false,
      quarterMs: nowMs - (nowMs % quarterMs),
      lastQuarterMs: lastMs ?? undefined,
      had: had ?? undefined,
      countedAtMs: countedAtMs ?? 0,
    };
  };
  const count = (accountId: string, usage: Usage, nowMs: number): void => {
    const [jobs] = countJobs.get(accountId) as [number];
    Object.assign(usage, { had: Math.max(usage.had ?? 0, jobs), countedAtMs: nowMs, isCounted: true });
  };
  /** A count from after the clock was set back is old too. */
  const isOlder = ({ had, countedAtMs }: Usage, ageMs: number, nowMs: number) =>
    had === undefined || countedAtMs > nowMs || nowMs - countedAtMs >= ageMs;

  const findEnded = (accountId: string): ReadonlySet<string> => {
    const stored = findRules([accountId]).get(accountId)?.allowances ?? [];
    return new Set(stored.filter(({ jobs }) => jobs === 0).map(({ id }) => id));
  };

  /** Starts to count for one transaction: each account is read once, and written once by `write`. */
  const begin = () => {
    const accounts = new Map<string, Usage>();
    const ended = new Map<string, ReadonlySet<string>>();
    /** Leaves out allowances that were ended after the request's rules were read. */
    const currentGuard = (accountId: string, guard: Guard): Guard => {
      if (guard.allowances.length === 0) return guard;
      const ids = ended.get(accountId) ?? findEnded(accountId);
      ended.set(accountId, ids);
      return { ...guard, allowances: guard.allowances.filter(({ id }) => !ids.has(id)) };
    };
    return {
      /** Returns why the request is refused. */
      check({ accountId, jobIds, guard: asked, acceptedAtMs }: AcceptRequest): LimitExceeded | undefined {
        if (asked === undefined) return undefined;
        const guard = currentGuard(accountId, asked);
        const usage = accounts.get(accountId) ?? read(accountId, acceptedAtMs);
        accounts.set(accountId, usage);
        const maxAges = guard.limit.kind === 'share' ? [countAgainMs, maxCountAgeMs] : [Infinity];
        for (const ageMs of maxAges) {
          if (ageMs < Infinity && isOlder(usage, ageMs, acceptedAtMs)) count(accountId, usage, acceptedAtMs);
          if (usage.used + jobIds.length <= limitAt(guard, usage.had ?? 0, acceptedAtMs)) return undefined;
        }
        return { limit: limitAt(guard, usage.had ?? 0, acceptedAtMs), used: usage.used };
      },
      /** Counts an accepted request, which `check` let pass. */
      add({ accountId, jobIds }: AcceptRequest): void {
        const usage = accounts.get(accountId);
        if (usage === undefined) return;
        usage.used += jobIds.length;
        usage.added += jobIds.length;
      },
      write(): void {
        for (const [accountId, usage] of accounts) {
          if (usage.added === 0 && !usage.isCounted) continue;
          const counted = usage.isCounted ? [usage.had, usage.countedAtMs] : [null, null];
          add.run(accountId, usage.quarterMs, usage.added, ...counted);
          if (usage.lastQuarterMs !== usage.quarterMs) forget.run(accountId, usage.quarterMs - countedMs);
        }
      },
    };
  };

  const readUsage = (accountId: string, guard: Guard): DeletionUsage => {
    const nowMs = now();
    const { used, had } = read(accountId, nowMs);
    const isKnown = guard.limit.kind === 'jobs' || had !== undefined;
    return { used, held: 0, limit: isKnown ? limitAt(guard, had ?? 0, nowMs) : undefined };
  };
  return { begin, readUsage };
}
