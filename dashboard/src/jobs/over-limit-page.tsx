import { ifAvailable } from '../deleter/answer-to.ts';
import { HoursField } from '../safety/allow-deletions.tsx';
import { safetyTexts } from '../safety/safety-texts.ts';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { OnceField, openForm } from '../web/form-once.tsx';
import type { MemberVisit, Reply } from '../web/route.ts';
import { deleteJobsTexts } from './delete-jobs-texts.ts';
import { idsPage } from './ids-page.tsx';

export const allowPath = '/jobs/delete/allow';

/** Says that the jobs exceed the limit. */
export interface OverLimit {
  readonly limit: number;
  /** Jobs that the account has deleted within 24 hours. */
  readonly used: number;
}

/**
 * Resolves to how many more jobs the account must allow: none if its rules allow them already, because an api learns of
 * them only after some seconds. Undefined: the rules are unknown.
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

/** The ids of a deletion that was refused, with a button that allows what the limit lacks. */
export async function overLimitPage(
  services: Pick<Services, 'deleter' | 'keys'>,
  visit: MemberVisit,
  text: string,
  jobs: number,
  over: OverLimit,
): Promise<Reply> {
  const { language, accountId } = visit;
  const { overLimit: texts, problems } = deleteJobsTexts[language];
  const { format } = new Intl.NumberFormat(language);
  const more = await countLacking(services, accountId, jobs, over);
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
    <div class="warning">
      <div role="alert">
        <p>{texts.text(format(jobs), format(limit), format(used), free, format(more))}</p>
        <p>{safetyTexts[language].allowPage.intro}</p>
      </div>
      <OnceField once={openForm(services, visit)} />
      <div class="inline">
        <HoursField language={language} />
        <button class="quiet" formaction={accountPath(visit, allowPath)}>
          {texts.allow(format(more))}
        </button>
      </div>
    </div>
  );
  return idsPage(visit, { text, warning });
}
