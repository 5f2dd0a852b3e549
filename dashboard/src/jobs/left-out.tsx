import { accountPath } from '../web/account-path.ts';
import { ShortId } from '../web/marks.tsx';
import type { Language } from '../web/language.ts';
import type { MemberVisit } from '../web/route.ts';
import { deleteJobsTexts } from './delete-jobs-texts.ts';
import { reasons, type LeftOutJob } from './explain-left-out.ts';
import { IdList } from './id-list.tsx';
import { idsPath, spellField } from './sent-ids.ts';

type SomeJob = Omit<LeftOutJob, 'why'>;

interface LeftOutProps {
  readonly visit: Pick<MemberVisit, 'accountId' | 'language'>;
  readonly jobs: readonly LeftOutJob[];
  /** The ids that come again, once for each repetition. */
  readonly repeated?: readonly string[] | undefined;
}

/** Says why none of these jobs can be deleted. */
export function noneText(language: Language, jobs: readonly LeftOutJob[]): string {
  const { noneFound, noneBut } = deleteJobsTexts[language].problems;
  const [cause, ...others] = new Set(jobs.map(({ why }) => why));
  return cause && others.length === 0 ? noneBut[cause] : noneFound;
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

/** Keeps the button below 300 kB: the form has a bound. The next preview offers the others. */
const maxSpellings = 1_000;

/** A button that goes on with the ids that the account has. */
function UseSpellings({ visit, jobs }: Pick<LeftOutProps, 'visit'> & { readonly jobs: readonly SomeJob[] }) {
  const { leftOut: texts } = deleteJobsTexts[visit.language];
  const spelled = jobs
    .flatMap(({ id, spelling }) => (spelling === undefined ? [] : [{ id, spelling }]))
    .slice(0, maxSpellings);
  const [first] = spelled;
  if (first === undefined) return null;
  return (
    <button
      class="quiet"
      name={spellField}
      value={spelled.map(({ id, spelling }) => `${id}=${spelling}`).join(' ')}
      formaction={accountPath(visit, idsPath)}
    >
      {spelled.length === 1
        ? texts.useOne(first.spelling)
        : texts.useMany(new Intl.NumberFormat(visit.language).format(spelled.length))}
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
