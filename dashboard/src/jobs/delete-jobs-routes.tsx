import { deletionSubject } from '@jobs-delete/accounts/people/audit-trail';
import { isJobId } from '@jobs-delete/proto/ids';
import { createFairSemaphore, type FairSemaphore } from '@jobs-delete/runtime/batching/permits';
import { Fault } from '@jobs-delete/runtime/fault';
import type { DayCounter } from '../activity/chart-days.ts';
import { findTitles, ifAvailable, ifSoon } from '../deleter/answer-to.ts';
import { readNumber } from '../web/form.tsx';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { addAllowance, allowProblemText } from '../safety/allow-deletions.tsx';
import { auditEntry } from '../web/audit-entry.ts';
import { openForm, readFormId, readFormUuid, sentOnce } from '../web/form-once.tsx';
import { type Notice, withNotice } from '../web/notices.ts';
import type { MemberVisit, Reply, Route } from '../web/route.ts';
import { confirmPage, confirmPath, csvPath, editField, type Preview } from './confirm-page.tsx';
import { deleteJobsTexts } from './delete-jobs-texts.ts';
import { explainLeftOut, leftOutJobs } from './explain-left-out.ts';
import { findMatches } from './find-matches.ts';
import { filePath, idsPage } from './ids-page.tsx';
import { shownIds } from './id-list.tsx';
import { FindForm, foundPath, readFind } from './job-list.tsx';
import { countWaiting } from './waiting-jobs.ts';
import { LeftOut, noneText } from './left-out.tsx';
import { downloadJobs } from './jobs-as-csv.ts';
import { checkIds, originOf } from './check-ids.ts';
import { allowPath, countLacking, moreField, overLimitPage } from './over-limit-page.tsx';
import { idNames, maxJobs, type PastedIds, splitWords, untitledColumns } from './pasted-ids.ts';
import {
  allIdsOf,
  asColumn,
  fitsForm,
  idFields,
  idsPath as path,
  malformedIn,
  problemOf,
  readIds,
  readSent,
  sentIn,
  type SentIds,
} from './sent-ids.ts';
import { readWorkbookIds } from './workbook-ids.ts';

type Needed = Pick<Services, 'accounts' | 'deleter' | 'keys'> & {
  readonly dayCounter: DayCounter;
  /** Bounds how many searches and previews run at once. */
  readonly previews: FairSemaphore;
};

/** The forms that delete jobs: ids, then a preview that a person confirms. Only where `DASHBOARD_DELETES` allows it. */
export function deleteJobsRoutes(others: Omit<Needed, 'previews'>): readonly Route[] {
  // A workbook of few bytes may need much memory.
  const workbooks = createFairSemaphore({ maxRunning: 1, maxWaiting: 20 });
  const services = { ...others, previews: createFairSemaphore({ maxRunning: 2, maxWaiting: 20 }) };
  const idsForm = (path: Route['path'], serve: (visit: MemberVisit) => Promise<Reply>): Route => {
    return { method: 'POST', path, access: 'manager', recent: true, keeps: idFields, serve };
  };
  return [
    {
      method: 'GET',
      path,
      access: 'manager',
      recent: true,
      serve: (visit) =>
        visit.query.has('job')
          ? preview(services, visit, sentIn(visit.query.get('job') ?? ''))
          : idsPage(services, visit, {}),
    },
    idsForm(path, (visit) =>
      visit.form.has(editField)
        ? idsPage(services, visit, { text: allIdsOf(visit.form) })
        : preview(services, visit, readSent(visit.form)),
    ),
    {
      method: 'GET',
      path: foundPath,
      access: 'manager',
      recent: true,
      serve: (visit) => previewFound(services, visit),
    },
    {
      method: 'POST',
      path: filePath,
      access: 'manager',
      recent: true,
      serve: async (visit) => {
        const file = visit.form.get('file') ?? '';
        const read = () => readWorkbookIds(Buffer.from(file, 'base64'));
        return showFile(services, visit, await runIn(workbooks, visit, read));
      },
    },
    idsForm(confirmPath, (visit) => confirm(services, visit)),
    idsForm(allowPath, (visit) => allowAndPreview(services, visit)),
    idsForm(csvPath, (visit) => downloadJobs(services, visit)),
  ];
}

async function runIn<Result>(
  semaphore: FairSemaphore,
  { accountId }: MemberVisit,
  run: () => Promise<Result>,
): Promise<Result> {
  const result = await semaphore.run(accountId, run);
  if (result === 'full') throw new Fault('busy', 'dashboard: too many workbooks or previews');
  return result;
}

