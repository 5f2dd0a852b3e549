import { sumOf } from '@jobs-delete/runtime/batching/groups';
import { jobsText } from '../activity/deletion-facts.tsx';
import type { AccountSafety, Allowance } from '../deleter/account-safety.ts';
import type { JobTitles } from '../deleter/deleter-calls.ts';
import { jobsLeft } from '../safety/limit-card.tsx';
import { accountPath } from '../web/account-path.ts';
import type { Fact } from '../web/facts.tsx';
import { Alert, TextField } from '../web/form.tsx';
import { OnceField, readFormUuid } from '../web/form-once.tsx';
import type { Services } from '../services.ts';
import { includesRole, type MemberVisit, type Reply } from '../web/route.ts';
import type { Language } from '../web/language.ts';
import { formatDuration, Time } from '../web/time.tsx';
import { deleteJobsTexts } from './delete-jobs-texts.ts';
import type { LeftOutJob } from './explain-left-out.ts';
import { AllIds, shownIds, TitledIds } from './id-list.tsx';
import { LeftOut } from './left-out.tsx';
import { isDangerous, type JobCounts, JobsForm, largeShare, shareFacts, shareOf } from './jobs-form.tsx';
import { jobsFormTexts } from './jobs-form-texts.ts';
import { idsPath } from './sent-ids.ts';

export const confirmPath = '/jobs/delete/confirm';
/** Where a button of the preview gets its jobs as a file. */
export const csvPath = '/jobs/delete/jobs.csv';
/** The button that leads from the preview back to the ids. */
export const editField = 'edit';

const maxCountLength = 12;

export interface Preview extends JobCounts {
  readonly once: string;
  readonly ids: readonly string[];
  /** The words of the search that has just found the ids. */
  readonly foundBy?: string | undefined;
  /** Of the first ids. */
  readonly titles?: JobTitles;
  readonly leftOut: readonly LeftOutJob[];
  /** The pasted ids that come again, once for each repetition. */
  readonly repeated?: readonly string[] | undefined;
  readonly problem: 'count' | 'expired' | 'changed' | 'refused' | 'delay' | 'unavailable' | undefined;
  /** Undefined only if the form that was sent had none. */
  readonly delayMs: number | undefined;
  readonly rules?: AccountSafety;
}

/**
 * The page with the form that confirms a deletion. The form sends the delay that it shows. The browser's Back may show the form
 * again, but it deletes once.
 */
export function confirmPage(
  services: Pick<Services, 'keys'>,
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
  const { facts: factTexts } = jobsFormTexts[language];
  const { removalDelayMs = delayMs, limit, usage, allowances = [] } = rules ?? {};
  const { format } = new Intl.NumberFormat(language);
  const facts: readonly Fact[] = [
    ...shareFacts(visit, ids.length, isOne ? {} : { all, waiting }),
    [factTexts.leftOut, leftOut.length + repeated.length > 0 && format(leftOut.length + repeated.length)],
    [
      factTexts.removal,
      removalDelayMs !== undefined &&
        (removalDelayMs > 0 ? factTexts.after(formatDuration(removalDelayMs, language)) : factTexts.atOnce),
    ],
    [
      factTexts.limit,
      limit &&
        usage?.limitJobs !== undefined &&
        factTexts.limitLeft(format(jobsLeft(usage.limitJobs, usage)), format(usage.limitJobs)),
    ],
  ];
  const titled = <TitledIds language={language} jobIds={ids} titles={titles} />;
  const below = (
    <>
      {!isOne && (
        <section>
          <h2>{texts.listed}</h2>
          <div class="card">
            {titled}
            <IdsOfForm language={language} ids={ids} />
          </div>
        </section>
      )}
      <section>
        <LeftOut visit={visit} jobs={leftOut} repeated={repeated} />
      </section>
    </>
  );
  const deletionId = readFormUuid(services, visit, once);
  const body = (
    <JobsForm
      visit={visit}
      action={accountPath(visit, confirmPath)}
      facts={facts}
      deletion={deletionId && accountPath(visit, `/activity/${deletionId}`)}
      below={below}
    >
      <Alert
        problem={
          problem === undefined || (problem === 'count' && !isOne) ? undefined : texts.problems[problem]
        }
      />
      <OnceField once={once} />
      <input type="hidden" data-ends-selection />
      <HiddenIds name="leftOut" ids={leftOut.map(({ id }) => id)} />
      <HiddenIds name="repeated" ids={repeated} />
      {delayMs !== undefined && <input type="hidden" name="delay" value={delayMs} />}
      <FoundJobs {...{ language, all, waiting }} found={ids.length} />
      {foundBy !== undefined && <p>{texts.foundBy(foundBy)}</p>}
      {isOne && titled}
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
      {limit && <Allowed visit={visit} allowances={allowances} />}
      {isOne ? (
        <>
          <HiddenIds name="ids" ids={ids} />
          <input type="hidden" name="count" value="1" />
        </>
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
      <p class="actions">
        <button class="danger">{texts.submit(jobs)}</button>
        <button class="quiet" name={editField} value="yes" formaction={accountPath(visit, idsPath)}>
          {texts.edit}
        </button>
        {!isOne && (
          <button class="quiet" formaction={accountPath(visit, csvPath)}>
            {texts.csv}
          </button>
        )}
      </p>
    </JobsForm>
  );
  const status = { count: 422, expired: 422, changed: 409, refused: 409, delay: 409, unavailable: 503 };
  return {
    kind: 'page',
    title: isOne ? texts.previewOne : texts.previewTitle,
    status: problem === undefined ? 200 : status[problem],
    body,
    isKept: true,
  };
}

interface FoundJobsProps extends JobCounts {
  readonly language: Language;
  readonly found: number;
}

/** How many jobs will be deleted. A large share of the account's jobs is a warning, nearly all are a danger. */
function FoundJobs({ language, found, all, waiting }: FoundJobsProps) {
  const texts = deleteJobsTexts[language];
  const jobs = <strong>{texts.found(jobsText(found, language))}</strong>;
  const share = found === 1 ? undefined : shareOf(found, { all, waiting }, language);
  if (share === undefined || share.share < largeShare) return <p>{jobs}</p>;
  const { percent, rest } = share;
  const say = waiting ? texts.shareOfRest : texts.share;
  return (
    <p class={isDangerous(share) ? 'warning danger' : 'warning'}>
      {jobs} {say(percent, new Intl.NumberFormat(language).format(rest))}
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
  const more = sumOf(allowances, 'jobs');
  return (
    <p>
      {texts.allowed(jobsText(more, language))}{' '}
      <Time ms={Math.min(...allowances.map(({ untilMs }) => untilMs))} language={language} />.{' '}
      <a href={accountPath(visit, '/safety')}>{texts.toLimit}</a>
    </p>
  );
}

/** Sends all ids with the form. If the list above is cut, the same field shows them. */
function IdsOfForm({ language, ids }: { readonly language: Language; readonly ids: readonly string[] }) {
  return ids.length > shownIds ? (
    <AllIds {...{ language, ids }} name="ids" />
  ) : (
    <HiddenIds name="ids" ids={ids} />
  );
}

/** Carries ids to the answer of the form, which may show them again. */
function HiddenIds({ name, ids }: { readonly name: string; readonly ids: readonly string[] }) {
  return ids.length > 0 ? <input type="hidden" name={name} value={ids.join(' ')} /> : null;
}
