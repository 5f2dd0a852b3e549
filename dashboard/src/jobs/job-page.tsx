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
  const facts = <FactGrid facts={factsOf(visit, { jobId, title, names, ...found })} />;
  const steps = stepsOf(found, language, names);
  const older = nextPageToken !== undefined && (
    <p>
      <a href={jobPath(visit, jobId, { ...list, page: nextPageToken })}>{texts.older}</a>
    </p>
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
      ) : (
        <WithAside aside={details(language, facts)}>
          <section>
            {steps.length > 0 && (
              <>
                <h2>{deletionTexts[language].life}</h2>
                <div class="card">
                  <Steps {...{ language, nowMs, steps }} isUnderWay={kind !== 'exists'} />
                </div>
              </>
            )}
            <h2 id="list-heading">{texts.named}</h2>
            {deletions.length > 0 ? (
              <DeletionTable visit={visit} deletions={deletions} tokenNames={names} />
            ) : (
              <p class="muted">{nextPageToken === undefined ? texts.notNamed : texts.notNamedYet}</p>
            )}
            {older}
          </section>
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

/** Returns the steps of a job: its import, and those of its deletion. `names` maps the ids of tokens to their names. */
function stepsOf({ fate, importedAtMs }: FoundJob, language: Language, names: Names): readonly Step[] {
  const { imported, kinds } = jobTexts[language];
  const { accepted, removal } = deletionTexts[language];
  const steps = importedAtMs === undefined ? [] : [{ name: imported, ms: importedAtMs, isDone: true }];
  if (fate.kind === 'exists') return [...steps, { name: kinds.deleted, ms: undefined, isDone: false }];
  if (!('by' in fate)) return steps;
  const { acceptedAtMs, removalAtMs, completedAtMs, origin } = fate.by;
  const note = names.get(origin.tokenId) ?? origin.person;
  return [
    ...steps,
    { name: accepted, ms: acceptedAtMs, isDone: true, note },
    fate.kind === 'waiting'
      ? { name: removal, ms: removalAtMs, isDone: false }
      : { name: kinds.deleted, ms: completedAtMs, isDone: fate.kind === 'deleted' },
  ];
}

type Names = ReadonlyMap<string, string>;

interface JobFacts extends FoundJob {
  readonly jobId: string;
  readonly title: string | undefined;
  readonly names: Names;
}

/** Returns the facts of a job: id, title, deletion, and who asked for it. */
function factsOf(visit: MemberVisit, { jobId, title, names, fate, named }: JobFacts): readonly GridFact[] {
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
      texts.list.title,
      title !== undefined && (
        <>
          {title}{' '}
          <a class="second" href={accountPath(visit, `/jobs${queryOf({ find: title })}`)}>
            {texts.similar}
          </a>
        </>
      ),
      true,
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
