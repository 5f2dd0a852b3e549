import { ifAvailable } from '../deleter/answer-to.ts';
import type { DeleterCalls } from '../deleter/deleter-calls.ts';
import { accountPath } from '../web/account-path.ts';
import { ShortId } from '../web/marks.tsx';
import type { MemberVisit } from '../web/route.ts';
import { deleteJobsTexts } from './delete-jobs-texts.ts';

/** A job that no deletion can have, and why. */
export interface LeftOutJob {
  readonly id: string;
  readonly why: (typeof reasons)[number];
  /** The deletion that removes the job. */
  readonly deletionId?: string | undefined;
  /** The id that the account has. */
  readonly spelling?: string | undefined;
}

const reasons = ['otherLetters', 'removing', 'absent', 'unexplained'] as const;
export const shownIds = 20;

/** Says of the ids that a page shows why they are left out. One sentence has both causes for the others. */
export async function explainLeftOut(
  deleter: Pick<DeleterCalls, 'getJob'>,
  accountId: string,
  ids: readonly string[],
): Promise<readonly LeftOutJob[]> {
  const unexplained = ids.map((id) => ({ id, why: 'unexplained' }) as const);
  const explained = await ifAvailable(
    Promise.all(ids.slice(0, shownIds).map((id) => explain(deleter, accountId, id))),
  );
  return explained === undefined ? unexplained : [...explained, ...unexplained.slice(shownIds)];
}

async function explain(
  deleter: Pick<DeleterCalls, 'getJob'>,
  accountId: string,
  id: string,
): Promise<LeftOutJob> {
  const spellings = [id, id.toUpperCase(), id.toLowerCase()];
  const [job, ...others] = await Promise.all(spellings.map((each) => deleter.getJob(accountId, each)));
  if (job?.deletionId !== undefined) return { id, why: 'removing', deletionId: job.deletionId };
  // The job may have come, or become free, since the deletion was checked.
  if (job !== undefined) return { id, why: 'unexplained' };
  const other = others.findIndex((each) => each !== undefined && each.deletionId === undefined);
  return other < 0 ? { id, why: 'absent' } : { id, why: 'otherLetters', spelling: spellings[other + 1] };
}

export interface LeftOutProps {
  readonly visit: Pick<MemberVisit, 'accountId' | 'language'>;
  readonly jobs: readonly LeftOutJob[];
}

/** The jobs that are left out, by their causes. */
export function LeftOut({ visit, jobs }: LeftOutProps) {
  const texts = deleteJobsTexts[visit.language];
  const { format } = new Intl.NumberFormat(visit.language);
  return (
    <>
      {reasons.map((why) => {
        const some = jobs.filter((job) => job.why === why);
        if (some.length === 0) return null;
        return (
          <>
            <p>{texts.leftOut[why](some.length === 1 ? texts.oneJob : texts.jobs(format(some.length)))}</p>
            <ul class="ids">
              {some.slice(0, shownIds).map(({ id, deletionId, spelling }) => (
                <li>
                  <code>{id}</code>
                  {spelling !== undefined && (
                    <>
                      {' '}
                      → <code>{spelling}</code>
                    </>
                  )}
                  {deletionId !== undefined && (
                    <>
                      {' '}
                      <a href={accountPath(visit, `/activity/${deletionId}`)}>
                        <ShortId id={deletionId} />
                      </a>
                    </>
                  )}
                </li>
              ))}
            </ul>
            {some.length > shownIds && (
              <p class="muted">{texts.first(format(shownIds), format(some.length))}</p>
            )}
          </>
        );
      })}
    </>
  );
}
