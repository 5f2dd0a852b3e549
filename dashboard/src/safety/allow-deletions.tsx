import type { AccountSafety, Allowance } from '../deleter/account-safety.ts';
import { ifSoon } from '../deleter/answer-to.ts';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { auditEntry } from '../web/audit-entry.ts';
import { SelectField, TextField, readNumber, formPage, formRoutes } from '../web/form.tsx';
import { OnceField, openForm, readFormId } from '../web/form-once.tsx';
import type { Language } from '../web/language.ts';
import { layoutTexts } from '../web/layout-texts.ts';
import { withNotice } from '../web/notices.ts';
import type { MemberVisit, Reply, Route } from '../web/route.ts';
import { Time } from '../web/time.tsx';
import { Gauge, LimitInForce, limitJobsOf, needsEstimate } from './limit-card.tsx';
import { findLimitStart } from './limit-start.ts';
import { safetyFormTexts } from './safety-form-texts.ts';
import { safetyTexts } from './safety-texts.ts';

const hourMs = 3_600_000;
const allowedHours = ['1', '4', '24'];

type Needed = Pick<Services, 'accounts' | 'deleter' | 'keys'>;
type AllowProblem = 'jobs' | 'hours' | 'expired' | 'tooMany';

/** The forms that let an account delete more jobs than its limit until a time, and end that early. */
export function allowRoutes(services: Needed): readonly Route[] {
  /** Without a limit, there is nothing to raise. */
  const withLimit =
    (serve: (visit: MemberVisit, safety: AccountSafety) => Reply | Promise<Reply>) =>
    async (visit: MemberVisit): Promise<Reply> => {
      const safety = await services.deleter.getSafety(visit.accountId);
      if (safety.limit === undefined) return { kind: 'redirect', to: accountPath(visit, '/safety') };
      return serve(visit, safety);
    };
  const findAllowance = async ({ accountId, params }: MemberVisit) =>
    (await services.deleter.getSafety(accountId)).allowances.find(({ id }) => id === params.id);
  return [
    ...formRoutes({
      path: '/safety/allow',
      access: 'manager',
      keeps: ['jobs', 'hours'],
      page: withLimit((visit, safety) => allowPage(services, visit, safety)),
      submit: withLimit((visit, safety) => allow(services, visit, safety)),
    }),
    ...formRoutes({
      path: '/safety/allow/:id/end',
      access: 'manager',
      page: async (visit) => endPage(services, visit, await findAllowance(visit)),
      submit: async (visit) => end(services, visit, await findAllowance(visit)),
    }),
  ];
}

async function allow(services: Needed, visit: MemberVisit, safety: AccountSafety): Promise<Reply> {
  const jobs = readNumber(visit.form.get('jobs'), { min: 1 });
  const outcome = jobs === undefined ? 'jobs' : await addAllowance(services, visit, jobs);
  if (typeof outcome === 'string') return allowPage(services, visit, safety, outcome);
  return { kind: 'redirect', to: withNotice(accountPath(visit, '/safety'), 'deletions-allowed', outcome) };
}

/**
 * Allows so many jobs more, for the `hours` of a form. Several POSTs of one form add one allowance and one entry of the trail:
 * both have the id of the form. Resolves to it.
 */
export async function addAllowance(
  services: Pick<Services, 'accounts' | 'deleter' | 'keys'>,
  visit: MemberVisit,
  jobs: number,
): Promise<{ readonly id: string } | AllowProblem> {
  const { accounts, deleter } = services;
  const { accountId, form, nowMs } = visit;
  const hours = allowedHours.find((each) => each === form.get('hours'));
  if (hours === undefined) return 'hours';
  const id = readFormId(services, visit, [String(jobs), hours]);
  if (id === undefined) return 'expired';

  const untilMs = nowMs + Number(hours) * hourMs;
  await accounts.recordAction({ ...auditEntry(visit, 'limit.raised', inTrail({ jobs, untilMs })), id });
  const outcome = await deleter.allowDeletions(accountId, { id, jobs, untilMs });
  return ({ allowed: { id }, ended: 'expired', 'too-many': 'tooMany' } as const)[outcome];
}

function inTrail({ jobs, untilMs }: Pick<Allowance, 'jobs' | 'untilMs'>): string {
  return `${String(jobs)} until ${new Date(untilMs).toISOString()}`;
}

/**
 * @param allowance undefined if the rules no longer list it. It is ended anyway: an earlier POST may have changed the rules and
 * then failed.
 */
async function end(services: Needed, visit: MemberVisit, allowance: Allowance | undefined): Promise<Reply> {
  const { accountId, params } = visit;
  const allowanceId = params.id ?? '';
  const id = readFormId(services, visit, ['end', allowanceId]);
  if (id === undefined) return endPage(services, visit, allowance, 'expired');
  if (allowance !== undefined) {
    const entry = auditEntry(visit, 'limit.raise-ended', inTrail(allowance));
    await services.accounts.recordAction({ ...entry, id });
  }
  await services.deleter.endAllowance(accountId, allowanceId);
  return { kind: 'redirect', to: withNotice(accountPath(visit, '/safety'), 'allowance-ended', { id }) };
}

function endPage(
  services: Needed,
  visit: MemberVisit,
  allowance: Allowance | undefined,
  problem?: 'expired',
): Reply {
  const { language } = visit;
  if (allowance === undefined) return { kind: 'redirect', to: accountPath(visit, '/safety') };
  const { limit: texts, back } = safetyTexts[language];
  const jobs = new Intl.NumberFormat(language).format(allowance.jobs);
  return formPage(visit, {
    title: texts.endTitle,
    problem: problem && allowProblemText(language, problem),
    action: accountPath(visit, `/safety/allow/${encodeURIComponent(allowance.id)}/end`),
    fields: (
      <>
        <OnceField once={openForm(services, visit)} />
        <p class="value">
          {texts.allowed(jobs)} <Time ms={allowance.untilMs} language={language} />
        </p>
        <p>{texts.endText}</p>
      </>
    ),
    submit: texts.endNow,
    back: <a href={accountPath(visit, '/safety')}>{back}</a>,
  });
}

/** Says why an allowance was refused. */
export function allowProblemText(language: Language, problem: AllowProblem): string {
  return problem === 'expired'
    ? layoutTexts[language].formEnded
    : safetyFormTexts[language].problems[problem];
}

interface HoursFieldProps {
  readonly language: Language;
  readonly problem?: string | undefined;
  readonly value?: string | null;
}

/** How long an allowance lasts. */
export function HoursField({ language, problem, value }: HoursFieldProps) {
  const { allowPage: texts } = safetyFormTexts[language];
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
  const { allowPage: texts, problems } = safetyFormTexts[language];
  const { back, limit: names } = safetyTexts[language];
  const { limit, usage } = safety;
  const [count, start] = await Promise.all([
    needsEstimate(safety) ? ifSoon(services.deleter.countJobs(visit.accountId)) : undefined,
    findLimitStart(services, visit),
  ]);
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
    aside: {
      title: names.heading,
      content: (
        <>
          {limit && (
            <p class="value">
              <LimitInForce {...{ visit, safety, limit, count }} />
            </p>
          )}
          {usage && <Gauge {...{ language, usage, start }} most={limitJobsOf(safety, count)} />}
        </>
      ),
    },
  });
}
