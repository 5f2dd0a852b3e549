import type { DayCounter } from '../activity/chart-days.ts';
import type { AccountSafety } from '../deleter/account-safety.ts';
import { ifAvailable } from '../deleter/answer-to.ts';
import type { DeleterCalls } from '../deleter/deleter-calls.ts';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import type { Language } from '../web/language.ts';
import { layoutTexts } from '../web/layout-texts.ts';
import { createSharedReads, inTime } from '../web/late-value.ts';
import { includesRole, type Route, type MemberVisit, type Reply } from '../web/route.ts';
import { formatDuration } from '../web/time.tsx';
import { estimateLimit, Gauge, LimitCard, limitText, needsEstimate } from './limit-card.tsx';
import { RuleCard } from './rule-card.tsx';
import { CancelledInDelay, findBusiestDay, readEffects, type RuleEffects } from './rule-effects.tsx';
import { ruleRoutes } from './rule-routes.tsx';
import { safetyTexts } from './safety-texts.ts';
import { auditEntry } from '../web/audit-entry.ts';
import { SelectField, TextField, readNumber, formPage, formRoutes } from '../web/form.tsx';
import { OnceField, openForm, readFormId } from '../web/form-once.tsx';
import { withNotice } from '../web/notices.ts';

/** The pages of the rules that protect an account from its own mistakes. Without the deleter, they answer 503. */
export function safetyRoutes(
  services: Pick<Services, 'accounts' | 'deleter' | 'keys'> & { readonly dayCounter: DayCounter },
): readonly Route[] {
  const share = createSharedReads<number>();
  const countJobs = (accountId: string) => share(accountId, () => services.deleter.countJobs(accountId));
  return [
    {
      method: 'GET',
      path: '/safety',
      access: 'viewer',
      serve: async (visit) => {
        const { accountId, language } = visit;
        const [safety, busiest, { refused, cancelled }] = await Promise.all([
          services.deleter.getSafety(accountId),
          findBusiestDay(services.dayCounter, visit),
          readEffects(services, visit),
        ]);
        const count = safety.limit && (await ifAvailable(inTime(countJobs(accountId))));
        const texts = safetyTexts[language];
        const body = (
          <>
            <p>{texts.intro}</p>
            <div class="columns">
              <LimitCard {...{ visit, safety, count, busiest, refused }} />
              <DelayCard {...{ visit, safety, cancelled }} />
            </div>
          </>
        );
        return { kind: 'page', title: texts.title, body };
      },
    },
    ...allowRoutes({ ...services, countJobs }),
    ...ruleRoutes({ ...services, countJobs }),
  ];
}

interface DelayCardProps {
  readonly visit: MemberVisit;
  readonly safety: Pick<AccountSafety, 'removalDelayMs'>;
  readonly cancelled: RuleEffects['cancelled'];
}

/** The delay, and the deletions that were cancelled in it. */
function DelayCard({ visit, safety: { removalDelayMs }, cancelled }: DelayCardProps) {
  const { delay: texts } = safetyTexts[visit.language];
  const hasDelay = removalDelayMs > 0;
  const actions = (
    <>
      {hasDelay && (
        <a class="button quiet" href={accountPath(visit, '/activity?state=waiting')}>
          {texts.waiting}
        </a>
      )}
      {includesRole(visit.role, 'owner') && (
        <a class="button quiet" href={accountPath(visit, '/safety/delay')}>
          {hasDelay ? texts.change : texts.setFirst}
        </a>
      )}
    </>
  );
  return (
    <RuleCard
      {...{ visit, texts, actions }}
      value={hasDelay ? formatDuration(removalDelayMs, visit.language) : undefined}
      effects={cancelled && <CancelledInDelay visit={visit} effects={cancelled} />}
    />
  );
}

const hourMs = 3_600_000;
const allowedHours = ['1', '4', '24'];

type Needed = Pick<Services, 'accounts' | 'deleter' | 'keys'> & Pick<DeleterCalls, 'countJobs'>;
type AllowProblem = 'jobs' | 'hours' | 'expired' | 'tooMany';

