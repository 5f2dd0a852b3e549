import { isDeletionId, isJobId } from '@jobs-delete/proto/ids';
import type { ComponentChild } from 'preact';
import type { DayCounter } from '../activity/chart-days.ts';
import { jobsText } from '../activity/deletion-facts.tsx';
import { findDeletions } from '../activity/find-deletions.ts';
import { describeJobs, ifAvailable, ifSoon } from '../deleter/answer-to.ts';
import type { DeleterCalls, JobsPage } from '../deleter/deleter-calls.ts';
import type { Services } from '../services.ts';
import { accountPath, jobListPath, jobPath, queryOf } from '../web/account-path.ts';
import { Copyable } from '../web/copyable.tsx';
import { layoutTexts } from '../web/layout-texts.ts';
import { Blank } from '../web/table.tsx';
import { isFirstPage, lastOf, readPlaces } from '../web/places.tsx';
import { includesRole, type MemberVisit, type Reply, type Route } from '../web/route.ts';
import { idsPath } from './sent-ids.ts';
import { countMatches } from './find-matches.ts';
import { deleteJobsTexts } from './delete-jobs-texts.ts';
import { jobPage } from './job-page.tsx';
import { AllJobs, FindForm, JobList, JobSegments, NothingFound, readFind, Unsearched } from './job-list.tsx';
import { jobTexts } from './job-texts.ts';
import { countWaiting, findWaitingJobs, isWaitingPlace, pageSize, type WaitingJobs } from './waiting-jobs.ts';

export type Needed = Pick<Services, 'accounts' | 'deleter' | 'deletes'> & { readonly dayCounter: DayCounter };

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
        const text = readFind(visit.query, jobId);
        return text === '' ? listPage(visit, services) : searchPage(visit, services, text);
      },
    },
  ];
}

async function listPage(visit: MemberVisit, services: Needed): Promise<Reply> {
  const { accountId, language } = visit;
  const { deleter, deletes } = services;
  const isWaiting = visit.query.get('show') === 'waiting';
  const places = readPlaces(visit.query, isWaiting ? isWaitingPlace : isJobId);
  const { after } = lastOf(places);
  const [page, count, waits] = await Promise.all([
    ifAvailable<JobsPage | WaitingJobs | 'invalid'>(
      isWaiting
        ? findWaitingJobs(deleter, visit, after).then((found) => found ?? 'invalid')
        : deleter.listJobs({ accountId, limit: pageSize, after }),
    ),
    ifSoon(deleter.countJobs(accountId)),
    ifSoon(countWaiting(services, visit)),
  ]);
  const waiting = waits?.jobs;
  const texts = jobTexts[language];
  // An address from a bookmark may have the page of a deletion that has expired.
  if (page === 'invalid') return { kind: 'redirect', to: jobListPath(visit, { show: 'waiting' }) };
  if (count === 0) return jobsPage(visit, services, { hasJobs: false });
  if (page === undefined) return unavailablePage(visit, services, texts.list.unavailable);
  const { titles, importedAtMs } = await describeJobs(deleter, accountId, page.jobIds);
  // Another deletion may have taken all jobs of a later page.
  const isEmpty = !isWaiting && page.jobIds.length === 0 && page.next === undefined && isFirstPage(places);
  // Two reads: a deletion may have ended in between.
  const listed = count !== undefined && waiting !== undefined ? count - waiting : 0;
  const active = listed > 0 || isEmpty ? listed : undefined;
  const head = (
    <>
      {waiting === 0 && !isWaiting ? (
        <h2 id={isEmpty ? undefined : 'list-heading'}>
          {active === undefined ? texts.title : jobsText(active, language)}
        </h2>
      ) : (
        <JobSegments {...{ visit, isWaiting, active, waiting }} />
      )}
      {(count === undefined || waiting === undefined) && (
        <span class="muted">{layoutTexts[language].uncounted}</span>
      )}
    </>
  );
  const list = isEmpty ? (
    <div class="heading">{head}</div>
  ) : (
    <JobList
      {...{ visit, deletes, page, titles, importedAtMs, places, head }}
      deletions={'deletions' in page ? page.deletions : undefined}
      text=""
    />
  );
  return jobsPage(visit, services, { list });
}

/** Finds jobs by words of their titles or parts of their ids. A whole id leads to the page of the job, and a Deletion-Id to its deletion. */
async function searchPage(visit: MemberVisit, services: Needed, text: string): Promise<Reply> {
  const { accountId, language } = visit;
  const { deleter, deletes } = services;
  if (isDeletionId(text))
    return { kind: 'redirect', to: accountPath(visit, `/activity${queryOf({ id: text })}`) };
  const places = readPlaces(visit.query, isJobId);
  const isId = isJobId(text) && isFirstPage(places);
  if (isId && (await ifSoon(deleter.getJob(accountId, text))) !== undefined)
    return { kind: 'redirect', to: jobPath(visit, text) };
  const query = { accountId, text, limit: pageSize, after: lastOf(places).after };
  const [page, waits] = await Promise.all([
    ifAvailable(deleter.searchJobs(query)),
    ifSoon(countWaiting(services, visit)),
  ]);
  if (page === undefined)
    return unavailablePage(visit, services, jobTexts[language].search.unavailable, text);
  const waiting = waits?.jobs;
  if (page.jobIds.length === 0) {
    if (isId && page.next === undefined && (await mayBeMeant(deleter, accountId, text)))
      return { kind: 'redirect', to: jobPath(visit, text) };
    const list = <NothingFound {...{ visit, page, places, text, waiting }} />;
    return jobsPage(visit, services, { list, text });
  }
  const { found, isAll } = await countMatches(deleter, query, page);
  const { heading: of, atLeast } = jobTexts[language].search;
  const count = lastOf(places).first - 1 + found;
  const jobs = jobsText(count, language);
  const head = (
    <>
      <h2 id="list-heading">{of(text, isAll ? jobs : atLeast(jobs))}</h2>
      <AllJobs visit={visit} />
      <Unsearched visit={visit} waiting={waiting} />
    </>
  );
  const shown = {
    visit,
    deletes,
    page,
    titles: page.titles,
    importedAtMs: page.importedAtMs,
    places,
    text,
    head,
  };
  const list = <JobList {...shown} found={isAll ? count : undefined} />;
  return jobsPage(visit, services, { list, text });
}

/** Resolves to whether a text that no job has is meant as an id: one with a digit, or one that a recent deletion names. */
async function mayBeMeant(
  deleter: Pick<DeleterCalls, 'listDeletions'>,
  accountId: string,
  text: string,
): Promise<boolean> {
  if (/\d/.test(text)) return true;
  const named = await ifSoon(findDeletions(deleter, { accountId, jobId: text, pageSize: 1 }));
  return named !== undefined && named.deletions.length > 0;
}

/** Says that the jobs can't be shown. */
function unavailablePage(visit: MemberVisit, services: Needed, problem: string, text?: string): Reply {
  const list = (
    <p class="warning" role="alert">
      {problem}
    </p>
  );
  return jobsPage(visit, services, { list, text, status: 503 });
}

interface JobsPageParts {
  readonly hasJobs?: boolean;
  readonly list?: ComponentChild;
  readonly text?: string | undefined;
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
      {hasJobs && <FindForm visit={visit} text={text} />}
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
