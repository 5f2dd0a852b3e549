import { sumOf } from '@jobs-delete/runtime/batching/groups';
import { jobsText } from '../activity/deletion-facts.tsx';
import type { AccountSafety } from '../deleter/account-safety.ts';
import { findTitles, ifAvailable } from '../deleter/answer-to.ts';
import { HoursField } from '../safety/allow-deletions.tsx';
import { safetyFormTexts } from '../safety/safety-form-texts.ts';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import type { Fact } from '../web/facts.tsx';
import { OnceField, openForm } from '../web/form-once.tsx';
import { includesRole, type MemberVisit, type Reply } from '../web/route.ts';
import { deleteJobsTexts } from './delete-jobs-texts.ts';
import { IdsField, idsPage } from './ids-page.tsx';
import { AllIds, shownIds, TitledIds } from './id-list.tsx';
import { JobsForm } from './jobs-form.tsx';
import { overLimitTexts } from './over-limit-texts.ts';
import { idsPath } from './sent-ids.ts';

export const allowPath = '/jobs/delete/allow';

/** Says that the jobs exceed the limit. */
export interface OverLimit {
  readonly limit: number;
  /** Jobs that the account has deleted within 24 hours. */
  readonly used: number;
}

interface OverLimitIds {
  readonly ids: readonly string[];
  /** What was sent, also ids without a job. */
  readonly text: string;
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
  return safety && lackingOf(safety, jobs, over);
}

function lackingOf({ limit, usage }: AccountSafety, jobs: number, over: OverLimit): number {
  return limit === undefined ? 0 : Math.max(0, jobs + over.used - (usage?.limitJobs ?? over.limit));
}

/**
 * The page of a deletion that the limit refused, with a button that allows what the limit lacks.
 * @param isMore the limit lacks more than the pressed button named
 */
export async function overLimitPage(
  services: Pick<Services, 'deleter' | 'keys'>,
  visit: MemberVisit,
  { ids, text }: OverLimitIds,
  over: OverLimit,
  isMore = false,
): Promise<Reply> {
  const { language, accountId, role } = visit;
  const jobs = ids.length;
  const texts = overLimitTexts[language];
  const { problems, edit, preview, listed } = deleteJobsTexts[language];
  const { format } = new Intl.NumberFormat(language);
  const [safety, titles] = await Promise.all([
    ifAvailable(services.deleter.getSafety(accountId)),
    findTitles(services.deleter, accountId, ids.slice(0, shownIds)),
  ]);
  if (safety === undefined)
    return idsPage(services, visit, { text, problem: problems.unchecked, status: 503 });
  const { used } = over;
  const more = lackingOf(safety, jobs, over);
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
  const free = Math.max(0, limit - used);
  const jobsOf = (count: number) => jobsText(count, language);
  const added = sumOf(safety.allowances, 'jobs');
  const facts: readonly Fact[] = [
    [added > 0 ? texts.limitWith(format(added)) : texts.limit, jobsOf(limit)],
    [texts.used, jobsOf(used)],
    [texts.missing, <strong class="problem">{jobsOf(more)}</strong>],
  ];
  const below = (
    <section>
      <h2>{listed}</h2>
      <div class="card">
        <TitledIds language={language} jobIds={ids} titles={titles} />
        <AllIds language={language} ids={ids} />
      </div>
    </section>
  );
  const body = (
    <JobsForm visit={visit} action={accountPath(visit, idsPath)} facts={facts} below={below}>
      <div class="warning" role="alert">
        {isMore && <p>{texts.isMore}</p>}
        <p>{free > 0 ? texts.sum(jobsOf(jobs), format(free), format(more)) : texts.none(jobsOf(jobs))}</p>
      </div>
      <p>
        {includesRole(role, 'owner') ? (
          <>
            {texts.you} <a href={accountPath(visit, '/safety/limit')}>{texts.change}</a>
          </>
        ) : (
          `${texts.who} ${texts.change}`
        )}
        .
      </p>
      <OnceField once={openForm(services, visit)} />
      <p>{safetyFormTexts[language].allowPage.intro}</p>
      <HoursField language={language} value={visit.form.get('hours')} />
      <div class="actions">
        <button class="quiet" name={moreField} value={more} formaction={accountPath(visit, allowPath)}>
          {texts.allow(format(more))}
        </button>
        {/* The form sends the field of closed details too. */}
        <details>
          <summary class="button">{edit}</summary>
          <IdsField visit={visit} text={text} />
          <button>{preview}</button>
        </details>
      </div>
    </JobsForm>
  );
  return { kind: 'page', status: 422, title: texts.title(jobsOf(more)), body, isKept: true };
}
