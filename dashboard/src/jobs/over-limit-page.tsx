import { HoursField } from '../safety/allow-deletions.tsx';
import { safetyTexts } from '../safety/safety-texts.ts';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { OnceField, openForm } from '../web/form-once.tsx';
import type { MemberVisit, Reply } from '../web/route.ts';
import { deleteJobsTexts } from './delete-jobs-texts.ts';
import { idsPage } from './ids-page.tsx';

export const allowPath = '/jobs/delete/allow';

/** The ids of a deletion that was refused, with a button that allows what the limit lacks. */
export function overLimitPage(
  { keys }: Pick<Services, 'keys'>,
  visit: MemberVisit,
  text: string,
  jobs: number,
  { limit, used }: { readonly limit: number; readonly used: number },
): Reply {
  const { language } = visit;
  const { overLimit: texts } = deleteJobsTexts[language];
  const { format } = new Intl.NumberFormat(language);
  const free = used < limit ? format(limit - used) : texts.noneLeft;
  // A limit in percent may have shrunk below what is used.
  const more = jobs + used - limit;
  const warning = (
    <div class="warning" role="alert">
      <p>{texts.text(format(jobs), format(limit), format(used), free, format(more))}</p>
      <p>{safetyTexts[language].allowPage.intro}</p>
      <OnceField once={openForm({ keys }, visit)} />
      <input type="hidden" name="jobs" value={more} />
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
