import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { auditEntry } from '../web/audit-entry.ts';
import { SelectField, TextField } from '../web/form.tsx';
import { formPage, formRoutes } from '../web/form-routes.tsx';
import { OnceField, openForm, readFormId } from '../web/form-once.tsx';
import { withNotice } from '../web/notices.ts';
import type { MemberVisit, Reply, Route } from '../web/route.ts';
import { readNumber } from './read-number.ts';
import { safetyTexts } from './safety-texts.ts';

const hourMs = 3_600_000;
const allowedHours = ['1', '4', '24'];

type Needed = Pick<Services, 'accounts' | 'deleter' | 'keys'>;

/** The form that lets an account delete more jobs than its limit, until a time. */
export function allowRoutes(services: Needed): readonly Route[] {
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
  // First: a change without its entry is worse than an entry without its change.
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
    problem: problem === 'expired' || problem === 'tooMany' ? problems[problem] : undefined,
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
