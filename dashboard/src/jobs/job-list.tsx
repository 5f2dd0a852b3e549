import { isJobId } from '@jobs-delete/proto/ids';
import type { ComponentChild } from 'preact';
import { jobsText } from '../activity/deletion-facts.tsx';
import { deletionTexts } from '../activity/deletion-texts.ts';
import type { JobDescriptions, JobsPage } from '../deleter/deleter-calls.ts';
import type { Deletion } from '../deleter/deletion.ts';
import { accountPath, jobListPath, jobPath, queryOf } from '../web/account-path.ts';
import { CsrfField, Form } from '../web/form.tsx';
import { layoutTexts } from '../web/layout-texts.ts';
import { includesRole, type MemberVisit } from '../web/route.ts';
import { isFirstPage, lastOf, pathsOf, PlaceLinks, type Places, writePlaces } from '../web/places.tsx';
import { SearchForm } from '../web/search-form.tsx';
import { Segments } from '../web/segments.tsx';
import { Blank, Table } from '../web/table.tsx';
import { Time } from '../web/time.tsx';
import { deleteJobsTexts } from './delete-jobs-texts.ts';
import { idsPath } from './sent-ids.ts';
import { maxJobs } from './pasted-ids.ts';
import { jobTexts } from './job-texts.ts';

const maxTextLength = 200;
/** The preview of all jobs that a search finds. */
export const foundPath = '/jobs/delete/found';

/** Returns what is searched; empty for nothing. */
export function readFind(query: URLSearchParams, otherwise = ''): string {
  return ((query.get('find') ?? '').trim() || otherwise).slice(0, maxTextLength);
}

interface FindFormProps {
  readonly visit: MemberVisit;
  readonly text: string | undefined;
}

/** Searches jobs by their titles and ids, on the page of the list. */
export function FindForm({ visit, text }: FindFormProps) {
  const { find: texts } = jobTexts[visit.language];
  return (
    <SearchForm
      action={accountPath(visit, '/jobs')}
      name="find"
      label={texts.heading}
      placeholder={texts.hint}
      value={text}
      maxLength={maxTextLength}
      button={texts.submit}
    />
  );
}

interface JobListProps extends JobDescriptions {
  readonly visit: MemberVisit;
  /** People may delete jobs. */
  readonly deletes: boolean;
  readonly places: Places;
  /** What is searched; empty for all jobs. */
  readonly text: string;
  /** Has the heading with the id `list-heading`. */
  readonly head: ComponentChild;
  /** How many jobs a search finds; undefined for more than were counted. */
  readonly found?: number | undefined;
  readonly page: JobsPage;
  /** The waiting deletion of each job, if the list has those jobs. */
  readonly deletions?: ReadonlyMap<string, Deletion> | undefined;
}

/** The jobs of a page. A manager selects those to delete. */
export function JobList(props: JobListProps) {
  const { visit, deletes, page, places, head, text, found, deletions } = props;
  const { list: texts, order } = jobTexts[visit.language];
  const { jobIds } = page;
  const canDelete = deletes && includesRole(visit.role, 'manager') && deletions === undefined;
  return (
    <section>
      <div class="heading">
        <div class="inline">
          {head}
          {deletions === undefined && jobIds.length > 1 && <span class="muted">{order}</span>}
        </div>
        {canDelete && found !== 1 && text !== '' && <DeleteFound {...props} />}
      </div>
      {jobIds.length === 0 ? (
        <p class="muted">{deletions && page.next === undefined ? texts.noneWaiting : texts.noneHere}</p>
      ) : canDelete ? (
        <Form method="post" action={accountPath(visit, idsPath)} class="selection">
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
            {text !== '' && !(isFirstPage(places) && page.next === undefined) && (
              <DeleteFound {...props} isWithAll />
            )}
            <button class="danger">{texts.deleteSelected}</button>
          </p>
        </Form>
      ) : (
        <JobTable {...props} />
      )}
      <SameId {...props} />
      <Pages {...props} />
    </section>
  );
}

interface JobSegmentsProps {
  readonly visit: MemberVisit;
  readonly isWaiting: boolean;
  /** Undefined: not counted. */
  readonly active: number | undefined;
  readonly waiting: number | undefined;
}

/** Links to the jobs that stay, and to those that wait for deletion. */
export function JobSegments({ visit, isWaiting, active, waiting }: JobSegmentsProps) {
  const { title, list: texts } = jobTexts[visit.language];
  const { format } = new Intl.NumberFormat(visit.language);
  const textOf = (text: string, count: number | undefined) =>
    count === undefined ? text : `${text} ${format(count)}`;
  const links = [
    { href: jobListPath(visit, {}), text: textOf(texts.active, active), isCurrent: !isWaiting },
    {
      href: jobListPath(visit, { show: 'waiting' }),
      text: textOf(texts.waiting, waiting),
      isCurrent: isWaiting,
    },
  ];
  return <Segments label={title} links={links} id="list-heading" />;
}

/** Leads from a search to the whole list. */
export function AllJobs({ visit, look }: { readonly visit: MemberVisit; readonly look?: string }) {
  return (
    <a class={look} href={accountPath(visit, '/jobs')}>
      {jobTexts[visit.language].search.all}
    </a>
  );
}

