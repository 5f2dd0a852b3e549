import { randomUUID } from 'node:crypto';
import { ifSoon } from '../deleter/answer-to.ts';
import type { DeleterCalls } from '../deleter/deleter-calls.ts';
import { isFinal, type Deletion } from '../deleter/deletion.ts';
import { removes } from './find-job.ts';

/** A job that the preview leaves out, and why. */
export interface LeftOutJob {
  readonly id: string;
  readonly why: (typeof reasons)[number];
  /** The deletion that has the job, or has removed it. */
  readonly deletionId?: string | undefined;
  /** The id that the account has. */
  readonly spelling?: string | undefined;
}

/** In the order of a page. */
export const reasons = [
  'otherCapitals',
  'removing',
  'deleted',
  'absent',
  'unexplained',
  'malformed',
] as const;

type Answer = Omit<LeftOutJob, 'id'>;
type Answers = ReadonlyMap<string, Answer>;
type Needed = Pick<DeleterCalls, 'deleteJobs' | 'getDeletion' | 'getJob' | 'listDeletions'>;

/** How many deletions are listed. */
const listed = 1_000;
/** How many of them are read, and with how many ids together: those that are not completed first, then the newest. */
const readDeletions = 50;
const readIds = 100_000;
/** How many of the ids in none of these are looked up, if an unread deletion may have them. */
const lookedUp = 200;
/** For how many ids the older deletions are searched. */
const searched = 20;

/** Asks why each of the ids is left out. Those that are not looked up are `unexplained`. */
export async function explainLeftOut(
  deleter: Needed,
  accountId: string,
  ids: readonly string[],
  malformed: readonly string[] = [],
): Promise<readonly LeftOutJob[]> {
  return leftOutJobs(ids, malformed, ids.length > 0 ? await findReasons(deleter, accountId, ids) : undefined);
}

/** Returns the ids that are left out, and the malformed ones. Those without an answer are `unexplained`. */
export function leftOutJobs(
  ids: readonly string[],
  malformed: readonly string[],
  answers: Answers = new Map(),
): readonly LeftOutJob[] {
  return [
    ...ids.map((id) => ({ id, ...(answers.get(id) ?? { why: 'unexplained' as const }) })),
    ...malformed.map((id) => ({ id, why: 'malformed' as const })),
  ];
}

async function findReasons(deleter: Needed, accountId: string, ids: readonly string[]): Promise<Answers> {
  const [newest, spelled] = await Promise.all([
    readNewest(deleter, accountId, ids),
    findSpellings(deleter, accountId, ids),
  ]);
  const removing = [...newest.named].filter(([, { why }]) => why === 'removing');
  const known = new Map([...newest.named, ...spelled, ...removing]);
  const others = ids.filter((id) => !known.has(id));
  const found = newest.knowsUnfinished
    ? new Map(others.map((id): [string, Answer] => [id, { why: 'absent' }]))
    : await lookUp(deleter, accountId, others.slice(0, lookedUp));
  const absent = others.filter((id) => found.get(id)?.why === 'absent');
  const older = newest.knowsAll
    ? []
    : await searchOlder(deleter, accountId, absent.slice(0, searched), others);
  return new Map([...known, ...found, ...older]);
}

/**
 * Finds the ids in the newest deletions. `knowsUnfinished`: no other deletion removes jobs now. `knowsAll`: no other deletion has
 * removed any.
 */
async function readNewest(deleter: Needed, accountId: string, ids: readonly string[]) {
  const page = await ifSoon(deleter.listDeletions({ accountId, pageSize: listed }));
  const deletions = page?.deletions.filter(removesOrWaits) ?? [];
  const unfinished = deletions.filter((each) => !isFinal(each));
  let sum = 0;
  const read = [...unfinished, ...deletions.filter(isFinal)]
    .slice(0, readDeletions)
    .filter(({ jobCount }) => (sum += jobCount) <= readIds);
  const { named, allAnswered } = await findNamed(deleter, read, ids);
  const areListed = page !== undefined && page.nextPageToken === undefined && allAnswered;
  return {
    named,
    knowsUnfinished: areListed && unfinished.every((each) => read.includes(each)),
    knowsAll: areListed && read.length === deletions.length,
  };
}

