import type { SafetyChange } from '../deleter/account-safety.ts';
import { ifSoon } from '../deleter/answer-to.ts';
import { accountPath } from '../web/account-path.ts';
import { auditEntry } from '../web/audit-entry.ts';
import { formRoutes } from '../web/form.tsx';
import { readFormId } from '../web/form-once.tsx';
import { withNotice } from '../web/notices.ts';
import type { MemberVisit, Reply, Route } from '../web/route.ts';
import { findBusiestDay } from './busiest-day.ts';
import { delayRule } from './delay-rule.tsx';
import { limitRule } from './limit-rule.tsx';
import { isBelowUse, jobsOfLimit } from './recommend-limit.ts';
import type { Needed, Rule, Unconfirmed } from './rule-page.tsx';

/**
 * The forms of the lasting rules. Only owners use them, after a recent sign-in: a higher limit defeats the guard for as long
 * as nobody notices. Each form sets one rule, so two owners do not overwrite each other's.
 */
export function ruleRoutes(services: Needed): readonly Route[] {
  return [limitRule, delayRule].flatMap((rule) =>
    formRoutes({
      path: rule.path,
      access: 'owner',
      keeps: ['kind', 'jobs', 'percent', 'delay'],
      page: (visit) => rule.page(services, visit),
      submit: (visit) => changeRule(services, rule, visit),
    }),
  );
}

async function changeRule(services: Needed, rule: Rule, visit: MemberVisit): Promise<Reply> {
  const read = rule.read(visit.form);
  if (typeof read === 'string') return rule.page(services, visit, read);
  const { change, subject } = read;
  const id = readFormId(services, visit, [rule.action, subject]);
  if (id === undefined) return rule.page(services, visit, 'expired');
  const from = rule.current(await services.deleter.getSafety(visit.accountId));
  const safetyPath = accountPath(visit, '/safety');
  if (from === subject) return { kind: 'redirect', to: withNotice(safetyPath, 'rule-set') };
  const unconfirmed = await findUnconfirmed(services, visit, read);
  if (unconfirmed !== undefined && visit.form.get('anyway') !== subject)
    return rule.page(services, visit, undefined, unconfirmed);
  const entry = auditEntry(visit, rule.action, `${from} → ${subject}`);
  await services.accounts.recordAction({ ...entry, id });
  await services.deleter.changeSafety(visit.accountId, change);
  const notice = unconfirmed?.kind === 'allows-all' ? 'limit-allows-all' : rule.notice;
  return { kind: 'redirect', to: withNotice(safetyPath, notice, { id }) };
}

/** Resolves to what an owner must confirm. Undefined: nothing, or the counts took longer than a second. */
async function findUnconfirmed(
  { deleter, dayCounter }: Needed,
  visit: MemberVisit,
  { change: { limit, removalDelayMs }, subject }: { readonly change: SafetyChange; readonly subject: string },
): Promise<Unconfirmed | undefined> {
  if (limit === 'none' || removalDelayMs === 0) return { kind: 'ends', subject };
  if (limit === undefined) return undefined;
  const [count, busiest] = await Promise.all([
    ifSoon(deleter.countJobs(visit.accountId)),
    ifSoon(findBusiestDay(dayCounter, visit)),
  ]);
  const most = jobsOfLimit(limit, count);
  if (most === undefined) return undefined;
  if (count && most >= count) return { kind: 'allows-all', subject, count };
  return typeof busiest === 'object' && isBelowUse(limit, busiest, count)
    ? { kind: 'below-use', subject, busiest, most }
    : undefined;
}
