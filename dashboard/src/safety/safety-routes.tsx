import type { AccountSafety, DeletionLimit } from '../deleter/account-safety.ts';
import { ifAvailable } from '../deleter/answer-to.ts';
import type { DeleterCalls } from '../deleter/deleter-calls.ts';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import type { Language } from '../web/language.ts';
import { createSharedReads, inTime } from '../web/late-value.ts';
import { includesRole, type Route, type MemberVisit, type Reply } from '../web/route.ts';
import { Table } from '../web/table.tsx';
import { formatDuration, Time } from '../web/time.tsx';
import { ruleRoutes } from './rule-routes.tsx';
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
        const body = (
          <>
            <p>{texts.intro}</p>
            <section class="setting">
              <div>
                <h2>{texts.limit.heading}</h2>
                <p class="muted">{texts.limit.intro}</p>
              </div>
              <div class="card">
                <Limit language={language} nowMs={visit.nowMs} safety={safety} estimate={estimate} />
                <p class="actions">
                  {includesRole(role, 'manager') && safety.limit !== undefined && (
                    <a class="button quiet" href={accountPath(visit, '/safety/allow')}>
                      {texts.limit.allow}
                    </a>
                  )}
                  {includesRole(role, 'owner') && (
                    <a class="button quiet" href={accountPath(visit, '/safety/limit')}>
                      {texts.limit.change}
                    </a>
                  )}
                </p>
              </div>
            </section>
            <section class="setting">
              <div>
                <h2>{texts.delay.heading}</h2>
                <p class="muted">{texts.delay.intro}</p>
              </div>
              <div class="card">
                <dl>
                  <dt>{texts.delay.delay}</dt>
                  <dd>
                    {safety.removalDelayMs === 0
                      ? texts.delay.none
                      : formatDuration(safety.removalDelayMs, language)}
                  </dd>
                </dl>
                {includesRole(role, 'owner') && (
                  <p class="actions">
                    <a class="button quiet" href={accountPath(visit, '/safety/delay')}>
                      {texts.delay.change}
                    </a>
                  </p>
                )}
              </div>
            </section>
          </>
        );
        return { kind: 'page', title: texts.title, body };
      },
    },
    ...allowRoutes(services),
    ...ruleRoutes(services),
  ];
}

/**
 * Returns the limit that a share gives with the jobs of the moment. Undefined: the limit is known, or the count takes too long
 * for a page. The deleter counts at the first request.
 */
async function estimateLimit(
  accountId: string,
  { limit, usage, allowances }: AccountSafety,
  countJobs: DeleterCalls['countJobs'],
): Promise<number | undefined> {
  if (limit?.kind !== 'percent' || usage?.limitJobs !== undefined) return undefined;
  const count = await ifAvailable(inTime(countJobs(accountId)));
  if (count === undefined) return undefined;
  const share = Math.floor((count * limit.percent) / 100);
  return allowances.reduce((sum, { jobs }) => sum + jobs, share);
}

interface SafetyProps {
  readonly language: Language;
  readonly nowMs: number;
  readonly safety: AccountSafety;
  readonly estimate: number | undefined;
}

/** The limit, and how much of it is used. A limit in percent shrinks with the jobs, so more than it may be used: then nothing is left. */
function Limit({ language, nowMs, safety: { limit, usage, allowances }, estimate }: SafetyProps) {
  const { limit: texts } = safetyTexts[language];
  const { format } = new Intl.NumberFormat(language);
  const uncounted = estimate === undefined ? texts.notCounted : texts.estimate(format(estimate));
  const used =
    usage?.limitJobs === undefined
      ? format(usage?.used ?? 0)
      : texts.usedOf(format(usage.used), format(usage.limitJobs));
  const rows: readonly (readonly [term: string, fact: string])[] =
    limit === undefined || usage === undefined
      ? [[texts.limit, texts.none]]
      : [
          [texts.limit, limitText(limit, language)],
          [texts.now, usage.limitJobs === undefined ? uncounted : format(usage.limitJobs)],
          [texts.used, `${used} (${texts.usedHint})`],
          ...(usage.held > 0 ? [[texts.held, `${format(usage.held)} (${texts.heldHint})`] as const] : []),
          ...(usage.limitJobs === undefined
            ? []
            : [[texts.free, format(Math.max(0, usage.limitJobs - usage.used - usage.held))] as const]),
        ];
  return (
    <>
      <dl>
        {rows.map(([term, fact]) => (
          <>
            <dt>{term}</dt>
            <dd>{fact}</dd>
          </>
        ))}
      </dl>
      {limit !== undefined && allowances.length > 0 && (
        <Allowances language={language} nowMs={nowMs} allowances={allowances} />
      )}
    </>
  );
}

function Allowances({
  language,
  nowMs,
  allowances,
}: Pick<AccountSafety, 'allowances'> & Pick<SafetyProps, 'language' | 'nowMs'>) {
  const { allowances: texts } = safetyTexts[language];
  const { format } = new Intl.NumberFormat(language);
  return (
    <>
      <h3 id="allowances">{texts.heading}</h3>
      <Table
        heading="allowances"
        columns={[{ header: texts.jobs }, texts.until]}
        rows={allowances.map(({ jobs, untilMs }) => [
          format(jobs),
          <Time ms={untilMs} language={language} nowMs={nowMs} />,
        ])}
        isCompact
      />
    </>
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