/** Answers the script of the page: shows the ids of a workbook in the field, or what is wrong. Changes nothing. */
function showFile(services: Needed, visit: MemberVisit, read: PastedIds): Promise<Reply> {
  const text = asColumn(read);
  const isShown = fitsForm(read);
  const problem = problemOf(visit, isShown ? { ...read, text } : read);
  if (problem === undefined) return idsPage(services, visit, { text });
  const isMendable = isShown && read.wrong.length > 0;
  return idsPage(services, visit, isMendable ? { text, problem, malformed: malformedIn(read) } : { problem });
}

/** Shows what a deletion of the jobs would do that a search finds now. */
async function previewFound(services: Needed, visit: MemberVisit): Promise<Reply> {
  const { accountId, language } = visit;
  const text = readFind(visit.query);
  if (text === '') return { kind: 'redirect', to: accountPath(visit, '/jobs') };
  const find = () => findMatches(services.deleter, { accountId, text }, maxJobs);
  const ids = await runIn(services.previews, visit, find);
  if (typeof ids === 'object' && ids.length > 0)
    return preview(services, visit, { ids, wrong: [], text: ids.join('\n'), foundBy: text });
  const { title, problems } = deleteJobsTexts[language];
  const body = (
    <>
      <p class="warning" role="alert">
        {typeof ids === 'object' ? problems.noMatch : problems[ids]}
      </p>
      <FindForm visit={visit} text={text} />
    </>
  );
  return { kind: 'page', status: ids === 'unfinished' ? 503 : 422, title, body };
}

/** Shows what a deletion of these ids would do. Changes nothing. */
function preview(...args: Parameters<typeof previewPage>): Promise<Reply> {
  const [{ previews }, visit] = args;
  return runIn(previews, visit, () => previewPage(...args));
}

async function previewPage(
  services: Needed,
  visit: MemberVisit,
  read: SentIds,
  problem?: Exclude<Preview['problem'], 'unavailable'>,
): Promise<Reply> {
  const { deleter, keys } = services;
  const { accountId, language } = visit;
  const texts = deleteJobsTexts[language];
  const { ids, text, malformed = [], table = text } = read;
  const unusable = problemOf(visit, read);
  if (unusable !== undefined) {
    const shown = read.problem === 'binary' ? '' : text;
    const columns = untitledColumns(shown);
    const page = { text: shown, problem: unusable, malformed: malformedIn(read), columns };
    return idsPage(services, visit, page);
  }

  const checked = await checkIds(services, visit, ids);
  if (checked === undefined)
    return idsPage(services, visit, { text, problem: texts.problems.unchecked, status: 503 });
  const { found, notFound, over } = checked;
  if (over !== undefined) return overLimitPage(services, visit, { ids: found, text }, over);
  const explained = explainLeftOut(deleter, accountId, [...notFound, ...(read.leftOut ?? [])], malformed);
  if (found.length === 0) {
    const leftOut = await explained;
    const warning = <LeftOut visit={visit} jobs={leftOut} repeated={read.repeated} />;
    const columns = untitledColumns(table);
    // Words of a table without a column of ids can look like ids.
    const noIds =
      read.table === undefined &&
      columns.length > 0 &&
      leftOut.slice(0, shownIds).every(({ why }) => why === 'absent');
    return idsPage(services, visit, {
      text: table,
      columns,
      problem: noIds ? texts.problems.noColumn(idNames.join(', ')) : noneText(language, leftOut),
      warning,
    });
  }
  const [leftOut, titles, all, waiting, safety] = await Promise.all([
    explained,
    findTitles(deleter, accountId, found.slice(0, shownIds)),
    ifAvailable(deleter.countJobs(accountId)),
    ifSoon(countWaiting(services, visit)),
    ifAvailable(deleter.getSafety(accountId)),
  ]);
  if (safety === undefined)
    return idsPage(services, visit, { text, problem: texts.problems.unchecked, status: 503 });
  return confirmPage(services, visit, {
    once: openForm({ keys }, visit),
    ids: found,
    foundBy: read.foundBy,
    titles,
    leftOut,
    repeated: read.repeated,
    problem,
    all,
    waiting: waiting?.jobs,
    delayMs: safety.removalDelayMs,
    rules: safety,
  });
}

