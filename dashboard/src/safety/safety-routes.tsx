import type { ComponentChild } from 'preact';
import type { AccountSafety, DeletionLimit, DeletionUsage } from '../deleter/account-safety.ts';
import { ifAvailable } from '../deleter/answer-to.ts';
import type { DeleterCalls } from '../deleter/deleter-calls.ts';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import type { Language } from '../web/language.ts';
import { layoutTexts } from '../web/layout-texts.ts';
import { Badge } from '../web/marks.tsx';
import { createSharedReads, inTime } from '../web/late-value.ts';
import { includesRole, type Route, type MemberVisit, type Reply } from '../web/route.ts';
import { formatDuration, Time } from '../web/time.tsx';
import { ruleRoutes, shareOf } from './rule-routes.tsx';
import { safetyTexts } from './safety-texts.ts';
import { auditEntry } from '../web/audit-entry.ts';
import { SelectField, TextField, readNumber, formPage, formRoutes } from '../web/form.tsx';
import { OnceField, openForm, readFormId } from '../web/form-once.tsx';
import { withNotice } from '../web/notices.ts';

/** The pages of the rules that protect an account from its own mistakes. Without the deleter, they answer 503. */
export function safetyRoutes(services: Pick<Services, 'accounts' | 'deleter' | 'keys'>): readonly Route[] {
  const share = createSharedReads<number>();
  const countJobs = (accountId: string) => share(accountId, () => services.deleter.countJobs(accountId));
  return [
    {
      method: 'GET',
      path: '/safety',
      access: 'viewer',
      serve: async (visit) => {
        const { accountId, language, role } = visit;
        const safety = await services.deleter.getSafety(accountId);
        const estimate = await estimateLimit(accountId, safety, countJobs);
        const texts = safetyTexts[language];
        const hasDelay = safety.removalDelayMs > 0;
        const body = (
          <>
            <p>{texts.intro}</p>
            <div class="columns">
              <LimitCard visit={visit} safety={safety} estimate={estimate} />
              <section class="card rule">
                <h2>{texts.delay.heading}</h2>
                {hasDelay ? (
                  <>
                    <p class="value">{formatDuration(safety.removalDelayMs, language)}</p>
                    <p class="muted">{texts.delay.intro}</p>
                  </>
                ) : (
                  <Unprotected visit={visit} texts={texts.delay} />
                )}
                {includesRole(role, 'owner') && (
                  <p class="actions">
                    <a class="button quiet" href={accountPath(visit, '/safety/delay')}>
                      {texts.delay.change}
                    </a>
                  </p>
                )}
              </section>
            </div>
          </>
        );
        return { kind: 'page', title: texts.title, body };
      },
    },
    ...allowRoutes(services),
    ...ruleRoutes({ ...services, countJobs }),
  ];
}

interface UnprotectedProps {
  readonly visit: Pick<MemberVisit, 'language' | 'role'>;
  readonly texts: Readonly<Record<'none' | 'noneText' | 'set' | 'ask', string>>;
}

/** A rule that is not set, and what to do about it. */
function Unprotected({ visit: { language, role }, texts }: UnprotectedProps) {
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
async function estimateLimit(
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
function LimitCard({ visit, safety: { limit, usage, allowances }, estimate }: LimitCardProps) {
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
          <a class="button quiet" href={accountPath(visit, '/safety/limit')}>
            {texts.change}
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
function Gauge({ language, usage: { used, held }, most }: GaugeProps) {
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

function limitText(limit: DeletionLimit, language: Language): string {
  const { limit: texts } = safetyTexts[language];
  const { format } = new Intl.NumberFormat(language);
  return limit.kind === 'jobs' ? texts.jobs(format(limit.jobs)) : texts.percent(format(limit.percent));
}

const hourMs = 3_600_000;
const allowedHours = ['1', '4', '24'];

type Needed = Pick<Services, 'accounts' | 'deleter' | 'keys'>;

/** The form that lets an account delete more jobs than its limit, until a time. */
function allowRoutes(services: Needed): readonly Route[] {
  /** Without a limit, there is nothing to raise. */
  const withLimit =
    (serve: (visit: MemberVisit) => Reply | Promise<Reply>) =>
    async (visit: MemberVisit): Promise<Reply> => {
      const { limit } = await services.deleter.getSafety(visit.accountId);
      return limit === undefined ? { kind: 'redirect', to: accountPath(visit, '/safety') } : serve(visit);
    };
  return formRoutes({
    path: '/safety/allow',
    access: 'manager',
    keeps: ['jobs', 'hours'],
    page: withLimit((visit) => allowPage(services, visit)),
    submit: withLimit((visit) => allow(services, visit)),
  });
}

/** Several POSTs of one form add one allowance and one entry of the trail: both have the id of the form. */
async function allow(services: Needed, visit: MemberVisit): Promise<Reply> {
  const { accounts, deleter } = services;
  const { accountId, form, nowMs } = visit;
  const jobs = readNumber(form.get('jobs'), { min: 1 });
  const hours = allowedHours.find((each) => each === form.get('hours'));
  if (jobs === undefined) return allowPage(services, visit, 'jobs');
  if (hours === undefined) return allowPage(services, visit, 'hours');
  const id = readFormId(services, visit, [String(jobs), hours]);
  if (id === undefined) return allowPage(services, visit, 'expired');

  const untilMs = nowMs + Number(hours) * hourMs;
  const subject = `${String(jobs)} until ${new Date(untilMs).toISOString()}`;
  await accounts.recordAction({ ...auditEntry(visit, 'limit.raised', subject), id });
  const outcome = await deleter.allowDeletions(accountId, { id, jobs, untilMs });
  if (outcome === 'too-many') return allowPage(services, visit, 'tooMany');
  return { kind: 'redirect', to: withNotice(accountPath(visit, '/safety'), 'deletions-allowed') };
}

function allowPage(
  services: Needed,
  visit: MemberVisit,
  problem?: 'jobs' | 'hours' | 'expired' | 'tooMany',
): Reply {
  const { allowPage: texts, problems, back } = safetyTexts[visit.language];
  const problemOf = (name: 'jobs' | 'hours') => (problem === name ? problems[name] : undefined);
  return formPage(visit, {
    title: texts.title,
    status: problem === undefined ? 200 : 422,
    problem:
      problem === 'expired'
        ? layoutTexts[visit.language].formEnded
        : problem === 'tooMany'
          ? problems.tooMany
          : undefined,
    action: accountPath(visit, '/safety/allow'),
    fields: (
      <>
        <OnceField once={openForm(services, visit)} />
        <p>{texts.intro}</p>
        <TextField
          name="jobs"
          label={texts.jobs}
          hint={texts.jobsHint}
          problem={problemOf('jobs')}
          value={visit.form.get('jobs')?.slice(0, 30)}
          inputMode="numeric"
          autocomplete="off"
          maxLength={12}
          required
        />
        <SelectField
          name="hours"
          label={texts.hours}
          problem={problemOf('hours')}
          options={allowedHours.map((value) => ({ value, text: texts.hour(Number(value)) }))}
          value={visit.form.get('hours') ?? '1'}
        />
      </>
    ),
    submit: texts.submit,
    back: <a href={accountPath(visit, '/safety')}>{back}</a>,
  });
}