/** Leads from a search to the jobs that wait for deletion, which it leaves out. Shows nothing if no job waits. */
export function Unsearched({ visit, waiting }: Pick<JobSegmentsProps, 'visit' | 'waiting'>) {
  if (waiting === 0) return null;
  return (
    <p class="muted">
      {jobTexts[visit.language].search.unsearched}{' '}
      {waiting === undefined ? (
        layoutTexts[visit.language].uncounted
      ) : (
        <a href={jobListPath(visit, { show: 'waiting' })}>{jobsText(waiting, visit.language)}</a>
      )}
    </p>
  );
}

/** Leads to the preview of all jobs of a search. `isWithAll`: in view while all of the page are selected. */
function DeleteFound({
  visit,
  text,
  found = Infinity,
  isWithAll = false,
}: Pick<JobListProps, 'visit' | 'text' | 'found'> & { readonly isWithAll?: boolean }) {
  const { allFound, allOf } = deleteJobsTexts[visit.language];
  const count = new Intl.NumberFormat(visit.language).format(found);
  return (
    <a
      class="button danger quiet"
      href={accountPath(visit, `${foundPath}${queryOf({ find: text })}`)}
      hidden={isWithAll}
      data-with-all={isWithAll ? '' : undefined}
    >
      {found > maxJobs ? allFound : allOf(count)}
    </a>
  );
}

type JobTableProps = Omit<JobListProps, 'deletes' | 'head' | 'found'>;

/** Each row leads to its job, whose page leads back to this one. */
function JobTable({
  visit,
  page: { jobIds },
  titles,
  importedAtMs,
  places,
  text,
  deletions,
  canSelect = false,
}: JobTableProps & { readonly canSelect?: boolean }) {
  const { language, nowMs } = visit;
  const { list: texts, imported } = jobTexts[language];
  const hasTimes = deletions === undefined && importedAtMs.size > 0;
  const hasTitles = titles.size > 0;
  // Each row repeats it, so it has only one earlier page.
  const from = { ...queryOfList({ text, deletions }), pages: writePlaces(places.slice(-2)) };
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
        hasTimes && { detail: imported },
        deletions !== undefined && deletionTexts[language].removal,
      ]}
      rows={jobIds.map((id) => {
        const title = titles.get(id);
        const deletion = deletions?.get(id);
        const importedMs = importedAtMs.get(id);
        return [
          <label>
            <input type="checkbox" name="ids" value={id} aria-label={texts.select(id)} />
          </label>,
          <a href={jobPath(visit, id, from)}>
            {title === undefined ? <code>{id}</code> : <bdi>{title}</bdi>}
          </a>,
          <code>{id}</code>,
          importedMs !== undefined && <Time ms={importedMs} language={language} />,
          deletion?.removalAtMs !== undefined && (
            <a href={accountPath(visit, `/activity/${deletion.id}`)}>
              <Time ms={deletion.removalAtMs} language={language} nowMs={nowMs} />
            </a>
          ),
        ];
      })}
    />
  );
}

function queryOfList({ text, deletions }: Pick<JobListProps, 'text' | 'deletions'>) {
  return { find: text, show: deletions && 'waiting' };
}

type PagesProps = Pick<JobListProps, 'visit' | 'places' | 'text' | 'page' | 'deletions'>;

/** Stands where a page of a search has no job. */
export function NothingFound({ waiting, ...props }: PagesProps & Pick<JobSegmentsProps, 'waiting'>) {
  const { visit, page, places } = props;
  const { search: texts } = jobTexts[visit.language];
  const isEnd = page.next === undefined;
  const isNone = isEnd && isFirstPage(places);
  return (
    <>
      <Blank icon="jobs" actions={<AllJobs visit={visit} look="button quiet" />}>
        <p>
          <strong>{isNone ? texts.none : isEnd ? texts.noMore : texts.noneYet}</strong>
        </p>
        {isNone && <p>{texts.noneHint}</p>}
        <Unsearched visit={visit} waiting={waiting} />
        <SameId {...props} />
      </Blank>
      <Pages {...props} />
    </>
  );
}

/** Leads to what became of a job with the text as its id, if there can be one. */
function SameId({ visit, text }: Pick<JobListProps, 'visit' | 'text'>) {
  if (!isJobId(text)) return null;
  return (
    <p>
      <a href={jobPath(visit, text)}>{jobTexts[visit.language].search.sameId(text)}</a>
    </p>
  );
}

/** The ways to the pages before and after. */
function Pages({ visit, page: { jobIds, next }, places, ...list }: PagesProps) {
  const { list: texts } = jobTexts[visit.language];
  const { format } = new Intl.NumberFormat(visit.language);
  const { first } = lastOf(places);
  const to = pathsOf(places, {
    count: jobIds.length,
    next,
    pathOf: (pages) => jobListPath(visit, { ...queryOfList(list), pages }),
  });
  const last = first + jobIds.length - 1;
  const position = jobIds.length > 0 ? texts.position(format(first), format(last)) : undefined;
  return <PlaceLinks {...{ to, texts, position }} />;
}
