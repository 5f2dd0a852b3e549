import { parseDuration } from '@jobs-delete/accounts/credentials/credential';
import type { AuditAction } from '@jobs-delete/accounts/people/audit-trail';
import type { ComponentChildren } from 'preact';
import type { DayCounter } from '../activity/chart-days.ts';
import type { AccountSafety, DeletionLimit, SafetyChange } from '../deleter/account-safety.ts';
import { ifAvailable, ifSoon } from '../deleter/answer-to.ts';
import type { DeleterCalls } from '../deleter/deleter-calls.ts';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { auditEntry } from '../web/audit-entry.ts';
import { RadioField, SelectField, TextField, readNumber, formPage, formRoutes } from '../web/form.tsx';
import { OnceField, openForm, readFormId } from '../web/form-once.tsx';
import { withNotice, type Notice } from '../web/notices.ts';
import { layoutTexts } from '../web/layout-texts.ts';
import { inTime } from '../web/late-value.ts';
import type { MemberVisit, Reply, Route } from '../web/route.ts';
import { dayMs, formatDuration } from '../web/time.tsx';
import { busiestText, findBusiestDay, isAboveAll } from './busiest-day.ts';
import { OpenAllowance } from './open-allowance.tsx';
import { safetyFormTexts } from './safety-form-texts.ts';
import { safetyTexts } from './safety-texts.ts';

type Needed = Pick<Services, 'accounts' | 'deleter' | 'keys'> &
  Pick<DeleterCalls, 'countJobs'> & { readonly dayCounter: DayCounter };
type Problem = 'kind' | 'jobs' | 'percent' | 'delay' | 'expired';

/** A rule that an owner changes: its page, what a form sets, and the name of the change in the trail. */
interface Rule {
  readonly path: '/safety/limit' | '/safety/delay';
  readonly action: AuditAction;
  readonly notice: Notice;
  /** Returns the change, with its text in the trail, or what is wrong with the form. */
  readonly read: (
    form: URLSearchParams,
  ) => { readonly change: SafetyChange; readonly subject: string } | Problem;
  /** Returns the current rule as its text in the trail. */
  readonly current: (safety: AccountSafety) => string;
  readonly page: (
    services: Needed,
    visit: MemberVisit,
    problem?: Problem,
    unconfirmed?: AllJobs,
  ) => Promise<Reply>;
}

/** A limit that is not below the jobs of the account, so it protects nothing. */
interface AllJobs {
  /** The limit in the trail. */
  readonly subject: string;
  readonly count: number;
}

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
  const all = await findAllJobs(services, visit, read);
  if (all !== undefined && visit.form.get('anyway') !== subject)
    return rule.page(services, visit, undefined, all);
  const entry = auditEntry(visit, rule.action, `${from} → ${subject}`);
  await services.accounts.recordAction({ ...entry, id });
  await services.deleter.changeSafety(visit.accountId, change);
  const notice = all ? 'limit-allows-all' : rule.notice;
  return { kind: 'redirect', to: withNotice(safetyPath, notice, { id }) };
}

/** Resolves to undefined if the change protects the account, sets no limit, or the jobs are not counted in a second. */
async function findAllJobs(
  { countJobs }: Needed,
  { accountId }: MemberVisit,
  { change: { limit }, subject }: { readonly change: SafetyChange; readonly subject: string },
): Promise<AllJobs | undefined> {
  if (limit === undefined || limit === 'none') return undefined;
  const count = await ifSoon(countJobs(accountId));
  if (!count) return undefined;
  const most = limit.kind === 'jobs' ? limit.jobs : shareOf(count, limit.percent);
  return most >= count ? { subject, count } : undefined;
}

/** The kinds of a limit, with the highest number of each. */
const maxima = { jobs: undefined, percent: 100 } as const;
const amounts = ['jobs', 'percent'] as const;
const kinds = [...amounts, 'none'] as const;

const limitRule: Rule = {
  path: '/safety/limit',
  action: 'limit.changed',
  notice: 'limit-changed',
  read: (form) => {
    const kind = kinds.find((each) => each === form.get('kind'));
    if (kind === undefined) return 'kind';
    if (kind === 'none') return { change: { limit: 'none' }, subject: 'off' };
    // The form may have a number of the other kind too.
    const number = readNumber(form.get(kind), { min: 0, max: maxima[kind] });
    if (number === undefined) return kind;
    const limit: DeletionLimit = kind === 'jobs' ? { kind, jobs: number } : { kind, percent: number };
    return { change: { limit }, subject: limitInTrail(limit) };
  },
  current: ({ limit }) => (limit === undefined ? 'off' : limitInTrail(limit)),
  page: async (services, visit, problem, unconfirmed) => {
    const { limitPage: texts, problems } = safetyFormTexts[visit.language];
    const { limit: names } = safetyTexts[visit.language];
    const [{ limit, allowances }, count, busiest] = await Promise.all([
      services.deleter.getSafety(visit.accountId),
      ifAvailable(inTime(services.countJobs(visit.accountId))),
      findBusiestDay(services.dayCounter, visit),
    ]);
    const { format } = new Intl.NumberFormat(visit.language);
    const [percent, shareText] =
      limit?.kind === 'percent' ? [limit.percent, texts.shareNow] : [examplePercent, texts.shareExample];
    const usual = busiest && texts.usual(busiestText(busiest, visit));
    const join = (...hints: readonly (string | 0 | undefined)[]) => hints.filter(Boolean).join(' ');
    const hints = {
      jobs: join(usual, count && texts.jobsNow(format(count)), texts.zero),
      percent: join(
        count && shareText(format(percent), format(shareOf(count, percent)), format(count)),
        texts.zero,
      ),
    };
    const amountField = (name: (typeof amounts)[number]) => (
      <TextField
        name={name}
        label={texts.amounts[name]}
        hint={hints[name]}
        problem={problem === name ? problems.amounts[name] : undefined}
        value={visit.form.get(name)?.slice(0, 30) ?? (limit?.kind === name ? amountOf(limit) : undefined)}
        inputMode="numeric"
        autocomplete="off"
        maxLength={12}
      />
    );
    const fields = (
      <>
        {allowances.map((allowance) => (
          <p class="warning">
            {names.additionalToNew}: <OpenAllowance {...{ visit, allowance }} />
          </p>
        ))}
        <RadioField
          name="kind"
          label={texts.kind}
          problem={problem === 'kind' ? problems.kind : undefined}
          options={kinds.map((value) => ({
            value,
            text: texts.kinds[value],
            field:
              value !== 'none' ? amountField(value) : limit && <p class="warning">{texts.noneWarning}</p>,
          }))}
          value={visit.form.get('kind') ?? limit?.kind ?? (isAboveAll(busiest, count) ? 'percent' : 'jobs')}
        />
      </>
    );
    return rulePage(services, visit, {
      path: limitRule.path,
      title: limit === undefined ? names.setFirst : names.change,
      // The first limit only adds protection.
      warning: unconfirmed ? names.allowsAll(format(unconfirmed.count)) : limit && texts.warning,
      unconfirmed: unconfirmed && { subject: unconfirmed.subject, submit: texts.saveAnyway },
      problem,
      fields,
    });
  },
};

