import { isJobId } from '@jobs-delete/proto/ids';
import type { ComponentChild } from 'preact';
import { deletionTexts } from '../activity/deletion-texts.ts';
import { DeletionTable } from '../activity/list-routes.tsx';
import { credentialNames } from '../keys/key-state.ts';
import { findTitles, ifAvailable, ifSoon } from '../deleter/answer-to.ts';
import type { Services } from '../services.ts';
import { accountPath, queryOf } from '../web/account-path.ts';
import { Copyable } from '../web/copyable.tsx';
import { Blank } from '../web/table.tsx';
import { Badge, JobName, type Tone } from '../web/marks.tsx';
import { TextField } from '../web/form.tsx';
import { includesRole, type MemberVisit, type Reply, type Route } from '../web/route.ts';
import { Time } from '../web/time.tsx';
import { idsPath } from './confirm-page.tsx';
import { deleteJobsTexts } from './delete-jobs-texts.ts';
import { findJob, type FoundJob, type JobFate } from './find-job.ts';
import { FoundJobs, isFirstPage, JobList, lastOf, readPlaces } from './job-list.tsx';
import { jobTexts } from './job-texts.ts';

export type Needed = Pick<Services, 'accounts' | 'deleter' | 'deletes'>;

const maxTextLength = 200;

/** Fills two to six columns. */
const pageSize = 60;

/** The jobs of the account, a search among them, and what became of one of them. */
export function jobRoutes(services: Needed): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/jobs',
      access: 'viewer',
      serve: (visit) => {
        const jobId = visit.query.get('job')?.trim() ?? '';
        if (isJobId(jobId)) return foundPage(visit, services, jobId);
        const text = ((visit.query.get('find') ?? '').trim() || jobId).slice(0, maxTextLength);
        return text === '' ? listPage(visit, services) : searchPage(visit, services, text);
      },
    },
  ];
}

async function listPage(visit: MemberVisit, services: Needed): Promise<Reply> {
  const { accountId } = visit;
  const { deleter, deletes } = services;
  const places = readPlaces(visit.query);
  const [jobs, page] = await Promise.all([
    ifAvailable(deleter.countJobs(accountId)),
    ifAvailable(deleter.listJobs({ accountId, limit: pageSize, after: lastOf(places).after })),
  ]);
  const titles = await findTitles(deleter, accountId, page?.jobIds ?? []);
  // Another deletion may have taken all jobs of a later page.
  const isEmpty = page?.jobIds.length === 0 && page.next === undefined && isFirstPage(places);
  const list = page !== undefined && !isEmpty && (
    <JobList {...{ visit, deletes, page, titles, places }} text="" />
  );
  return jobsPage(visit, services, { jobs, list });
}

/** Finds jobs by words of their titles or parts of their ids. A whole id leads to the page of the job. */
async function searchPage(visit: MemberVisit, services: Needed, text: string): Promise<Reply> {
  const { accountId } = visit;
  const { deleter, deletes } = services;
  const places = readPlaces(visit.query);
  const isId = isJobId(text) && isFirstPage(places);
  if (isId && (await ifSoon(deleter.getJob(accountId, text))) !== undefined)
    return { kind: 'redirect', to: pathOf(visit, text) };
  const query = { accountId, text, limit: pageSize, after: lastOf(places).after };
  const [jobs, found] = await Promise.all([
    ifAvailable(deleter.countJobs(accountId)),
    ifAvailable(deleter.searchJobs(query)),
  ]);
  const isEmpty = found?.jobIds.length === 0 && found.next === undefined;
  // Deletions may name it.
  if (isId && isEmpty) return { kind: 'redirect', to: pathOf(visit, text) };
  const list = <FoundJobs {...{ visit, deletes, found, places, text }} />;
  return jobsPage(visit, services, { jobs, list, text, status: found === undefined ? 503 : 200 });
}

interface JobsPageParts {
  /** All jobs of the account. Undefined: they are not counted now. */
  readonly jobs: number | undefined;
  readonly list: ComponentChild;
  readonly text?: string;
  readonly status?: number;
}

function jobsPage(
  visit: MemberVisit,
  { deletes }: Needed,
  { jobs, list, text, status = 200 }: JobsPageParts,
): Reply {
  const { accountId, language } = visit;
  const texts = jobTexts[language];
  const form = <FindForm visit={visit} text={text} />;
  const body = (
    <>
      <p>{texts.intro}</p>
      {jobs === 0 ? (
        <>
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
          {form}
        </>
      ) : (
        <div class="columns">
          <ul class="figures">
            <li class="card">
              {texts.now}
              <strong class="figure">
                {jobs === undefined ? '–' : new Intl.NumberFormat(language).format(jobs)}
              </strong>
              <span class="muted">{jobs === undefined ? texts.uncounted : texts.nowHint}</span>
            </li>
          </ul>
          {form}
        </div>
      )}
      {list}
    </>
  );
  const action = jobs !== 0 && deletes && includesRole(visit.role, 'manager') && (
    <a class="button" href={accountPath(visit, idsPath)}>
      {deleteJobsTexts[language].title}
    </a>
  );
  return { kind: 'page', status, title: texts.title, body, action };
}

