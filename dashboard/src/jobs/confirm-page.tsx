import { jobsText } from '../activity/deletion-facts.tsx';
import type { AccountSafety, Allowance } from '../deleter/account-safety.ts';
import type { JobTitles } from '../deleter/deleter-calls.ts';
import { accountPath } from '../web/account-path.ts';
import { TextField, formPage } from '../web/form.tsx';
import { OnceField } from '../web/form-once.tsx';
import { includesRole, type MemberVisit, type Reply } from '../web/route.ts';
import type { Language } from '../web/language.ts';
import { formatDuration, Time } from '../web/time.tsx';
import { deleteJobsTexts } from './delete-jobs-texts.ts';
import type { LeftOutJob } from './explain-left-out.ts';
import { shownIds, TitledIds } from './id-list.tsx';
import { LeftOut } from './left-out.tsx';
import { idsPath } from './sent-ids.ts';

export const confirmPath = '/jobs/delete/confirm';
/** Where a button of the preview gets its jobs as a file. */
export const csvPath = '/jobs/delete/jobs.csv';
/** The button that leads from the preview back to the ids. */
export const editField = 'edit';

const maxCountLength = 12;

export interface Preview {
  readonly once: string;
  readonly ids: readonly string[];
  /** The words of the search that has just found the ids. */
  readonly foundBy?: string | undefined;
  /** Of the first ids. */
  readonly titles?: JobTitles;
  readonly leftOut: readonly LeftOutJob[];
  /** The pasted ids that come again, once for each repetition. */
  readonly repeated?: readonly string[] | undefined;
  readonly problem: 'count' | 'expired' | 'changed' | 'delay' | 'unavailable' | undefined;
  /** The jobs of the account. Undefined: no api counts them. */
  readonly all?: number | undefined;
  /** Those that wait for deletion already. Undefined: they are not counted in time. */
  readonly waiting?: number | undefined;
  /** Undefined only if the form that was sent had none. */
  readonly delayMs: number | undefined;
  readonly rules?: Pick<AccountSafety, 'limit' | 'allowances'>;
}

/**
 * The page with the form that confirms a deletion. The form sends the delay that it shows. The browser's Back may show the form
 * again, but it deletes once.
 */
export function confirmPage(
  visit: MemberVisit,
  {
    once,
    ids,
    foundBy,
    titles = new Map(),
    leftOut,
    repeated = [],
    problem,
    all,
    waiting,
    delayMs,
    rules,
  }: Preview,
): Reply {
  const { language } = visit;
  const texts = deleteJobsTexts[language];
  const jobs = jobsText(ids.length, language);
  // The button names one job. Of several, typing the number catches a list that is longer than expected.
  const isOne = ids.length === 1;
  const fields = (
    <>
      {/* Enter in a field presses the first button of its form. */}
      <button class="skip" tabindex={-1} aria-hidden="true" />
      <OnceField once={once} />
      <input type="hidden" data-ends-selection />
      <HiddenIds name="leftOut" ids={leftOut.map(({ id }) => id)} />
      <HiddenIds name="repeated" ids={repeated} />
      {delayMs !== undefined && <input type="hidden" name="delay" value={delayMs} />}
      <FoundJobs {...{ language, all, waiting }} found={ids.length} />
      {foundBy !== undefined && <p>{texts.foundBy(foundBy)}</p>}
      <TitledIds language={language} jobIds={ids} titles={titles} />
      <AllIds language={language} ids={ids} />
      <LeftOut visit={visit} jobs={leftOut} repeated={repeated} />
      {delayMs !== undefined && (
        <p class={delayMs > 0 ? undefined : 'warning'}>
          {delayMs > 0 ? texts.delayed(formatDuration(delayMs, language)) : texts.permanent}
          {delayMs === 0 && includesRole(visit.role, 'owner') && (
            <>
              {' '}
              <a href={accountPath(visit, '/safety')}>{texts.setDelay}</a>
            </>
          )}
        </p>
      )}
      {rules?.limit && <Allowed visit={visit} allowances={rules.allowances} />}
      {isOne ? (
        <input type="hidden" name="count" value="1" />
      ) : (
        <TextField
          name="count"
          label={texts.count}
          hint={texts.countHint(String(ids.length))}
          value={problem === 'count' ? visit.form.get('count')?.slice(0, maxCountLength) : undefined}
          problem={problem === 'count' ? texts.problems.count : undefined}
          inputMode="numeric"
          autocomplete="off"
          maxLength={maxCountLength}
          required
        />
      )}
    </>
  );
  const status = { count: 422, expired: 422, changed: 409, delay: 409, unavailable: 503 };
  const page = formPage(visit, {
    title: isOne ? texts.previewOne : texts.previewTitle,
    status: problem === undefined ? 200 : status[problem],
    problem: problem === undefined || (problem === 'count' && !isOne) ? undefined : texts.problems[problem],
    action: accountPath(visit, confirmPath),
    fields,
    submit: texts.submit(jobs),
    isDanger: true,
    back: (
      <>
        <button
          class="quiet"
          name={editField}
          value="yes"
          formaction={accountPath(visit, idsPath)}
          formnovalidate
        >
          {texts.edit}
        </button>
        {!isOne && (
          <button class="quiet" formaction={accountPath(visit, csvPath)} formnovalidate>
            {texts.csv}
          </button>
        )}
      </>
    ),
  });
  return { ...page, isKept: true };
}