/** The share that the form explains for an account without one. */
const examplePercent = 50;

/** Returns how many jobs a share of them is. */
export function shareOf(jobs: number, percent: number): number {
  return Math.floor((jobs * percent) / 100);
}

function limitInTrail(limit: DeletionLimit): string {
  return limit.kind === 'jobs' ? amountOf(limit) : `${amountOf(limit)}%`;
}

function amountOf(limit: DeletionLimit): string {
  return String(limit.kind === 'jobs' ? limit.jobs : limit.percent);
}

const maxDelayMs = 30 * dayMs;
const recommendedDelay = '24h';
const delays = ['off', '1h', '4h', recommendedDelay, '3d', '7d', '30d'];

const delayRule: Rule = {
  path: '/safety/delay',
  action: 'delay.changed',
  notice: 'delay-changed',
  read: (form) => {
    const subject = form.get('delay') ?? '';
    const removalDelayMs = delayOf(subject);
    if (removalDelayMs === undefined || removalDelayMs > maxDelayMs) return 'delay';
    return { change: { removalDelayMs }, subject };
  },
  current: ({ removalDelayMs }) => delayInTrail(removalDelayMs),
  page: async (services, visit, problem) => {
    const { delayPage: texts, problems } = safetyFormTexts[visit.language];
    const { delay } = safetyTexts[visit.language];
    const { removalDelayMs } = await services.deleter.getSafety(visit.accountId);
    const current = delayInTrail(removalDelayMs);
    const options = [...(delays.includes(current) ? [] : [current]), ...delays].map((value) => {
      const ms = delayOf(value) ?? 0;
      return { value, text: ms === 0 ? delay.none : formatDuration(ms, visit.language) };
    });
    const fields = (
      <SelectField
        name="delay"
        label={texts.delay}
        hint={delay.recommended}
        problem={problem === 'delay' ? problems.delay : undefined}
        options={options}
        value={visit.form.get('delay') ?? (removalDelayMs === 0 ? recommendedDelay : current)}
      />
    );
    return rulePage(services, visit, {
      path: delayRule.path,
      title: removalDelayMs === 0 ? delay.setFirst : delay.change,
      // The first delay only adds protection.
      warning: removalDelayMs > 0 ? texts.warning : undefined,
      problem,
      fields,
    });
  },
};

/** The command line sets other delays than `delays` too. */
function delayInTrail(removalDelayMs: number): string {
  const known = delays.find((delay) => delayOf(delay) === removalDelayMs);
  return known ?? `${String(Math.round(removalDelayMs / 1_000))}s`;
}

function delayOf(text: string): number | undefined {
  return text === 'off' ? 0 : parseDuration(text);
}

interface RulePage {
  readonly path: Rule['path'];
  /** Of the page and its button. */
  readonly title: string;
  readonly warning: string | undefined;
  /** What the form sends again to confirm the warning, and its button. */
  readonly unconfirmed?: { readonly subject: string; readonly submit: string } | undefined;
  readonly problem: Problem | undefined;
  readonly fields: ComponentChildren;
}

function rulePage(services: Needed, visit: MemberVisit, page: RulePage): Reply {
  const { path, title, warning, unconfirmed, problem, fields } = page;
  const { back } = safetyTexts[visit.language];
  return formPage(visit, {
    title,
    status: problem === undefined && unconfirmed === undefined ? 200 : 422,
    problem: problem === 'expired' ? layoutTexts[visit.language].formEnded : undefined,
    action: accountPath(visit, path),
    fields: (
      <>
        <OnceField once={openForm(services, visit)} />
        {warning !== undefined && (
          <p class="warning" role={unconfirmed && 'alert'}>
            {warning}
          </p>
        )}
        {unconfirmed && <input type="hidden" name="anyway" value={unconfirmed.subject} />}
        {fields}
      </>
    ),
    submit: unconfirmed?.submit ?? title,
    back: <a href={accountPath(visit, '/safety')}>{back}</a>,
  });
}
