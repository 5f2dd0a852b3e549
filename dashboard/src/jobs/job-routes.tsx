import { isJobId } from '@jobs-delete/proto/ids';
import { deletionTexts } from '../activity/deletion-texts.ts';
import { DeletionTable } from '../activity/list-routes.tsx';
import { credentialNames } from '../keys/key-state.ts';
import type { DayCounter } from '../activity/chart-days.ts';
import { findTitles, ifAvailable } from '../deleter/answer-to.ts';
import type { JobsPage, JobTitles } from '../deleter/deleter-calls.ts';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { Copyable } from '../web/copyable.tsx';
import { Blank } from '../web/table.tsx';
import { Badge, JobIds, JobName, type Tone } from '../web/marks.tsx';
import { CsrfField, readNumber, TextField } from '../web/form.tsx';
import { includesRole, type MemberVisit, type Reply, type Route } from '../web/route.ts';
import { inTime } from '../web/late-value.ts';
import { Time } from '../web/time.tsx';
import { countWaiting } from '../overview/figures.tsx';
import { idsPath } from './confirm-page.tsx';
import { deleteJobsTexts } from './delete-jobs-texts.ts';
import { findJob, type FoundJob, type JobFate } from './find-job.ts';
import { jobTexts } from './job-texts.ts';

export type Needed = Pick<Services, 'accounts' | 'deleter' | 'deletes'> & { readonly dayCounter: DayCounter };

const maxIdLength = 128;

/** Fills two to six columns. */
const pageSize = 60;

/** The jobs of the account, and what became of one of them. */
export function jobRoutes(services: Needed): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/jobs',
      access: 'viewer',
      serve: (visit) => {
        const jobId = visit.query.get('job')?.trim() ?? '';
        return isJobId(jobId) ? foundPage(visit, services, jobId) : listPage(visit, services, jobId);
      },
    },
  ];
}

/** @param wrongId what a person has searched for: no job has this id */
async function listPage(
  visit: MemberVisit,
  { deleter, deletes, dayCounter }: Needed,
  wrongId: string,
): Promise<Reply> {
  const { accountId, language, query } = visit;
  const named = query.get('after') ?? '';
  const after = isJobId(named) ? named : undefined;
  const [jobs, waiting, page] = await Promise.all([
    ifAvailable(deleter.countJobs(accountId)),
    ifAvailable(inTime(countWaiting(dayCounter, visit))),
    ifAvailable(deleter.listJobs({ accountId, limit: pageSize, after })),
  ]);
  const titles = await findTitles(deleter, accountId, page?.jobIds ?? []);
  const texts = jobTexts[language];
  const isWrong = wrongId !== '';
  const form = (
    <FindForm
      visit={visit}
      jobId={wrongId.slice(0, maxIdLength)}
      problem={isWrong ? texts.find.invalid : undefined}
    />
  );
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
      {page !== undefined && (page.jobIds.length > 0 || page.next !== undefined) && (
        <JobList
          visit={visit}
          page={page}
          titles={titles}
          isFirst={after === undefined}
          count={jobs !== undefined && waiting !== undefined ? jobs - waiting : undefined}
        />
      )}
    </>
  );
  const action = jobs !== 0 && deletes && includesRole(visit.role, 'manager') && (
    <a class="button" href={accountPath(visit, idsPath)}>
      {deleteJobsTexts[language].title}
    </a>
  );
  return { kind: 'page', status: isWrong ? 422 : 200, title: texts.title, body, action };
}

interface JobListProps {
  readonly visit: MemberVisit;
  readonly page: JobsPage;
  readonly titles: JobTitles;
  readonly isFirst: boolean;
  /** All jobs of the list. Undefined: they are not counted in time. */
  readonly count: number | undefined;
}

/** The jobs of a page. The address has the number of the first, which no store knows. */
function JobList({ visit, page: { jobIds, next }, titles, isFirst, count }: JobListProps) {
  const { accountId, language, query } = visit;
  const { list: texts } = jobTexts[language];
  const { format } = new Intl.NumberFormat(language);
  const first = isFirst ? 1 : readNumber(query.get('from'), { min: 1 });
  const following = first === undefined ? '' : `&from=${String(first + jobIds.length)}`;
  return (
    <section>
      <div class="heading">
        <h2>{texts.heading}</h2>
        {first !== undefined && jobIds.length > 0 && (
          <span class="muted">
            {texts.position(format(first), format(first + jobIds.length - 1))}
            {count !== undefined && ` ${texts.ofAll(format(count))}`}
          </span>
        )}
      </div>
      {jobIds.length > 0 && <JobIds accountId={accountId} jobIds={jobIds} titles={titles} />}
      <p class="muted">{texts.hint}</p>
      {(!isFirst || next !== undefined) && (
        <p class="inline">
          {!isFirst && <a href={accountPath(visit, '/jobs')}>{texts.first}</a>}
          {next !== undefined && (
            <a href={accountPath(visit, `/jobs?after=${next}${following}`)}>{texts.next}</a>
          )}
        </p>
      )}
    </section>
  );
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
          <form method="post" action={accountPath(visit, idsPath)} class="inline">
            <CsrfField visit={visit} />
            <input type="hidden" name="ids" value={jobId} />
            <button class="danger quiet">{deleteJobsTexts[language].deleteThis}</button>
          </form>
        )}
      </section>
      <FindForm visit={visit} jobId={jobId} />
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
  const query = new URLSearchParams({ job: jobId, ...(page !== undefined && { page }) });
  return accountPath(visit, `/jobs?${query.toString()}`);
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
  readonly jobId?: string;
  readonly problem?: string | undefined;
}

function FindForm({ visit, jobId, problem }: FindFormProps) {
  const { find: texts } = jobTexts[visit.language];
  return (
    <form method="get" action={accountPath(visit, '/jobs')} class="search">
      <TextField
        name="job"
        label={texts.heading}
        hint={texts.hint}
        value={jobId}
        problem={problem}
        maxLength={maxIdLength}
        autocomplete="off"
        required
      />
      <button class="quiet">{texts.submit}</button>
    </form>
  );
}