/** The form that lets an account delete more jobs than its limit, until a time. */
function allowRoutes(services: Needed): readonly Route[] {
  /** Without a limit, there is nothing to raise. */
  const withLimit =
    (serve: (visit: MemberVisit, safety: AccountSafety) => Promise<Reply>) =>
    async (visit: MemberVisit): Promise<Reply> => {
      const safety = await services.deleter.getSafety(visit.accountId);
      if (safety.limit === undefined) return { kind: 'redirect', to: accountPath(visit, '/safety') };
      return serve(visit, safety);
    };
  return formRoutes({
    path: '/safety/allow',
    access: 'manager',
    keeps: ['jobs', 'hours'],
    page: withLimit((visit, safety) => allowPage(services, visit, safety)),
    submit: withLimit((visit, safety) => allow(services, visit, safety)),
  });
}

async function allow(services: Needed, visit: MemberVisit, safety: AccountSafety): Promise<Reply> {
  const outcome = await addAllowance(services, visit);
  if (outcome !== 'allowed') return allowPage(services, visit, safety, outcome);
  return { kind: 'redirect', to: withNotice(accountPath(visit, '/safety'), 'deletions-allowed') };
}

/**
 * Allows what a form asks for: `jobs` more, for some `hours`. Several POSTs of one form add one allowance and one entry of the trail:
 * both have the id of the form.
 */
export async function addAllowance(
  services: Pick<Services, 'accounts' | 'deleter' | 'keys'>,
  visit: MemberVisit,
): Promise<'allowed' | AllowProblem> {
  const { accounts, deleter } = services;
  const { accountId, form, nowMs } = visit;
  const jobs = readNumber(form.get('jobs'), { min: 1 });
  const hours = allowedHours.find((each) => each === form.get('hours'));
  if (jobs === undefined) return 'jobs';
  if (hours === undefined) return 'hours';
  const id = readFormId(services, visit, [String(jobs), hours]);
  if (id === undefined) return 'expired';

  const untilMs = nowMs + Number(hours) * hourMs;
  const subject = `${String(jobs)} until ${new Date(untilMs).toISOString()}`;
  await accounts.recordAction({ ...auditEntry(visit, 'limit.raised', subject), id });
  const outcome = await deleter.allowDeletions(accountId, { id, jobs, untilMs });
  return outcome === 'too-many' ? 'tooMany' : 'allowed';
}

/** Says why an allowance was refused. */
export function allowProblemText(language: Language, problem: AllowProblem): string {
  return problem === 'expired' ? layoutTexts[language].formEnded : safetyTexts[language].problems[problem];
}

interface HoursFieldProps {
  readonly language: Language;
  readonly problem?: string | undefined;
  readonly value?: string | null;
}

/** How long an allowance lasts. */
export function HoursField({ language, problem, value }: HoursFieldProps) {
  const { allowPage: texts } = safetyTexts[language];
  return (
    <SelectField
      name="hours"
      label={texts.hours}
      problem={problem}
      options={allowedHours.map((each) => ({ value: each, text: texts.hour(Number(each)) }))}
      value={value ?? '1'}
    />
  );
}

async function allowPage(
  services: Needed,
  visit: MemberVisit,
  safety: AccountSafety,
  problem?: AllowProblem,
): Promise<Reply> {
  const { language } = visit;
  const { allowPage: texts, problems, back } = safetyTexts[language];
  const { limit, usage } = safety;
  // Counting is slow.
  const count = needsEstimate(safety)
    ? await ifAvailable(inTime(services.countJobs(visit.accountId)))
    : undefined;
  const problemOf = (name: 'jobs' | 'hours') => (problem === name ? problems[name] : undefined);
  return formPage(visit, {
    title: texts.title,
    status: problem === undefined ? 200 : 422,
    problem: problem === 'expired' || problem === 'tooMany' ? allowProblemText(language, problem) : undefined,
    action: accountPath(visit, '/safety/allow'),
    fields: (
      <>
        <OnceField once={openForm(services, visit)} />
        <p>{texts.intro}</p>
        {limit && <p class="value">{limitText(limit, language)}</p>}
        {usage && (
          <Gauge language={language} usage={usage} most={usage.limitJobs ?? estimateLimit(safety, count)} />
        )}
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
        <HoursField language={language} problem={problemOf('hours')} value={visit.form.get('hours')} />
      </>
    ),
    submit: texts.submit,
    back: <a href={accountPath(visit, '/safety')}>{back}</a>,
  });
}
