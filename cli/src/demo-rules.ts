import type { AuditEntry } from '@jobs-delete/accounts/people/audit-trail';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** While the demo account delayed its removals by a day: ages in ms. */
const delays = [
  { from: 15 * dayMs, to: 10 * dayMs },
  { from: 7 * hourMs, to: hourMs },
] as const;

export function isDelayed(atMs: number, nowMs: number): boolean {
  return delays.some(({ from, to }) => nowMs - atMs <= from && nowMs - atMs > to);
}

type RuleChange = Required<Pick<AuditEntry, 'actor' | 'atMs' | 'action' | 'subject'>>;

/** Returns the changes of the safety rules, as the trail has them. They end as they began: off. */
export function ruleChanges(
  nowMs: number,
  { owner, manager }: Record<'owner' | 'manager', string>,
): RuleChange[] {
  const raisedMs = nowMs - 9 * dayMs;
  const until = new Date(raisedMs + 4 * hourMs).toISOString();
  const limit = { action: 'limit.changed', actor: owner } as const;
  const delay = { action: 'delay.changed', actor: owner } as const;
  return [
    { ...limit, atMs: nowMs - 16 * dayMs, subject: 'off → 50%' },
    { action: 'limit.raised', actor: manager, atMs: raisedMs, subject: `5000 until ${until}` },
    { ...limit, atMs: nowMs - 2 * dayMs, subject: '50% → off' },
    ...delays.flatMap(({ from, to }) => [
      { ...delay, atMs: nowMs - from, subject: 'off → 24h' },
      { ...delay, atMs: nowMs - to, subject: '24h → off' },
    ]),
  ];
}
