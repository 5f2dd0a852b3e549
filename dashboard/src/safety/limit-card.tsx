import type { AccountSafety, DeletionLimit, DeletionUsage } from '../deleter/account-safety.ts';
import type { DayCounts } from '../deleter/deleter-calls.ts';
import { dayPathOf } from '../activity/activity-filter.ts';
import { sumOf } from '../overview/figures.tsx';
import { accountPath } from '../web/account-path.ts';
import type { Fact } from '../web/facts.tsx';
import type { Language } from '../web/language.ts';
import { includesRole, type MemberVisit } from '../web/route.ts';
import { dayOf } from '../web/time.tsx';
import { busiestText } from './busiest-day.ts';
import { OpenAllowance } from './open-allowance.tsx';
import { recommendLimit, jobsOfShare } from './recommend-limit.ts';
import { RuleCard } from './rule-card.tsx';
import { RefusedByLimit, type RuleEffects } from './rule-effects.tsx';
import { safetyTexts } from './safety-texts.ts';

/** Returns whether only the present number of jobs tells a limit in percent: the deleter counts at the first request. */
export function needsEstimate({ limit, usage }: Pick<AccountSafety, 'limit' | 'usage'>): boolean {
  return limit?.kind === 'percent' && usage?.limitJobs === undefined;
}

/**
 * Estimates a limit in percent from the present number of jobs. Undefined: the limit is known, or the jobs are not counted in
 * time.
 */
export function estimateLimit(
  { limit, usage, allowances }: AccountSafety,
  count: number | undefined,
): number | undefined {
  if (limit?.kind !== 'percent' || !needsEstimate({ limit, usage }) || count === undefined) return undefined;
  return jobsOfShare(count, limit.percent) + sumOf(allowances, 'jobs');
}

interface LimitCardProps {
  readonly visit: MemberVisit;
  readonly safety: AccountSafety;
  /** The present jobs of the account. Undefined: they are not counted in time. */
  readonly count: number | undefined;
  readonly busiest: DayCounts | undefined;
  readonly refused: RuleEffects['refused'];
}

/** The limit, and how much of it is used. */
export function LimitCard({ visit, safety, count, busiest, refused }: LimitCardProps) {
  const { limit, usage, allowances } = safety;
  const { language, role } = visit;
  const { limit: texts } = safetyTexts[language];
  const { format } = new Intl.NumberFormat(language);
  const estimate = estimateLimit(safety, count);
  const most = usage?.limitJobs ?? estimate;
  // An allowance is meant to let more pass for a time: only the lasting limit counts.
  const lasting = most === undefined ? undefined : most - sumOf(allowances, 'jobs');
  const isIdle = lasting !== undefined && !!count && lasting - (usage?.used ?? 0) >= count;
  const uncounted = estimate === undefined ? texts.notCounted : texts.estimate(format(estimate));
  const causes = [
    limit?.kind === 'percent' && texts.ofMost,
    allowances.length > 0 && texts.withAdditional,
  ].filter((text) => text !== false);
  const { limitJobs, held = 0 } = usage ?? {};
  const now = limitJobs === undefined ? uncounted : [format(limitJobs), ...causes].join(', ');
  const recommended = recommendLimit(busiest, count);
  const isLimited = limit !== undefined && usage !== undefined;
  const facts: readonly Fact[] = [
    ...allowances.map((allowance): Fact => [
      limit === undefined ? texts.additionalToNew : texts.additional,
      <OpenAllowance {...{ visit, allowance }} />,
    ]),
    [texts.now, isLimited && causes.length > 0 && now],
    [texts.held, isLimited && held > 0 && `${format(held)} (${texts.heldHint})`],
    [texts.busiest, busiest && <BusiestDay visit={visit} busiest={busiest} />],
  ];
  const actions = (
    <>
      {includesRole(role, 'manager') && limit !== undefined && (
        <a class="button quiet" href={accountPath(visit, '/safety/allow')}>
          {texts.allow}
        </a>
      )}
      {includesRole(role, 'owner') && (
        <a class={limit === undefined ? 'button' : 'button quiet'} href={accountPath(visit, '/safety/limit')}>
          {limit === undefined ? texts.setFirst : texts.change}
        </a>
      )}
    </>
  );
  return (
    <RuleCard
      {...{ visit, isIdle, facts, actions }}
      texts={{
        ...texts,
        recommended: texts.recommended[recommended.kind](limitText(recommended, language)),
      }}
      value={limit && limitText(limit, language)}
      effects={<RefusedByLimit visit={visit} effects={refused} />}
    >
      {isIdle && <p class="warning">{texts.allowsAll(format(count))}</p>}
      {usage !== undefined && <Gauge language={language} usage={usage} most={most} />}
    </RuleCard>
  );
}

/** The busiest day, as a link to its deletions. */
function BusiestDay({ visit, busiest }: { readonly visit: MemberVisit; readonly busiest: DayCounts }) {
  return <a href={dayPathOf(visit)(dayOf(busiest.dayMs))}>{busiestText(busiest, visit)}</a>;
}

interface GaugeProps {
  readonly language: Language;
  readonly usage: DeletionUsage;
  /** Undefined: the jobs of the account are not counted yet. */
  readonly most: number | undefined;
}

/** Returns how many jobs a limit still allows. */
export function jobsLeft(limitJobs: number, { used, held }: Pick<DeletionUsage, 'used' | 'held'>): number {
  return Math.max(0, limitJobs - used - held);
}

/** How much of the limit is used: more than all of it after an allowance has ended, or the limit became lower. */
export function Gauge({ language, usage: { used, held }, most }: GaugeProps) {
  const { limit: texts } = safetyTexts[language];
  const { format } = new Intl.NumberFormat(language);
  const left = most === undefined ? undefined : jobsLeft(most, { used, held });
  const share = (jobs: number) => (most === undefined ? 0 : most > jobs ? (100 * jobs) / most : 100);
  return (
    <div class="gauge">
      <p>
        <span>
          <strong>
            {most === undefined ? texts.usedOnly(format(used)) : texts.usedOf(format(used), format(most))}
          </strong>{' '}
          {texts.usedIn}
        </span>
        {left !== undefined && <strong>{texts.left(format(left))}</strong>}
      </p>
      <svg
        class={left === 0 ? 'meter full' : 'meter'}
        viewBox="0 0 100 1"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <rect class="held" width={share(used + held)} height="1" />
        <rect width={share(used)} height="1" />
      </svg>
      {most !== undefined && used > most && <p class="hint">{texts.usedMore}</p>}
      <details>
        <summary>{texts.whatCounts}</summary>
        <p class="hint">{texts.usedHint}</p>
      </details>
    </div>
  );
}

export function limitText(limit: DeletionLimit, language: Language): string {
  const { limit: texts } = safetyTexts[language];
  const { format } = new Intl.NumberFormat(language);
  return limit.kind === 'jobs' ? texts.jobs(format(limit.jobs)) : texts.percent(format(limit.percent));
}