/** Several POSTs of one form ask for one deletion. The trail gets one request and at most one refusal: all ids come from the form. */
async function confirm(services: Needed, visit: MemberVisit): Promise<Reply> {
  const { accounts, deleter } = services;
  const { accountId, form } = visit;
  // The form has valid ids only, so none is the title of a column.
  const { ids, wrong } = readIds(form, 'ids');
  const { ids: leftOut, wrong: malformed } = readIds(form, 'leftOut');
  const repeated = splitWords(form.get('repeated') ?? '').filter(isJobId);
  const read = { ids, wrong, leftOut, malformed, repeated, text: form.get('ids') ?? '' };
  if (readNumber(form.get('count'), { min: 1 }) !== ids.length)
    return preview(services, visit, read, 'count');
  const deletionId = readFormUuid(services, visit);
  const entryId = readFormId(services, visit, ['trail']);
  const refusalId = readFormId(services, visit, ['trail', 'refused']);
  if (deletionId === undefined || entryId === undefined || refusalId === undefined)
    return preview(services, visit, read, 'expired');

  const delayMs = readNumber(form.get('delay'), { min: 0 });
  const shown = { once: sentOnce(form), ids, leftOut: leftOutJobs(leftOut, malformed), repeated, delayMs };
  const again = { ...shown, problem: 'unavailable' } as const;
  const before = await ifAvailable(
    Promise.all([deleter.getSafety(accountId), deleter.getDeletion(accountId, deletionId)]),
  );
  if (before === undefined) return confirmPage(services, visit, again);
  const [rules, sent] = before;
  // The delay no longer matters then.
  if (sent !== undefined) return toDeletion(visit, deletionId, 'deletion-sent');
  if (rules.removalDelayMs !== delayMs) return preview(services, visit, read, 'delay');

  const entry = auditEntry(visit, 'deletion.requested', deletionSubject(deletionId, ids.length));
  const recorded = await accounts.recordAction({ ...entry, id: entryId });
  // The trail says that this deletion was refused, so it must not be accepted later.
  if (recorded === 'exists' && (await accounts.hasAction(accountId, refusalId)))
    return preview(services, visit, read, 'refused');
  const request = { accountId, deletionId, origin: originOf(visit), isCheck: false };
  const outcome = await ifAvailable(deleter.deleteJobs({ ...request, jobIds: ids }));
  if (outcome?.kind === 'limit-exceeded' || outcome?.kind === 'jobs-not-found') {
    // Another POST of the form may have been accepted meanwhile.
    if (await ifAvailable(deleter.getDeletion(accountId, deletionId)))
      return toDeletion(visit, deletionId, 'deletion-sent');
    // The next entry after the request: a page of the trail has both.
    const next = { ...entry, id: refusalId, atMs: entry.atMs + 1 };
    await accounts.recordAction({ ...next, action: 'deletion.refused' });
  }
  switch (outcome?.kind) {
    case 'accepted':
      return toDeletion(visit, deletionId, 'deletion-accepted');
    case 'limit-exceeded':
      return overLimitPage(services, visit, { ids, text: ids.join('\n') }, outcome);
    case 'jobs-not-found':
      return preview(services, visit, read, 'changed');
    // An earlier POST sent other ids. The entries of the trail name those, so this adds no refusal.
    case 'key-reused':
      return preview(services, visit, read, 'expired');
    case undefined:
      return confirmPage(services, visit, { ...again, rules });
  }
}

function toDeletion(visit: MemberVisit, id: string, notice: Notice): Reply {
  return { kind: 'redirect', to: withNotice(accountPath(visit, `/activity/${id}`), notice) };
}

/** Allows what the limit lacks for these ids, unless that is more than the button said. Then shows their preview. */
async function allowAndPreview(services: Needed, visit: MemberVisit): Promise<Reply> {
  const read = sentIn(visit.form.getAll('ids').join('\n'));
  const { text } = read;
  const checked =
    problemOf(visit, read) === undefined ? await checkIds(services, visit, read.ids) : undefined;
  if (checked?.over === undefined) return preview(services, visit, read);
  const { found: ids, over } = checked;
  const more = await countLacking(services, visit.accountId, ids.length, over);
  const most = readNumber(visit.form.get(moreField), { min: 1 }) ?? 0;
  if (more !== undefined && more > most) return overLimitPage(services, visit, { ids, text }, over, true);
  const allowed = more ? await addAllowance(services, visit, more) : undefined;
  if (typeof allowed === 'string')
    return idsPage(services, visit, { text, problem: allowProblemText(visit.language, allowed) });
  return preview(services, visit, read);
}
