import { deletionTexts } from '../activity/deletion-texts.ts';
import { Steps, type Step } from '../activity/deletion-facts.tsx';
import { DeletionTable } from '../activity/deletion-table.tsx';
import { findTitles } from '../deleter/answer-to.ts';
import { credentialNames } from '../keys/key-state.ts';
import type { Services } from '../services.ts';
import { accountPath, jobPath, queryOf, readJobList } from '../web/account-path.ts';
import { details, WithAside } from '../web/aside.tsx';
import { CopyIcon } from '../web/copyable.tsx';
import { FactGrid, type GridFact } from '../web/facts.tsx';
import type { Language } from '../web/language.ts';
import { Badge, shortId, type Tone } from '../web/marks.tsx';
import { includesRole, type MemberVisit, type Reply } from '../web/route.ts';
import { Blank } from '../web/table.tsx';
import { Time } from '../web/time.tsx';
import { deleteJobsTexts } from './delete-jobs-texts.ts';
import { findJob, type FoundJob, type JobFate } from './find-job.ts';
import { FindForm } from './job-list.tsx';
import { idsPath } from './sent-ids.ts';
import { jobTexts } from './job-texts.ts';

/** What became of a job. */
export async function jobPage(
  visit: MemberVisit,
  services: Pick<Services, 'accounts' | 'deleter' | 'deletes'>,
  jobId: string,
): Promise<Reply> {
  const { accountId, language, query, nowMs } = visit;
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
  const sentences: Readonly<Record<JobFate['kind'], string>> = {
    exists: texts.exists,
    waiting: texts.waits,
    removing: texts.isRemoved,
    deleted: texts.untitled,
    gone: texts.gone,
    unknown: found.named.examinedFromMs === undefined ? texts.unknown : texts.unknownSince,
  };
  const facts = <FactGrid facts={factsOf(visit, jobId, found, names)} />;
  const isIdOnly = !('by' in found.fate);
  const steps = stepsOf(found, language);
  const older = nextPageToken !== undefined && (
    <p>
      <a href={jobPath(visit, jobId, { ...list, page: nextPageToken })}>{texts.older}</a>
    </p>
  );
  const hasCard = isIdOnly || steps.length > 0 || title !== undefined;
  const content = (
    <section>
      {hasCard && (
        <div class="card">
          {isIdOnly && facts}
          {steps.length > 0 && <Steps {...{ language, nowMs, steps }} />}
          {title !== undefined && (
            <p class="actions">
              <a class="button quiet" href={accountPath(visit, `/jobs${queryOf({ find: title })}`)}>
                {texts.similar}
              </a>
            </p>
          )}
        </div>
      )}
      <h2 id="list-heading">{texts.named}</h2>
      {deletions.length > 0 ? (
        <DeletionTable visit={visit} deletions={deletions} tokenNames={names} />
      ) : (
        <Blank icon="activity">
          <p>{nextPageToken === undefined ? texts.notNamed : texts.notNamedYet}</p>
        </Blank>
      )}
      {older}
    </section>
  );
  const body = (
    <>
      <p>{sentences[kind]}</p>
      {kind === 'unknown' ? (
        <>
          {facts}
          <FindForm visit={visit} text={jobId} />
          {older}
        </>
      ) : isIdOnly ? (
        content
      ) : (
        <WithAside aside={details(language, facts)} isFirst>
          {content}
        </WithAside>
      )}
    </>
  );
  const action = (
    <>
      <Badge tone={tones[kind]} text={texts.kinds[kind]} />
      <Actions visit={visit} jobId={jobId} fate={found.fate} deletes={services.deletes} />
    </>
  );
  return { kind: 'page', title: title ?? texts.titleOf(jobId), body, action };
}

const tones: Readonly<Record<JobFate['kind'], Tone>> = {
  exists: 'good',
  waiting: 'pending',
  removing: 'pending',
  deleted: 'ended',
  gone: 'ended',
  unknown: 'ended',
};

/** Returns what happened to a job, and what will. */
function stepsOf({ fate, importedAtMs }: FoundJob, language: Language): readonly Step[] {
  const { imported, kinds } = jobTexts[language];
  const { accepted, removal } = deletionTexts[language];
  const steps = importedAtMs === undefined ? [] : [{ name: imported, ms: importedAtMs, isDone: true }];
  if (!('by' in fate)) return steps;
  const { acceptedAtMs, removalAtMs, completedAtMs } = fate.by;
  return [
    ...steps,
    { name: accepted, ms: acceptedAtMs, isDone: true },
    fate.kind === 'waiting'
      ? { name: removal, ms: removalAtMs, isDone: false }
      : { name: kinds.deleted, ms: completedAtMs, isDone: fate.kind === 'deleted' },
  ];
}

/** Returns the ids of a job and its deletion, and who asked for that. `names` has the names of the tokens by their ids. */
function factsOf(
  visit: MemberVisit,
  jobId: string,
  { fate, named }: FoundJob,
  names: ReadonlyMap<string, string>,
): readonly GridFact[] {
  const { language } = visit;
  const texts = jobTexts[language];
  const { token, person } = deletionTexts[language];
  const by = 'by' in fate ? fate.by : undefined;
  const { tokenId = '' } = by?.origin ?? {};
  return [
    [
      <>
        {texts.list.id} <CopyIcon text={jobId} language={language} />
      </>,
      fate.kind !== 'unknown' && <code>{jobId}</code>,
    ],
    [
      'Deletion-Id',
      by && (
        <a href={accountPath(visit, `/activity/${by.id}`)}>
          <code>{shortId(by.id)}</code>
        </a>
      ),
    ],
    [
      token,
      tokenId !== '' && (
        <a href={accountPath(visit, `/keys/token/${tokenId}`)}>{names.get(tokenId) ?? shortId(tokenId)}</a>
      ),
    ],
    [person, by?.origin.person, true],
    [
      texts.searchedTo,
      fate.kind === 'unknown' && named.examinedFromMs !== undefined && (
        <Time ms={named.examinedFromMs} language={language} withSeconds />
      ),
    ],
  ];
}

interface ActionsProps {
  readonly visit: MemberVisit;
  readonly jobId: string;
  readonly fate: JobFate;
  /** People may delete jobs. */
  readonly deletes: boolean;
}

/** What people do most often with a job in its state comes first. */
function Actions({ visit, jobId, fate, deletes }: ActionsProps) {
  const { language, role } = visit;
  const isManager = includesRole(role, 'manager');
  if ('by' in fate)
    return (
      <p class="actions">
        {isManager && fate.kind === 'waiting' && (
          <a class="button quiet" href={accountPath(visit, `/activity/${fate.by.id}/cancel`)}>
            {deletionTexts[language].cancel}
          </a>
        )}
        <a class="button" href={accountPath(visit, `/activity/${fate.by.id}`)}>
          {jobTexts[language].open}
        </a>
      </p>
    );
  if (fate.kind !== 'exists' || !deletes || !isManager) return null;
  return (
    <p class="actions">
      <a class="button danger quiet" href={accountPath(visit, `${idsPath}?job=${jobId}`)}>
        {deleteJobsTexts[language].deleteThis}
      </a>
    </p>
  );
}
