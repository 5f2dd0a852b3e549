import { isJobId } from '@jobs-delete/proto/ids';
import type { JobsPage, JobTitles, TitledJobsPage } from '../deleter/deleter-calls.ts';
import { accountPath, queryOf } from '../web/account-path.ts';
import { CsrfField } from '../web/form.tsx';
import { JobIds } from '../web/marks.tsx';
import { includesRole, type MemberVisit } from '../web/route.ts';
import { idsPath } from './confirm-page.tsx';
import { jobTexts } from './job-texts.ts';

/** Where a page of a list begins. */
interface Place {
  /** The number of its first job. */
  readonly first: number;
  /** The id before it. Empty for the first page. */
  readonly after: string;
}

type Places = readonly [Place, ...Place[]];

const start: Place = { first: 1, after: '' };
/** An address of 4,000 characters passes every proxy. */
const maxQueryLength = 3_800;

/**
 * Returns the places of this page and of those before it, which lead back: no store can. They are in the address, the
 * oldest left out if it becomes too long.
 */
export function readPlaces(query: URLSearchParams): Places {
  const [first, ...others] = (query.get('pages') ?? '').split(' ').flatMap((each) => {
    const [, number, after] = /^(\d{1,9}):([A-Za-z0-9]{0,128})$/.exec(each) ?? [];
    return number !== undefined && after !== undefined ? [{ first: Number(number), after }] : [];
  });
  return first === undefined ? [start] : [first, ...others];
}

export function lastOf(places: Places): Place {
  return places.at(-1) ?? places[0];
}

export function isFirstPage(places: Places): boolean {
  return lastOf(places).after === '';
}

interface ListProps {
  readonly visit: MemberVisit;
  /** People may delete jobs. */
  readonly deletes: boolean;
  readonly places: Places;
  /** What is searched; empty for all jobs. */
  readonly text: string;
}

/** What a search has found. Undefined: no api has answered. */
export function FoundJobs({ found, ...list }: ListProps & { readonly found: TitledJobsPage | undefined }) {
  const { search: texts } = jobTexts[list.visit.language];
  if (found === undefined)
    return (
      <p class="warning" role="alert">
        {texts.unavailable}
      </p>
    );
  if (found.jobIds.length > 0) return <JobList {...list} page={found} titles={found.titles} />;
  const none = isFirstPage(list.places) ? texts.none : texts.noMore;
  return (
    <section>
      <h2>{texts.heading(list.text)}</h2>
      <p>{found.next === undefined ? none : texts.noneYet}</p>
      <SameId {...list} />
      <Pages {...list} page={found} />
    </section>
  );
}

/** Leads to the job that has the text as its id, if there can be one: its page shows deleted jobs too. */
function SameId({ visit, text }: Pick<ListProps, 'visit' | 'text'>) {
  if (!isJobId(text)) return null;
  return (
    <p>
      <a href={accountPath(visit, `/jobs?job=${text}`)}>{jobTexts[visit.language].search.sameId(text)}</a>
    </p>
  );
}

interface JobListProps extends ListProps {
  readonly page: JobsPage;
  readonly titles: JobTitles;
}

/** The jobs of a page. A manager selects those to delete. */
export function JobList(props: JobListProps) {
  const { visit, deletes, page, titles, places, text } = props;
  const { accountId, language } = visit;
  const { list: texts, search } = jobTexts[language];
  const { format } = new Intl.NumberFormat(language);
  const { jobIds } = page;
  const { first } = lastOf(places);
  const canDelete = deletes && includesRole(visit.role, 'manager') && jobIds.length > 0;
  const ids = jobIds.length > 0 && (
    <JobIds accountId={accountId} jobIds={jobIds} titles={titles} select={canDelete && texts.select} />
  );
  return (
    <section>
      <div class="heading">
        <h2>{text === '' ? texts.heading : search.heading(text)}</h2>
        {jobIds.length > 0 && (
          <span class="muted">{texts.position(format(first), format(first + jobIds.length - 1))}</span>
        )}
      </div>
      {canDelete ? (
        <form method="post" action={accountPath(visit, idsPath)}>
          <CsrfField visit={visit} />
          <p class="actions">
            <label data-selects="ids" hidden>
              <input type="checkbox" />
              {texts.selectAll}
            </label>
            <button class="danger quiet">{texts.deleteSelected}</button>
            <output class="muted" hidden>
              {texts.selected} <strong>0</strong>
            </output>
          </p>
          {ids}
        </form>
      ) : (
        ids
      )}
      <p class="muted">
        {jobIds.length === 0 && texts.noneHere} {texts.hint}
      </p>
      <SameId {...props} />
      <Pages {...props} />
    </section>
  );
}

interface PagesProps extends Omit<ListProps, 'deletes'> {
  readonly page: JobsPage;
}

/** The ways to the pages before and after. */
function Pages({ visit, page: { jobIds, next }, places, text }: PagesProps) {
  const { list: texts } = jobTexts[visit.language];
  const to = (pages: readonly Place[]) => {
    const words = pages.map(({ first, after }) => `${String(first)}:${after}`);
    for (;;) {
      const query = queryOf({ find: text, pages: words.join() === '1:' ? undefined : words.join(' ') });
      if (query.length <= maxQueryLength || words.length === 1) return accountPath(visit, `/jobs${query}`);
      words.shift();
    }
  };
  const { first } = lastOf(places);
  const isFirst = isFirstPage(places);
  if (isFirst && next === undefined) return null;
  return (
    <p class="inline">
      {!isFirst && <a href={to([start])}>{texts.first}</a>}
      {places.length > 1 && <a href={to(places.slice(0, -1))}>{texts.previous}</a>}
      {next !== undefined && (
        <a href={to([...places, { first: first + jobIds.length, after: next }])}>{texts.next}</a>
      )}
    </p>
  );
}