interface FoundJobsProps extends Pick<Preview, 'all' | 'waiting'> {
  readonly language: Language;
  readonly found: number;
}

/** From this share on, the number of jobs is a warning. */
const largeShare = 0.5;

/** How many jobs will be deleted, and how many would be left. A waiting job is as good as deleted, and is never found. */
function FoundJobs({ language, found, all, waiting }: FoundJobsProps) {
  const texts = deleteJobsTexts[language];
  const jobs = <strong>{texts.found(jobsText(found, language))}</strong>;
  if (all === undefined || found === 1) return <p>{jobs}</p>;
  // Jobs may have come or gone between the counts.
  const rest = Math.max(found, all - (waiting ?? 0));
  const { format } = new Intl.NumberFormat(language);
  // Only all jobs are 100%.
  const percent = new Intl.NumberFormat(language, {
    style: 'percent',
    maximumSignificantDigits: 2,
    roundingMode: 'floor',
  });
  const share = waiting ? texts.shareOfRest : texts.share;
  return (
    <p class={found >= largeShare * rest ? 'warning' : undefined}>
      {jobs} {share(percent.format(found / rest), format(rest))}
      {waiting !== undefined && ` ${texts.left(jobsText(rest - found, language))}`}
    </p>
  );
}

interface AllowedProps {
  readonly visit: MemberVisit;
  readonly allowances: readonly Allowance[];
}

/** How many jobs are allowed beside the limit, until the first allowance ends. Shows nothing without one. */
function Allowed({ visit, allowances }: AllowedProps) {
  if (allowances.length === 0) return null;
  const { language } = visit;
  const texts = deleteJobsTexts[language];
  const more = allowances.reduce((sum, { jobs }) => sum + jobs, 0);
  return (
    <p>
      {texts.allowed(jobsText(more, language))}{' '}
      <Time ms={Math.min(...allowances.map(({ untilMs }) => untilMs))} language={language} />.{' '}
      <a href={accountPath(visit, '/safety')}>{texts.toLimit}</a>
    </p>
  );
}

/** Sends all ids with the form. If the list above is cut, the same field shows them. */
function AllIds({ language, ids }: { readonly language: Language; readonly ids: readonly string[] }) {
  if (ids.length <= shownIds) return <HiddenIds name="ids" ids={ids} />;
  const texts = deleteJobsTexts[language];
  return (
    <details>
      <summary>{texts.showAll(new Intl.NumberFormat(language).format(ids.length))}</summary>
      <textarea name="ids" aria-label={texts.ids} rows={12} autocomplete="off" spellcheck={false} readonly>
        {ids.join('\n')}
      </textarea>
    </details>
  );
}

/** Carries ids to the answer of the form, which may show them again. */
function HiddenIds({ name, ids }: { readonly name: string; readonly ids: readonly string[] }) {
  return ids.length > 0 ? <input type="hidden" name={name} value={ids.join(' ')} /> : null;
}
