import { ifAvailable, ifSoon } from '../deleter/answer-to.ts';
import type { DeleterCalls } from '../deleter/deleter-calls.ts';
import { accountPath } from '../web/account-path.ts';
import { ShortId } from '../web/marks.tsx';
import type { MemberVisit } from '../web/route.ts';
import { deleteJobsTexts } from './delete-jobs-texts.ts';
import { removes } from './find-job.ts';
import { IdList, shownIds } from './id-list.tsx';
import { idsPath, spellField } from './sent-ids.ts';

/** A job that the preview leaves out, and why. */
export interface LeftOutJob {
  readonly id: string;
  readonly why: (typeof reasons)[number];
  /** The deletion that has the job, or has removed it. */
  readonly deletionId?: string | undefined;
  /** The id that the account has. */
  readonly spelling?: string | undefined;
}

const reasons = ['otherCapitals', 'removing', 'deleted', 'absent', 'unexplained', 'malformed'] as const;

/** Asks why each of the ids that a page shows is left out. */
export async function explainLeftOut(
  deleter: Pick<DeleterCalls, 'getJob' | 'listDeletions'>,
  accountId: string,
  ids: readonly string[],
  malformed: readonly string[] = [],
): Promise<readonly LeftOutJob[]> {
  const explained = ids.slice(0, shownIds).map((id) => ifAvailable(explain(deleter, accountId, id)));
  return leftOutJobs(ids, malformed, await Promise.all(explained));
}

/** Returns the ids that are left out, and the malformed ones. Those without an answer are `unexplained`. */
export function leftOutJobs(
  ids: readonly string[],
  malformed: readonly string[],
  answers: readonly (Omit<LeftOutJob, 'id'> | undefined)[] = [],
): readonly LeftOutJob[] {
  return [
    ...ids.map((id, position) => ({ id, ...(answers[position] ?? { why: 'unexplained' as const }) })),
    ...malformed.map((id) => ({ id, why: 'malformed' as const })),
  ];
}

async function explain(
  deleter: Pick<DeleterCalls, 'getJob' | 'listDeletions'>,
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
  // One call examines the newest deletions only.
  const named = await ifSoon(deleter.listDeletions({ accountId, jobId: id, pageSize: 1 }));
  const by = named?.deletions.find(removes);
  return by === undefined ? { why: 'absent' } : { why: 'deleted', deletionId: by.id };
}

type SomeJob = Omit<LeftOutJob, 'why'>;

interface LeftOutProps {
  readonly visit: Pick<MemberVisit, 'accountId' | 'language'>;
  readonly jobs: readonly LeftOutJob[];
  /** The ids that come again, once for each repetition. */
  readonly repeated?: readonly string[] | undefined;
}

/** What is left out, by its causes. */
export function LeftOut({ visit, jobs, repeated = [] }: LeftOutProps) {
  const { leftOut: texts } = deleteJobsTexts[visit.language];
  const { format } = new Intl.NumberFormat(visit.language);
  const groups = [
    ...reasons.map((why) => {
      const some: readonly SomeJob[] = jobs.filter((job) => job.why === why);
      return { name: texts[why], count: some.length, some };
    }),
    {
      name: texts.repeated,
      count: repeated.length,
      some: Array.from(new Set(repeated), (id): SomeJob => ({ id })),
    },
  ].filter(({ count }) => count > 0);
  if (groups.length === 0) return null;
  return (
    <>
      <h2>{texts.heading}</h2>
      <ul class="groups">
        {groups.map(({ name, count, some }) => (
          <li>
            <p>
              {name} <strong>{format(count)}</strong>
            </p>
            <IdList
              language={visit.language}
              jobs={some}
              render={(job) => <LeftOutId visit={visit} job={job} />}
            />
            <UseSpellings visit={visit} jobs={some} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** A button that goes on with the ids that the account has. */
function UseSpellings({ visit, jobs }: Pick<LeftOutProps, 'visit'> & { readonly jobs: readonly SomeJob[] }) {
  const { leftOut: texts } = deleteJobsTexts[visit.language];
  const spelled = jobs.flatMap(({ id, spelling }) => (spelling === undefined ? [] : [{ id, spelling }]));
  const [first] = spelled;
  if (first === undefined) return null;
  return (
    <button
      class="quiet"
      name={spellField}
      value={spelled.map(({ id, spelling }) => `${id}=${spelling}`).join(' ')}
      formaction={accountPath(visit, idsPath)}
      formnovalidate
    >
      {spelled.length === 1 ? texts.useOne(first.spelling) : texts.useMany(String(spelled.length))}
    </button>
  );
}

function LeftOutId({
  visit,
  job: { id, deletionId, spelling },
}: Pick<LeftOutProps, 'visit'> & { readonly job: SomeJob }) {
  return (
    <>
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
    </>
  );
}