async function foundPage(visit: MemberVisit, services: Needed, jobId: string): Promise<Reply> {
  const { accountId, language, query } = visit;
  const { accounts, deleter } = services;
  const [found, titles, tokens] = await Promise.all([
    findJob(deleter, accountId, jobId, query.get('page') ?? undefined),
    findTitles(deleter, accountId, [jobId]),
    accounts.listCredentials('token', accountId),
  ]);
  // An address from a bookmark may have the page of a deletion that has expired.
  if (found === undefined) return { kind: 'redirect', to: pathOf(visit, jobId) };
  const texts = jobTexts[language];
  const names = credentialNames(tokens);
  const { deletions, nextPageToken } = found.named;
  const body = (
    <div class="sides">
      <section class="card">
        {titles.size > 0 && (
          <h2>
            <JobName id={jobId} titles={titles} />
          </h2>
        )}
        <Fate visit={visit} found={found} names={names} />
        {found.fate.kind === 'exists' && services.deletes && includesRole(visit.role, 'manager') && (
          <p class="actions">
            <a class="button danger quiet" href={accountPath(visit, `${idsPath}?job=${jobId}`)}>
              {deleteJobsTexts[language].deleteThis}
            </a>
          </p>
        )}
      </section>
      <FindForm visit={visit} text={jobId} />
      <section>
        {deletions.length > 0 && (
          <>
            <h2 id="list-heading">{texts.named}</h2>
            <DeletionTable visit={visit} deletions={deletions} tokenNames={names} />
          </>
        )}
        {nextPageToken !== undefined && (
          <p>
            <a href={pathOf(visit, jobId, nextPageToken)}>{texts.older}</a>
          </p>
        )}
      </section>
    </div>
  );
  const action = <Badge tone={tones[found.fate.kind]} text={texts.kinds[found.fate.kind]} />;
  return { kind: 'page', title: texts.titleOf(jobId), body, action };
}

function pathOf(visit: MemberVisit, jobId: string, page?: string): string {
  return accountPath(visit, `/jobs${queryOf({ job: jobId, page })}`);
}

const tones: Readonly<Record<JobFate['kind'], Tone>> = {
  exists: 'good',
  waiting: 'attention',
  removing: 'pending',
  deleted: 'ended',
  gone: 'ended',
  unknown: 'ended',
};

interface FateProps {
  readonly visit: MemberVisit;
  readonly found: FoundJob;
  /** The names of the account's tokens by their id. */
  readonly names: ReadonlyMap<string, string>;
}

function Fate({ visit, found: { fate, named }, names }: FateProps) {
  const { language, role } = visit;
  const texts = jobTexts[language];
  const by = 'by' in fate ? fate.by : undefined;
  const isPartial = fate.kind === 'unknown' && named.examinedFromMs !== undefined;
  const timeMs = {
    waiting: by?.removalAtMs,
    deleted: by?.completedAtMs,
    unknown: named.examinedFromMs,
    exists: undefined,
    removing: undefined,
    gone: undefined,
  }[fate.kind];
  const { tokenId = '', person = '' } = by?.origin ?? {};
  return (
    <>
      <p>
        {isPartial ? texts.unknownSince : texts[fate.kind]}
        {timeMs !== undefined && (
          <>
            {' '}
            <Time ms={timeMs} language={language} withSeconds />
          </>
        )}
        {tokenId !== '' && `, ${texts.token} ${names.get(tokenId) ?? tokenId}`}
        {person !== '' && `, ${person}`}
      </p>
      {by !== undefined && (
        <p class="actions">
          <a class="button" href={accountPath(visit, `/activity/${by.id}`)}>
            {texts.open}
          </a>
          {includesRole(role, 'manager') && fate.kind === 'waiting' && (
            <a href={accountPath(visit, `/activity/${by.id}/cancel`)}>{deletionTexts[language].cancel}</a>
          )}
        </p>
      )}
    </>
  );
}

interface FindFormProps {
  readonly visit: MemberVisit;
  readonly text: string | undefined;
}

function FindForm({ visit, text }: FindFormProps) {
  const { find: texts } = jobTexts[visit.language];
  return (
    <form method="get" action={accountPath(visit, '/jobs')} class="search" role="search">
      <TextField
        name="find"
        label={texts.heading}
        hint={texts.hint}
        value={text}
        maxLength={maxTextLength}
        autocomplete="off"
        required
      />
      <button class="quiet">{texts.submit}</button>
    </form>
  );
}