function removesOrWaits(deletion: Deletion): boolean {
  return !isFinal(deletion) || removes(deletion);
}

/** Finds the ids that these deletions remove. The first deletion with an id counts. */
async function findNamed(
  deleter: Pick<DeleterCalls, 'getDeletion'>,
  deletions: readonly Deletion[],
  ids: readonly string[],
): Promise<{ readonly named: Answers; readonly allAnswered: boolean }> {
  const wanted = new Set(ids);
  const named = new Map<string, Answer>();
  const read = await Promise.all(
    deletions.map(({ accountId, id }) => ifSoon(deleter.getDeletion(accountId, id, { includeJobIds: true }))),
  );
  for (const { id: deletionId, state, jobIds = [] } of read.filter((each) => each !== undefined))
    for (const id of jobIds)
      if (wanted.delete(id))
        named.set(id, { why: state === 'completed' ? 'deleted' : 'removing', deletionId });
  return { named, allAnswered: !read.includes(undefined) };
}

/** Finds the ids that the account has in capitals or in small letters. */
async function findSpellings(
  deleter: Pick<DeleterCalls, 'deleteJobs'>,
  accountId: string,
  ids: readonly string[],
): Promise<Answers> {
  const spellings = [(id: string) => id.toLowerCase(), (id: string) => id.toUpperCase()];
  const found = await Promise.all(
    spellings.map(async (spell): Promise<readonly [string, Answer][]> => {
      const pairs = ids.map((id) => [id, spell(id)] as const).filter(([id, spelling]) => spelling !== id);
      const free = await findFree(deleter, accountId, [...new Set(pairs.map(([, spelling]) => spelling))]);
      return pairs.flatMap(([id, spelling]) =>
        free.has(spelling) ? [[id, { why: 'otherCapitals', spelling }]] : [],
      );
    }),
  );
  return new Map(found.flat());
}

/** A check is in no audit record. */
const nobody = { person: '', userAgent: '', language: '', requestId: '' };

/** Returns the jobs that a deletion could take now. */
async function findFree(
  deleter: Pick<DeleterCalls, 'deleteJobs'>,
  accountId: string,
  jobIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (jobIds.length === 0) return new Set();
  const request = { accountId, jobIds, deletionId: randomUUID(), origin: nobody, isCheck: true };
  const outcome = await ifSoon(deleter.deleteJobs(request));
  if (outcome === undefined || outcome.kind === 'key-reused') return new Set();
  const missing = new Set(outcome.kind === 'jobs-not-found' ? outcome.positions : []);
  return new Set(jobIds.filter((_, position) => !missing.has(position)));
}

/** Looks up ids one by one. */
async function lookUp(
  deleter: Pick<DeleterCalls, 'getJob'>,
  accountId: string,
  ids: readonly string[],
): Promise<Answers> {
  const found = await Promise.all(
    ids.map(async (id): Promise<[string, Answer][]> => {
      const read = await ifSoon(deleter.getJob(accountId, id).then((job) => ({ job })));
      if (read === undefined) return [];
      if (read.job === undefined) return [[id, { why: 'absent' }]];
      const { deletionId } = read.job;
      // The job may have come, or become free, since the deletion was checked.
      return deletionId === undefined ? [] : [[id, { why: 'removing', deletionId }]];
    }),
  );
  return new Map(found.flat());
}

/** Searches deletions that name the first ids, and finds the others in them too. */
async function searchOlder(
  deleter: Needed,
  accountId: string,
  first: readonly string[],
  ids: readonly string[],
): Promise<Answers> {
  // One call examines the newest deletions only.
  const pages = await Promise.all(
    first.map((jobId) => ifSoon(deleter.listDeletions({ accountId, jobId, pageSize: 1 }))),
  );
  const deletions = pages.flatMap((page) => page?.deletions.filter(removesOrWaits) ?? []);
  const distinct = new Map(deletions.map((each) => [each.id, each]));
  return (await findNamed(deleter, [...distinct.values()], ids)).named;
}
