import { ifAvailable } from '../deleter/answer-to.ts';
import type { DeleterCalls } from '../deleter/deleter-calls.ts';
import { accountPath } from '../web/account-path.ts';
import { ShortId } from '../web/marks.tsx';
import type { MemberVisit } from '../web/route.ts';
import { deleteJobsTexts } from './delete-jobs-texts.ts';

/** A job that the preview leaves out, and why. */
export interface LeftOutJob {
  readonly id: string;
  readonly why: (typeof reasons)[number];
  /** The deletion that has the job. */
  readonly deletionId?: string | undefined;
  /** The id that the account has. */
  readonly spelling?: string | undefined;
}

const reasons = ['otherCapitals', 'removing', 'absent', 'unexplained'] as const;
export const shownIds = 20;

/** Asks why each of the ids that a page shows is left out. The others, and those without an answer, are `unexplained`. */
export async function explainLeftOut(
  deleter: Pick<DeleterCalls, 'getJob'>,
  accountId: string,
  ids: readonly string[],
): Promise<readonly LeftOutJob[]> {
  const explained = ids.slice(0, shownIds).map((id) => ifAvailable(explain(deleter, accountId, id)));
  const whys = await Promise.all(explained);
  return ids.map((id, position) => ({ id, ...(whys[position] ?? { why: 'unexplained' }) }));
}

async function explain(
  deleter: Pick<DeleterCalls, 'getJob'>,
  accountId: string,
  id: string,
): Promise<Omit<LeftOutJob, 'id'>> {
  const job = await deleter.getJob(accountId, id);
  if (job?.deletionId !== undefined) return { why: 'removing', deletionId: job.deletionId };
  // The job may have come, or become free, since the deletion was checked.
  if (job !== undefined) return { why: 'unexplained' };
  for (const spelling of new Set([id.toUpperCase(), id.toLowerCase()])) {
    if (spelling === id) continue;
    const other = await deleter.getJob(accountId, spelling);
    if (other !== undefined && other.deletionId === undefined) return { why: 'otherCapitals', spelling };
  }
  return { why: 'absent' };
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
            {some.length > shownIds && (
              <p class="muted">{texts.first(format(shownIds), format(some.length))}</p>
            )}
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
          </>
        );
      })}
    </>
  );
}
