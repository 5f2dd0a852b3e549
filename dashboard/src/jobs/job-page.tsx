import { deletionTexts } from '../activity/deletion-texts.ts';
import { DeletionTable } from '../activity/deletion-table.tsx';
import { findTitles } from '../deleter/answer-to.ts';
import { credentialNames } from '../keys/key-state.ts';
import type { Services } from '../services.ts';
import { accountPath, jobPath, readJobList } from '../web/account-path.ts';
import { CopyButton } from '../web/copyable.tsx';
import { Badge, type Tone } from '../web/marks.tsx';
import { includesRole, type MemberVisit, type Reply } from '../web/route.ts';
import { Time } from '../web/time.tsx';
import { idsPath } from './confirm-page.tsx';
import { deleteJobsTexts } from './delete-jobs-texts.ts';
import { findJob, type FoundJob, type JobFate } from './find-job.ts';
import { FindForm } from './job-list.tsx';
import { jobTexts } from './job-texts.ts';

/** What became of a job. */
export async function jobPage(
  visit: MemberVisit,
  services: Pick<Services, 'accounts' | 'deleter' | 'deletes'>,
  jobId: string,
): Promise<Reply> {
  const { accountId, language, query } = visit;
  const { accounts, deleter } = services;
  const list = readJobList(query);
  const [found, titles, tokens] = await Promise.all([
    findJob(deleter, accountId, jobId, query.get('page') ?? undefined),
    findTitles(deleter, accountId, [jobId]),
    accounts.listCredentials('token', accountId),
  ]);
  // An address from a bookmark may have the page of a deletion that has expired.
  if (found === undefined) return { kind: 'redirect', to: jobPath(visit, jobId, list) };
  const texts = jobTexts[language];
  const names = credentialNames(tokens);
  const { deletions, nextPageToken } = found.named;
  const { kind } = found.fate;
  const title = titles.get(jobId);
  const body = (
    <>
      {title !== undefined && (
        <p>
          <code id="job">{jobId}</code> <CopyButton id="job" button={texts.copy} language={language} />
        </p>
      )}
      {(kind === 'deleted' || kind === 'gone') && <p>{texts.untitled}</p>}
      <section class="card">
        <Fate visit={visit} found={found} names={names} />
        {kind === 'exists' && services.deletes && includesRole(visit.role, 'manager') && (
          <p class="actions">
            <a class="button danger quiet" href={accountPath(visit, `${idsPath}?job=${jobId}`)}>
              {deleteJobsTexts[language].deleteThis}
            </a>
          </p>
        )}
      </section>
      {kind === 'unknown' && <FindForm visit={visit} text={jobId} />}
      {deletions.length > 0 && (
        <>
          <h2 id="list-heading">{texts.named}</h2>
          <DeletionTable visit={visit} deletions={deletions} tokenNames={names} />
        </>
      )}
      {nextPageToken !== undefined && (
        <p>
          <a href={jobPath(visit, jobId, { ...list, page: nextPageToken })}>{texts.older}</a>
        </p>
      )}
    </>
  );
  const action = <Badge tone={tones[found.fate.kind]} text={texts.kinds[found.fate.kind]} />;
  return { kind: 'page', title: title ?? texts.titleOf(jobId), body, action };
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
