import type { DayCounter } from '../activity/chart-days.ts';
import { jobsText } from '../activity/deletion-facts.tsx';
import { findTitles, ifAvailable, ifSoon } from '../deleter/answer-to.ts';
import { HoursField } from '../safety/allow-deletions.tsx';
import { safetyFormTexts } from '../safety/safety-form-texts.ts';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import type { Fact } from '../web/facts.tsx';
import { OnceField, openForm } from '../web/form-once.tsx';
import type { MemberVisit, Reply } from '../web/route.ts';
import { deleteJobsTexts } from './delete-jobs-texts.ts';
import { IdsField, idsPage } from './ids-page.tsx';
import { shownIds, TitledIds } from './id-list.tsx';
import { countWaiting } from './job-routes.tsx';
import { JobsForm, shareFacts } from './jobs-form.tsx';
import { idsPath } from './sent-ids.ts';

export const allowPath = '/jobs/delete/allow';

/** Says that the jobs exceed the limit. */
export interface OverLimit {
  readonly limit: number;
  /** Jobs that the account has deleted within 24 hours. */
  readonly used: number;
}

/** The field of the button that allows more: the number that its text promises. */
export const moreField = 'more';

/**
 * Resolves to the number of jobs that the limit lacks. 0: the rules allow them already, and the api learns of that within some
 * seconds. Undefined: no api tells the rules.
 */
export async function countLacking(
  { deleter }: Pick<Services, 'deleter'>,
  accountId: string,
  jobs: number,
  over: OverLimit,
): Promise<number | undefined> {
  const safety = await ifAvailable(deleter.getSafety(accountId));
  if (safety === undefined) return undefined;
  if (safety.limit === undefined) return 0;
  return Math.max(0, jobs + over.used - (safety.usage?.limitJobs ?? over.limit));
}

/**
 * The page of a deletion that the limit refused, with a button that allows what the limit lacks.
 * @param unnamed what the limit lacks, if it is more than the pressed button named
 */
export async function overLimitPage(
  services: Pick<Services, 'deleter' | 'keys'> & { readonly dayCounter: DayCounter },
  visit: MemberVisit,
  { ids, text }: { readonly ids: readonly string[]; readonly text: string },
  over: OverLimit,
  unnamed?: number,
): Promise<Reply> {
  const { language, accountId } = visit;
  const jobs = ids.length;
  const { overLimit: texts, problems, title, back, edit, preview, listed } = deleteJobsTexts[language];
  const { format } = new Intl.NumberFormat(language);
  const [more, titles, all, waiting] = await Promise.all([
    unnamed ?? countLacking(services, accountId, jobs, over),
    findTitles(services.deleter, accountId, ids.slice(0, shownIds)),
    ifSoon(services.deleter.countJobs(accountId)),
    ifSoon(countWaiting(services, visit)),
  ]);
  if (more === undefined) return idsPage(services, visit, { text, problem: problems.unchecked, status: 503 });
  const { used } = over;
  if (more === 0) {
    const warning = (
      <p class="warning" role="alert">
        {texts.allowedSoon}
      </p>
    );
    return idsPage(services, visit, { text, warning, status: 200 });
  }
  // A limit in percent may have shrunk below what is used.
  const limit = jobs + used - more;
  const jobsOf = (count: number) => jobsText(count, language);
  const facts: readonly Fact[] = [
    ...shareFacts(visit, jobs, { all, waiting }),
    [texts.limit, jobsOf(limit)],
    [texts.used, jobsOf(used)],
    [texts.free, jobsOf(Math.max(0, limit - used))],
    [texts.missing, <strong class="problem">{jobsOf(more)}</strong>],
  ];
  const below = (
    <section>
      <h2>{listed}</h2>
      <div class="card">
        <TitledIds language={language} jobIds={ids} titles={titles} />
      </div>
    </section>
  );
  const body = (
    <JobsForm visit={visit} action={accountPath(visit, idsPath)} facts={facts} below={below}>
      <div class="warning" role="alert">
        {unnamed !== undefined && <p>{texts.isMore}</p>}
        <p>{texts.refused}</p>
      </div>
      <p>{texts.who}</p>
      <OnceField once={openForm(services, visit)} />
      <p>{safetyFormTexts[language].allowPage.intro}</p>
      <HoursField language={language} value={visit.form.get('hours')} />
      <p class="actions">
        <button name={moreField} value={more} formaction={accountPath(visit, allowPath)} formnovalidate>
          {texts.allow(format(more))}
        </button>
        <a href={accountPath(visit, '/jobs')}>{back}</a>
      </p>
      {/* The form sends the field of closed details too. */}
      <details>
        <summary>{edit}</summary>
        <IdsField visit={visit} text={text} />
        <button class="quiet">{preview}</button>
      </details>
    </JobsForm>
  );
  return { kind: 'page', status: 422, title, body, isKept: true };
}
