import type { ComponentChild } from 'preact';
import type { AccountSafety, DeletionLimit, DeletionUsage } from '../deleter/account-safety.ts';
import { ifAvailable } from '../deleter/answer-to.ts';
import type { DeleterCalls } from '../deleter/deleter-calls.ts';
import { accountPath } from '../web/account-path.ts';
import type { Language } from '../web/language.ts';
import { inTime } from '../web/late-value.ts';
import { Badge } from '../web/marks.tsx';
import { includesRole, type MemberVisit } from '../web/route.ts';
import { Time } from '../web/time.tsx';
import { shareOf } from './rule-routes.tsx';
import { safetyTexts } from './safety-texts.ts';

interface UnprotectedProps {
  readonly visit: Pick<MemberVisit, 'language' | 'role'>;
  readonly texts: Readonly<Record<'none' | 'noneText' | 'set' | 'ask', string>>;
}

/** A rule that is not set, and what to do about it. */
export function Unprotected({ visit: { language, role }, texts }: UnprotectedProps) {
  return (
    <>
      <p class="value">
        {texts.none} <Badge tone="attention" text={safetyTexts[language].unprotected} />
      </p>
      <p>
        {texts.noneText} {includesRole(role, 'owner') ? texts.set : texts.ask}
      </p>
    </>
  );
}

/**
 * Estimates a limit in percent from the present number of jobs. Undefined: the limit is known, or the count is late. The deleter
 * counts at the first request.
 */
export async function estimateLimit(
  accountId: string,
  { limit, usage, allowances }: AccountSafety,
  countJobs: DeleterCalls['countJobs'],
): Promise<number | undefined> {
  if (limit?.kind !== 'percent' || usage?.limitJobs !== undefined) return undefined;
  const count = await ifAvailable(inTime(countJobs(accountId)));
  if (count === undefined) return undefined;
  return allowances.reduce((sum, { jobs }) => sum + jobs, shareOf(count, limit.percent));
}

interface LimitCardProps {
  readonly visit: MemberVisit;
  readonly safety: AccountSafety;
  readonly estimate: number | undefined;
}

/** The limit, and how much of it is used. */
export function LimitCard({ visit, safety: { limit, usage, allowances }, estimate }: LimitCardProps) {
  const { language, nowMs, role } = visit;
  const { limit: texts } = safetyTexts[language];
  const { format } = new Intl.NumberFormat(language);
  const most = usage?.limitJobs ?? estimate;
  const uncounted = estimate === undefined ? texts.notCounted : texts.estimate(format(estimate));
  const isAsSet = limit?.kind === 'jobs' && allowances.length === 0;
  const facts: readonly (readonly [term: string, fact: ComponentChild])[] =
    limit === undefined || usage === undefined
      ? []
      : [
          ...(isAsSet
            ? []
            : [[texts.now, usage.limitJobs === undefined ? uncounted : format(usage.limitJobs)] as const]),
          ...allowances.map(({ jobs, untilMs }): [string, ComponentChild] => [
            texts.additional,
            <>
              {texts.ends(format(jobs))} <Time ms={untilMs} language={language} nowMs={nowMs} />
            </>,
          ]),
          ...(usage.held > 0 ? [[texts.held, `${format(usage.held)} (${texts.heldHint})`] as const] : []),
        ];
  return (
    <section class="card rule">
      <h2>{texts.heading}</h2>
      {limit === undefined ? (
        <Unprotected visit={visit} texts={texts} />
      ) : (
        <>
          <p class="value">{limitText(limit, language)}</p>
          <p class="muted">{texts.intro}</p>
        </>
      )}
      {usage !== undefined && <Gauge language={language} usage={usage} most={most} />}
      {facts.length > 0 && (
        <dl>
          {facts.map(([term, fact]) => (
            <>
              <dt>{term}</dt>
              <dd>{fact}</dd>
            </>
          ))}
        </dl>
      )}
      <p class="actions">
        {includesRole(role, 'manager') && limit !== undefined && (
          <a class="button quiet" href={accountPath(visit, '/safety/allow')}>
            {texts.allow}
          </a>
        )}
        {includesRole(role, 'owner') && (
          <a
            class={limit === undefined ? 'button' : 'button quiet'}
            href={accountPath(visit, '/safety/limit')}
          >
            {limit === undefined ? texts.setFirst : texts.change}
          </a>
        )}
      </p>
    </section>
  );
}

interface GaugeProps {
  readonly language: Language;
  readonly usage: DeletionUsage;
  /** Undefined: the jobs of the account are not counted yet. */
  readonly most: number | undefined;
}

/** How much of the limit is used. A limit in percent shrinks with the jobs, so the used jobs may exceed it: then nothing is left. */
export function Gauge({ language, usage: { used, held }, most }: GaugeProps) {
  const { limit: texts } = safetyTexts[language];
  const { format } = new Intl.NumberFormat(language);
  const left = most === undefined ? undefined : Math.max(0, most - used - held);
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
      <p class="hint">{texts.usedHint}</p>
    </div>
  );
}

export function limitText(limit: DeletionLimit, language: Language): string {
  const { limit: texts } = safetyTexts[language];
  const { format } = new Intl.NumberFormat(language);
  return limit.kind === 'jobs' ? texts.jobs(format(limit.jobs)) : texts.percent(format(limit.percent));
}
