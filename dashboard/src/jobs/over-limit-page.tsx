import { jobsText } from '../activity/deletion-facts.tsx';
import { findTitles, ifAvailable } from '../deleter/answer-to.ts';
import { HoursField } from '../safety/allow-deletions.tsx';
import { safetyFormTexts } from '../safety/safety-form-texts.ts';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { OnceField, openForm } from '../web/form-once.tsx';
import type { MemberVisit, Reply } from '../web/route.ts';
import { deleteJobsTexts } from './delete-jobs-texts.ts';
import { idsPage } from './ids-page.tsx';
import { shownIds, TitledIds } from './id-list.tsx';

export const allowPath = '/jobs/delete/allow';

/** Says that the jobs exceed the limit. */
export interface OverLimit {
  readonly limit: number;
  /** Jobs that the account has deleted within 24 hours. */
  readonly used: number;
}

/** The field of the button: the most jobs that it allows. */
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
 * The ids of a deletion that was refused, with a button that allows what the limit lacks.
 * @param isMore the limit lacks more than the button said that the person has pressed
 */
export async function overLimitPage(
  services: Pick<Services, 'deleter' | 'keys'>,
  visit: MemberVisit,
  { ids, text }: { readonly ids: readonly string[]; readonly text: string },
  over: OverLimit,
  isMore = false,
): Promise<Reply> {
  const { language, accountId } = visit;
  const jobs = ids.length;
  const { overLimit: texts, problems } = deleteJobsTexts[language];
  const { format } = new Intl.NumberFormat(language);
  const [more, titles] = await Promise.all([
    countLacking(services, accountId, jobs, over),
    findTitles(services.deleter, accountId, ids.slice(0, shownIds)),
  ]);
  if (more === undefined) return idsPage(visit, { text, problem: problems.unchecked, status: 503 });
  const { used } = over;
  if (more === 0) {
    const warning = (
      <p class="warning" role="alert">
        {texts.allowedSoon}
      </p>
    );
    return idsPage(visit, { text, warning, status: 200 });
  }
  // A limit in percent may have shrunk below what is used.
  const limit = jobs + used - more;
  const free = used < limit ? format(limit - used) : texts.noneLeft;
  const warning = (
    <>
      <div class="warning">
        <div role="alert">
          {isMore && <p>{texts.isMore}</p>}
          <p>{texts.text(format(jobs), format(limit), format(used), free, format(more))}</p>
          <p>{safetyFormTexts[language].allowPage.intro}</p>
        </div>
        <OnceField once={openForm(services, visit)} />
        <div class="inline">
          <HoursField language={language} value={visit.form.get('hours')} />
          <button class="quiet" name={moreField} value={more} formaction={accountPath(visit, allowPath)}>
            {texts.allow(format(more))}
          </button>
        </div>
      </div>
      <p>
        <strong>{jobsText(jobs, language)}</strong>
      </p>
      <TitledIds language={language} jobIds={ids} titles={titles} />
      {jobs > shownIds && <p class="muted">{texts.inField(format(jobs))}</p>}
    </>
  );
  return idsPage(visit, { text, warning });
}
