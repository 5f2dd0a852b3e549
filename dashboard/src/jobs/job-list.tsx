import { isJobId } from '@jobs-delete/proto/ids';
import type { ComponentChild } from 'preact';
import type { JobsPage, JobTitles } from '../deleter/deleter-calls.ts';
import { accountPath, jobListPath, jobPath, queryOf } from '../web/account-path.ts';
import { CsrfField, TextField } from '../web/form.tsx';
import { includesRole, type MemberVisit } from '../web/route.ts';
import { Table } from '../web/table.tsx';
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

/** Returns the field `pages` of an address; undefined for the first page. */
function writePlaces(places: readonly Place[]): string | undefined {
  const text = places.map(({ first, after }) => `${String(first)}:${after}`).join(' ');
  return text === '1:' ? undefined : text;
}

export function lastOf(places: Places): Place {
  return places.at(-1) ?? places[0];
}

export function isFirstPage(places: Places): boolean {
  return lastOf(places).after === '';
}

export const maxTextLength = 200;

interface FindFormProps {
  readonly visit: MemberVisit;
  readonly text: string | undefined;
}

/** Searches jobs by their titles and ids, on the page of the list. */
export function FindForm({ visit, text }: FindFormProps) {
  const { find: texts } = jobTexts[visit.language];
  return (
    <form method="get" action={accountPath(visit, '/jobs')} class="inline find" role="search">
      <TextField
        name="find"
        label={texts.heading}
        placeholder={texts.hint}
        value={text}
        maxLength={maxTextLength}
        autocomplete="off"
        required
      />
      <button class="quiet">{texts.submit}</button>
    </form>
  );
}

export interface JobListProps {
  readonly visit: MemberVisit;
  /** People may delete jobs. */
  readonly deletes: boolean;
  readonly places: Places;
  /** What is searched; empty for all jobs. */
  readonly text: string;
  /** How many jobs the list has. */
  readonly heading: string;
  readonly hint?: ComponentChild;
  readonly page: JobsPage;
  readonly titles: JobTitles;
}

/** The jobs of a page. A manager selects those to delete. */
export function JobList(props: JobListProps) {
  const { visit, deletes, page, places, heading, hint } = props;
  const { list: texts } = jobTexts[visit.language];
  const { format } = new Intl.NumberFormat(visit.language);
  const { jobIds } = page;
  const { first } = lastOf(places);
  const canDelete = deletes && includesRole(visit.role, 'manager');
  return (
    <section>
      <div class="heading">
        <div class="inline">
          <h2 id="list-heading">{heading}</h2>
          {hint}
        </div>
        {jobIds.length > 0 && (
          <span class="muted">{texts.position(format(first), format(first + jobIds.length - 1))}</span>
        )}
      </div>
      {jobIds.length === 0 ? (
        <p class="muted">{texts.noneHere}</p>
      ) : canDelete ? (
        <form method="post" action={accountPath(visit, idsPath)} class="selection">
          <CsrfField visit={visit} />
          <JobTable {...props} canSelect />
          <p class="card actions">
            <output>
              <span hidden>
                {texts.selected} <strong>0</strong>
              </span>
            </output>
            <button type="reset" class="quiet">
              {texts.clear}
            </button>
            <button class="danger">{texts.deleteSelected}</button>
          </p>
        </form>
      ) : (
        <JobTable {...props} />
      )}
      <SameId {...props} />
      <Pages {...props} />
    </section>
  );
}

type JobTableProps = Pick<JobListProps, 'visit' | 'page' | 'titles' | 'places' | 'text'>;

/** Each row leads to its job, whose page leads back to this one. */
function JobTable({
  visit,
  page: { jobIds },
  titles,
  places,
  text,
  canSelect = false,
}: JobTableProps & { readonly canSelect?: boolean }) {
  const { list: texts } = jobTexts[visit.language];
  const hasTitles = titles.size > 0;
  // Each row has it: no more than one page to go back.
  const from = { find: text, pages: writePlaces(places.slice(-2)) };
  const all = (
    <label data-selects="ids" hidden>
      <input type="checkbox" />
      <span>{texts.selectAll}</span>
    </label>
  );
  return (
    <Table
      heading="list-heading"
      look="jobs"
      columns={[
        canSelect && { box: all },
        { header: hasTitles ? texts.title : texts.id },
        hasTitles && { plain: texts.id },
      ]}
      rows={jobIds.map((id) => {
        const title = titles.get(id);
        return [
          <label>
            <input type="checkbox" name="ids" value={id} aria-label={texts.select(id)} />
          </label>,
          <a href={jobPath(visit, id, from)}>
            {title === undefined ? <code>{id}</code> : <bdi>{title}</bdi>}
          </a>,
          <code>{id}</code>,
        ];
      })}
    />
  );
}

type NothingFoundProps = Pick<JobListProps, 'visit' | 'places' | 'text' | 'page'>;

/** Stands where a page of a search has no job. */
export function NothingFound(props: NothingFoundProps) {
  const { visit, page, places, text } = props;
  const { title, search: texts } = jobTexts[visit.language];
  const none = isFirstPage(places) ? texts.none : texts.noMore;
  return (
    <section>
      <div class="heading">
        <h2>{texts.heading(text, title)}</h2>
      </div>
      <p>{page.next === undefined ? none : texts.noneYet}</p>
      <SameId {...props} />
      <Pages {...props} />
    </section>
  );
}

/** Leads to the job that has the text as its id, if there can be one: its page shows deleted jobs too. */
function SameId({ visit, text }: Pick<JobListProps, 'visit' | 'text'>) {
  if (!isJobId(text)) return null;
  return (
    <p>
      <a href={jobPath(visit, text)}>{jobTexts[visit.language].search.sameId(text)}</a>
    </p>
  );
}

/** The ways to the pages before and after. */
function Pages({ visit, page: { jobIds, next }, places, text }: NothingFoundProps) {
  const { list: texts } = jobTexts[visit.language];
  const to = (pages: readonly Place[]) => {
    for (let kept = pages; ; kept = kept.slice(1)) {
      const list = { find: text, pages: writePlaces(kept) };
      if (queryOf(list).length <= maxQueryLength || kept.length === 1) return jobListPath(visit, list);
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
