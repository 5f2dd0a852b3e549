import type { ComponentChild } from 'preact';
import type { JobTitles } from '../deleter/deleter-calls.ts';
import type { Language } from '../web/language.ts';
import { JobName } from '../web/marks.tsx';
import { deleteJobsTexts } from './delete-jobs-texts.ts';

/** How many ids a list shows. */
export const shownIds = 20;

interface IdListProps<Job> {
  readonly language: Language;
  readonly jobs: readonly Job[];
  readonly render: (job: Job) => ComponentChild;
  /** The rows have titles. */
  readonly isTitled?: boolean;
}

/** The first jobs in columns, and how many there are. */
export function IdList<Job>({ language, jobs, render, isTitled = false }: IdListProps<Job>) {
  const { format } = new Intl.NumberFormat(language);
  return (
    <>
      {jobs.length > shownIds && (
        <p class="muted">{deleteJobsTexts[language].first(format(shownIds), format(jobs.length))}</p>
      )}
      <ul class={isTitled ? 'ids titled' : 'ids'}>
        {jobs.slice(0, shownIds).map((job) => (
          <li>{render(job)}</li>
        ))}
      </ul>
    </>
  );
}

interface TitledIdsProps {
  readonly language: Language;
  readonly jobIds: readonly string[];
  /** Of the first ids. */
  readonly titles: JobTitles;
}

/** The first ids with their titles. */
export function TitledIds({ language, jobIds, titles }: TitledIdsProps) {
  return (
    <IdList
      language={language}
      jobs={jobIds}
      render={(id) => <JobName id={id} titles={titles} />}
      isTitled={titles.size > 0}
    />
  );
}

interface AllIdsProps {
  readonly language: Language;
  readonly ids: readonly string[];
  /** Sends the ids with the form. */
  readonly name?: string;
}

/** All ids, folded. Shows nothing if the list above has them. */
export function AllIds({ language, ids, name }: AllIdsProps) {
  if (ids.length <= shownIds) return null;
  const texts = deleteJobsTexts[language];
  return (
    <details>
      <summary>{texts.showAll(new Intl.NumberFormat(language).format(ids.length))}</summary>
      <textarea name={name} aria-label={texts.ids} rows={12} autocomplete="off" spellcheck={false} readonly>
        {ids.join('\n')}
      </textarea>
    </details>
  );
}
