import { sumOf } from '@jobs-delete/runtime/batching/groups';
import type { AccountSafety, DeletionLimit, DeletionUsage } from '../deleter/account-safety.ts';
import type { DayCounts } from '../deleter/deleter-calls.ts';
import { dayPathOf } from '../activity/activity-filter.ts';
import { jobsText } from '../activity/deletion-facts.tsx';
import { accountPath } from '../web/account-path.ts';
import type { Fact } from '../web/facts.tsx';
import type { Language } from '../web/language.ts';
import { layoutTexts } from '../web/layout-texts.ts';
import { includesRole, type MemberVisit } from '../web/route.ts';
import { dayOf, Time } from '../web/time.tsx';
import { busiestText } from './busiest-day.ts';
import type { LimitStart } from './limit-start.ts';
import { OpenAllowance } from './open-allowance.tsx';
import { isBelowUse, jobsOfShare, recommendLimit } from './recommend-limit.ts';
import { RuleCard } from './rule-card.tsx';
import { RefusedByLimit, type RuleEffects } from './rule-effects.tsx';
import { safetyTexts } from './safety-texts.ts';

/** Returns whether only the present number of jobs tells a limit in percent: the deleter counts at the first request. */
export function needsEstimate({ limit, usage }: Pick<AccountSafety, 'limit' | 'usage'>): boolean {
  return limit?.kind === 'percent' && usage?.limitJobs === undefined;
}

/**
 * Returns how many jobs the limit lets pass at the moment. Until usage is known, a limit in percent is estimated from the present
 * number of jobs. Undefined: there is no limit, or the jobs are not counted in time.
 */
export function limitJobsOf(
  { limit, usage, allowances }: AccountSafety,
  count: number | undefined,
): number | undefined {
  if (usage?.limitJobs !== undefined) return usage.limitJobs;
  if (limit?.kind !== 'percent' || count === undefined) return undefined;
  return jobsOfShare(count, limit.percent) + sumOf(allowances, 'jobs');
}

interface LimitCardProps {
  readonly visit: MemberVisit;
  readonly safety: AccountSafety;
  /** The present jobs of the account. Undefined: they are not counted in time. */
  readonly count: number | undefined;
  /** Undefined: it is not counted in time. */
  readonly busiest: DayCounts | 'none' | undefined;
  readonly start: LimitStart | undefined;
  readonly refused: RuleEffects['refused'];
}

/** The limit, and how much of it is used. */
export function LimitCard({ visit, safety, count, busiest, start, refused }: LimitCardProps) {
  const { limit, usage, allowances } = safety;
  const { language, role } = visit;
  const { limit: texts } = safetyTexts[language];
  const { format } = new Intl.NumberFormat(language);
  const most = limitJobsOf(safety, count);
  // An allowance is meant to let more pass for a time: only the lasting limit counts.
  const lasting = most === undefined ? undefined : most - sumOf(allowances, 'jobs');
  const isIdle = lasting !== undefined && !!count && lasting - (usage?.used ?? 0) >= count;
  const held = usage?.held ?? 0;
  const facts: readonly Fact[] = [
    ...(limit === undefined ? allowances : []).map((allowance): Fact => [
      texts.additionalToNew,
      <OpenAllowance {...{ visit, allowance }} />,
    ]),
    [texts.held, limit !== undefined && held > 0 && `${format(held)} (${texts.heldHint})`],
    [
      texts.busiest,
      typeof busiest === 'object' ? <BusiestDay {...{ visit, busiest }} /> : busiestText(busiest, visit),
    ],
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
        recommended: recommendationText(busiest, count, language),
      }}
      value={limit && <LimitInForce {...{ visit, safety, limit, count }} />}
      effects={<RefusedByLimit visit={visit} effects={refused} />}
    >
      {isIdle && <p class="warning">{texts.allowsAll(format(count))}</p>}
      {usage !== undefined && <Gauge {...{ language, usage, most, start }} />}
    </RuleCard>
  );
}

interface LimitInForceProps extends Pick<LimitCardProps, 'safety' | 'count'> {
  readonly visit: Pick<MemberVisit, 'accountId' | 'language' | 'nowMs' | 'role'>;
  readonly limit: DeletionLimit;
}

/** How many jobs the limit lets pass at the moment, and what makes it: a number or a percentage, and what is allowed in addition. */
export function LimitInForce({ visit, safety, limit, count }: LimitInForceProps) {
  const { usage, allowances } = safety;
  const { limit: texts } = safetyTexts[visit.language];
  const { format } = new Intl.NumberFormat(visit.language);
  const most = limitJobsOf(safety, count);
  const isCounted = most !== undefined;
  const added = allowances.map((allowance) => (
    <>
      {' '}
      + <OpenAllowance {...{ visit, allowance }} />
    </>
  ));
  const shareOf = usage?.limitJobs === undefined ? texts.shareOfCurrent : texts.shareOfMost;
  const share = limit.kind === 'percent' && isCounted && shareOf(format(limit.percent));
  const lasting = isCounted && added.length > 0 && format(most - sumOf(allowances, 'jobs'));
  const basis = lasting && share ? `${lasting} (${share})` : lasting || share;
  return (
    <>
      {isCounted ? texts.jobs(format(most)) : limitText(limit, visit.language)}
      {(basis || added.length > 0) && (
        <span class="second">
          {basis}
          {added}
        </span>
      )}
      {!isCounted && <span class="second">{layoutTexts[visit.language].uncounted}</span>}
    </>
  );
}

function recommendationText(
  busiest: LimitCardProps['busiest'],
  count: number | undefined,
  language: Language,
): string {
  const { recommended: texts, recommendedLater } = safetyTexts[language].limit;
  const limit = recommendLimit(busiest, count);
  if (limit === undefined) return `${recommendedLater} ${layoutTexts[language].uncounted}`;
  const isTooLow = typeof busiest === 'object' && isBelowUse(limit, busiest, count);
  return texts[isTooLow ? 'belowUse' : limit.kind](limitText(limit, language));
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
  readonly start: LimitStart | undefined;
}

/** Returns how many jobs a limit still allows. */
export function jobsLeft(limitJobs: number, { used, held }: Pick<DeletionUsage, 'used' | 'held'>): number {
  return Math.max(0, limitJobs - used - held);
}

/** How much of the limit is used: more than all of it after an allowance has ended, or the limit became lower. */
export function Gauge({ language, usage: { used, held }, most, start }: GaugeProps) {
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
          {start?.atMs === undefined ? (
            texts.usedIn
          ) : (
            <>
              {texts.usedSince} <Time ms={start.atMs} language={language} />
            </>
          )}
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
      {start && (
        <p class="hint">
          {start.uncountedJobs === undefined
            ? texts.uncountedLater
            : texts.uncounted(jobsText(start.uncountedJobs, language))}
        </p>
      )}
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
