import { isJobId } from '@jobs-delete/proto/ids';
import type { ComponentChild } from 'preact';
import { firstDayOf } from '../activity/activity-filter.ts';
import type { DayCounter } from '../activity/chart-days.ts';
import { findTitles, ifAvailable, ifSoon } from '../deleter/answer-to.ts';
import type { DeleterCalls, JobsPage, JobsQuery } from '../deleter/deleter-calls.ts';
import { inState, shownDays, sumOf } from '../overview/figures.tsx';
import type { Services } from '../services.ts';
import { accountPath, jobPath } from '../web/account-path.ts';
import { Copyable } from '../web/copyable.tsx';
import { Blank } from '../web/table.tsx';
import { isFirstPage, lastOf, readPlaces } from '../web/places.ts';
import { includesRole, type MemberVisit, type Reply, type Route } from '../web/route.ts';
import type { Language } from '../web/language.ts';
import { idsPath } from './confirm-page.tsx';
import { deleteJobsTexts } from './delete-jobs-texts.ts';
import { jobPage } from './job-page.tsx';
import { FindForm, JobList, maxTextLength, NothingFound } from './job-list.tsx';
import { jobTexts } from './job-texts.ts';

export type Needed = Pick<Services, 'accounts' | 'deleter' | 'deletes'> & { readonly dayCounter: DayCounter };

const pageSize = 50;

/** The jobs of the account, a search among them, and what became of one of them. */
export function jobRoutes(services: Needed): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/jobs',
      access: 'viewer',
      serve: (visit) => {
        const jobId = visit.query.get('job')?.trim() ?? '';
        if (isJobId(jobId)) return jobPage(visit, services, jobId);
        const text = ((visit.query.get('find') ?? '').trim() || jobId).slice(0, maxTextLength);
        return text === '' ? listPage(visit, services) : searchPage(visit, services, text);
      },
    },
  ];
}

async function listPage(visit: MemberVisit, services: Needed): Promise<Reply> {
  const { accountId, language } = visit;
  const { deleter, deletes } = services;
  const places = readPlaces(visit.query, isJobId);
  const [count, page, waiting] = await Promise.all([
    ifAvailable(deleter.countJobs(accountId)),
    ifAvailable(deleter.listJobs({ accountId, limit: pageSize, after: lastOf(places).after })),
    ifSoon(countWaiting(services, visit)),
  ]);
  const texts = jobTexts[language];
  if (count === 0) return jobsPage(visit, services, { hasJobs: false });
  const titles = await findTitles(deleter, accountId, page?.jobIds ?? []);
  // Another deletion may have taken all jobs of a later page.
  const isEmpty = page?.jobIds.length === 0 && page.next === undefined && isFirstPage(places);
  const heading = count === undefined ? texts.uncounted : jobsText(count, language);
  const { format } = new Intl.NumberFormat(language);
  const hint =
    waiting === undefined ? (
      <span class="muted">{texts.list.hint}</span>
    ) : (
      waiting > 0 && (
        <a href={accountPath(visit, '/activity?state=waiting')}>{texts.list.waiting(format(waiting))}</a>
      )
    );
  const list =
    page === undefined || isEmpty ? (
      <div class="heading">
        <h2>{heading}</h2>
        {hint}
      </div>
    ) : (
      <JobList {...{ visit, deletes, page, titles, places, heading, hint }} text="" />
    );
  return jobsPage(visit, services, { list });
}

/** Resolves to the number of jobs that wait for deletion, for at most 30 days. */
async function countWaiting(
  { dayCounter }: Needed,
  { accountId, nowMs }: Pick<MemberVisit, 'accountId' | 'nowMs'>,
): Promise<number> {
  const days = shownDays + 1;
  const counts = await dayCounter.count({ accountId, firstMs: firstDayOf(nowMs, days), days });
  return sumOf(inState(counts.days, 'waiting'), 'jobs');
}

/** Finds jobs by words of their titles or parts of their ids. A whole id leads to the page of the job. */
async function searchPage(visit: MemberVisit, services: Needed, text: string): Promise<Reply> {
  const { accountId, language } = visit;
  const { deleter, deletes } = services;
  const places = readPlaces(visit.query, isJobId);
  const isId = isJobId(text) && isFirstPage(places);
  if (isId && (await ifSoon(deleter.getJob(accountId, text))) !== undefined)
    return { kind: 'redirect', to: jobPath(visit, text) };
  const query = { accountId, text, limit: pageSize, after: lastOf(places).after };
  const page = await ifAvailable(deleter.searchJobs(query));
  if (page === undefined) {
    const list = (
      <p class="warning" role="alert">
        {jobTexts[language].search.unavailable}
      </p>
    );
    return jobsPage(visit, services, { list, text, status: 503 });
  }
  if (page.jobIds.length === 0) {
    // Deletions may name it.
    if (isId && page.next === undefined) return { kind: 'redirect', to: jobPath(visit, text) };
    return jobsPage(visit, services, { list: <NothingFound {...{ visit, page, places, text }} />, text });
  }
  const { found, isAll } = await countMatches(deleter, query, page);
  const { heading: of, atLeast } = jobTexts[language].search;
  const jobs = jobsText(lastOf(places).first - 1 + found, language);
  const heading = of(text, isAll ? jobs : atLeast(jobs));
  const list = <JobList {...{ visit, deletes, page, titles: page.titles, places, text, heading }} />;
  return jobsPage(visit, services, { list, text });
}

const countedPages = 10;
const countSize = 100;

/**
 * Counts what a search finds from its page on. A full page comes at once; one that is not full has taken the second of a
 * search, so the count ends there.
 */
async function countMatches(
  deleter: Pick<DeleterCalls, 'searchJobs'>,
  { limit, ...query }: JobsQuery & { readonly text: string },
  first: JobsPage,
): Promise<{ readonly found: number; readonly isAll: boolean }> {
  let found = first.jobIds.length;
  let page: JobsPage | undefined = first;
  let isFull = found === limit;
  for (let pages = 0; page?.next !== undefined && isFull && pages < countedPages; pages++) {
    page = await ifSoon(deleter.searchJobs({ ...query, limit: countSize, after: page.next }));
    found += page?.jobIds.length ?? 0;
    isFull = page?.jobIds.length === countSize;
  }
  return { found, isAll: page !== undefined && page.next === undefined };
}

function jobsText(count: number, language: Language): string {
  const { oneJob, jobs } = deleteJobsTexts[language];
  return count === 1 ? oneJob : jobs(new Intl.NumberFormat(language).format(count));
}

interface JobsPageParts {
  readonly hasJobs?: boolean;
  readonly list?: ComponentChild;
  readonly text?: string;
  readonly status?: number;
}

function jobsPage(
  visit: MemberVisit,
  { deletes }: Needed,
  { hasJobs = true, list, text, status = 200 }: JobsPageParts,
): Reply {
  const { accountId, language } = visit;
  const texts = jobTexts[language];
  const body = (
    <>
      {!hasJobs && (
        <Blank icon="jobs">
          <p>
            <strong>{texts.none}</strong>
          </p>
          <p>{texts.import}</p>
          <Copyable
            id="import"
            text={`npx jobs-delete jobs import jobs.csv --account ${accountId}`}
            button={texts.copy}
            language={language}
          />
        </Blank>
      )}
      <FindForm visit={visit} text={text} />
      {list}
    </>
  );
  const action = hasJobs && deletes && includesRole(visit.role, 'manager') && (
    <a class="button" href={accountPath(visit, idsPath)}>
      {deleteJobsTexts[language].title}
    </a>
  );
  return { kind: 'page', status, title: texts.title, body, action };
}
