import { readJobPage, type JobPosting, type JobStore } from '@jobs-delete/deleter-service/store/job-store';
import { notBegun } from '@jobs-delete/deleter-service/store/removed-parts';
import { noRules, type RuleStore } from '@jobs-delete/deleter-service/store/safety-rules';
import type { AcceptRequest, Store } from '@jobs-delete/deleter-service/store/store';
import { Fault } from '@jobs-delete/runtime/fault';
import type { Link } from './link.ts';
import { jobKey, type MemoryDatabase, type StoredDeletion } from './memory-database.ts';
import {
  begun,
  cancel,
  importJob,
  insert,
  isOpen,
  lease,
  receiptOf,
  recordPart,
  removePart,
} from './memory-writes.ts';

/** The methods of the store that the simulated services call. */
export type MemoryStore = Omit<
  Store,
  | 'describeJobs'
  | 'listDeletions'
  | 'countDeletions'
  | 'openDeletions'
  | 'completedDeletions'
  | 'readUsage'
  | 'addAllowance'
  | 'endAllowance'
>;

/**
 * The store of one process: each call goes over its link to what the process takes for the primary, and each write waits for a
 * majority.
 */
export function openMemoryStore(primary: () => MemoryDatabase, link: Link): MemoryStore {
  const call = <Result>(parts: readonly string[], serve: (database: MemoryDatabase) => Promise<Result>) =>
    link.call(parts, () => serve(primary()));
  const accountsOf = (keys: readonly { readonly accountId: string }[]) =>
    keys.map(({ accountId }) => accountId);
  const update = (
    database: MemoryDatabase,
    deletionId: string,
    change: (before: StoredDeletion) => StoredDeletion | undefined,
  ) => {
    const before = database.deletions.get(deletionId);
    const after = before && change(before);
    if (after !== undefined) database.write({ table: 'deletions', key: deletionId, before, after });
    return after !== undefined;
  };
  const written = async <Result>(database: MemoryDatabase, result: Result): Promise<Result> => {
    await database.committed();
    return result;
  };
  /** A linearizable read. */
  const confirmed = async <Result>(database: MemoryDatabase, result: Result): Promise<Result> => {
    await database.confirmed();
    return result;
  };
  const find = ({ deletions }: MemoryDatabase, deletionId: string, accountId: string | undefined) => {
    const stored = deletions.get(deletionId);
    return accountId === undefined || stored?.deletion.accountId === accountId ? stored : undefined;
  };

  return {
    acceptDeletions: (requests, answer, isWanted = () => true) =>
      call(accountsOf(requests), async (first) => {
        const found = requests.map((request) => findClaims(first, request));
        const { failovers } = first;
        // Without one of its jobs, a request is refused by what this find has read.
        const refused = requests.map((request, index) =>
          found[index]?.includes(undefined) === true ? insert(first, request, found[index]) : undefined,
        );
        await link.pause();
        const commits = requests.map(async (request, index) => {
          if (!isWanted(index)) return new Fault('busy', 'no longer wanted');
          if (refused[index] === undefined) {
            // Inserts of one call reach the journal one after the other.
            if (index > 0) await link.pause();
            await link.step(request.accountId);
          }
          const database = primary();
          // The real store looks again, or accepts a posting that no majority had. Callers can't tell.
          if (database !== first || database.failovers !== failovers)
            return new Fault('unknown-outcome', 'an election between find and insert');
          if (refused[index] !== undefined) return confirmed(database, refused[index]);
          const outcome = database.atomically(() => insert(database, request, found[index] ?? []));
          // An election may undo the writes that a refusal has read.
          const answer = outcome.kind === 'accepted' ? written : confirmed;
          return answer(database, outcome);
        });
        const answers = commits.map(async (committed, index) => {
          const outcome = await committed.catch((error: unknown) => error as Fault);
          link.deliver(() => answer(index, outcome));
        });
        await Promise.all(answers);
      }),
    leaseDue: (query) =>
      link.callWhereItWorks(primary().accounts(), async (accounts) => {
        const database = primary();
        return written(database, lease(database, query, accounts));
      }),
    markPublished: (leased, atMs, nextDueAtMs) =>
      call(accountsOf(leased), async (database) => {
        const leaseEndsMs = new Set<number | undefined>(leased.map(({ leasedUntilMs }) => leasedUntilMs));
        for (const { deletionId } of leased)
          update(database, deletionId, (before) => {
            const { deletion, dueAtMs } = before;
            if (!isOpen(deletion) || !leaseEndsMs.has(dueAtMs)) return undefined;
            const publications = deletion.publications + 1;
            const published = { ...deletion, state: 'published' as const, publishedAtMs: atMs, publications };
            return { ...before, deletion: published, dueAtMs: nextDueAtMs };
          });
        return written(database, undefined);
      }),
    leaseOpen: (keys, untilMs) =>
      call(accountsOf(keys), async (database) => {
        const leased = keys.flatMap(({ deletionId }) => {
          const stored = database.deletions.get(deletionId);
          const deletion = stored && begun(stored.deletion);
          if (deletion === undefined || !isOpen(deletion)) return [];
          update(database, deletionId, (before) => ({ ...before, deletion, dueAtMs: untilMs }));
          return [deletion];
        });
        return written(database, leased);
      }),
    postpone: (keys, dueAtMs) =>
      call(accountsOf(keys), async (database) => {
        const isPostponed = keys.map(({ deletionId }) =>
          update(database, deletionId, (before) => {
            return isOpen(before.deletion) ? { ...before, dueAtMs } : undefined;
          }),
        );
        return (isPostponed.every(Boolean) ? written : confirmed)(database, undefined);
      }),
    releaseLeases: () =>
      call([], async (database) => {
        for (const [id, { deletion, dueAtMs }] of database.deletions)
          if (['accepted', 'cancelled'].includes(deletion.state) && dueAtMs !== undefined)
            update(database, id, (before) => ({ ...before, dueAtMs: 0 }));
        return written(database, undefined);
      }),
    measureOutbox: (max = 10_000) =>
      call([], async (database) => {
        const measure = (state: string) => {
          const open = [...database.deletions.values()].filter(
            (one) => one.deletion.state === state && one.dueAtMs !== undefined,
          );
          const sample = open.sort((a, b) => (a.dueAtMs ?? 0) - (b.dueAtMs ?? 0)).slice(0, max);
          const since = sample.map(({ deletion }) => deletion.removalAtMs ?? deletion.acceptedAtMs);
          return { depth: sample.length, oldestAtMs: since.length === 0 ? undefined : Math.min(...since) };
        };
        return Promise.resolve({ accepted: measure('accepted'), published: measure('published') });
      }),
    cancelDeletion: (key, atMs, origin) =>
      call([key.accountId], async (database) =>
        confirmed(
          database,
          database.atomically(() => cancel(database, key, atMs, origin)),
        ),
      ),
    endCancelled: (keys) =>
      call(accountsOf(keys), async (database) => {
        for (const { deletionId } of keys)
          update(database, deletionId, (before) => {
            const { deletion, dueAtMs } = before;
            if (deletion.state !== 'cancelled' || dueAtMs === undefined) return undefined;
            const publications = deletion.publications + 1;
            const ended = { ...deletion, completedAtMs: link.nowMs(), publications };
            return { ...before, deletion: ended, dueAtMs: undefined };
          });
        return written(database, undefined);
      }),
    removeJobs: (parts) =>
      call(accountsOf(parts), async (database) => {
        // As in removeJobs of the store.
        if (parts.some(({ deletionId }) => isDoubtful(database.deletions.get(deletionId))))
          await database.confirmed();
        const answers = parts.map((part, index) => ({ index, answer: removePart(database, part) }));
        const refused = answers.flatMap(({ index, answer }) =>
          typeof answer === 'string' ? [{ index, reason: answer }] : [],
        );
        const removed = answers.flatMap(({ answer }) => (typeof answer === 'string' ? [] : [answer]));
        const sum = removed.reduce((count, { jobs: more }) => count + more, 0);
        return written(database, { refused, parts: removed.map(({ part }) => part), removed: sum });
      }),
    recordRemovals: (parts) =>
      call(accountsOf(parts), async (database) => {
        for (const part of parts)
          update(database, part.deletionId, (before) => recordPart(before, part, link.nowMs()));
        return written(database, undefined);
      }),
    findDeletion: (deletionId, accountId) =>
      call([accountId ?? ''], (database) =>
        confirmed(database, find(database, deletionId, accountId)?.deletion),
      ),
    findReceipt: (deletionId, accountId) =>
      call([accountId ?? ''], (database) =>
        confirmed(database, receiptOf(find(database, deletionId, accountId)?.deletion)),
      ),
    findStates: (keys) =>
      call(accountsOf(keys), (database) =>
        Promise.resolve(keys.map((key) => find(database, key.deletionId, key.accountId)?.deletion.state)),
      ),
    expireReceipts: (retentionMs, max) =>
      call([], async (database) => {
        const isOld = ({ deletion: { completedAtMs } }: StoredDeletion) =>
          completedAtMs !== undefined && completedAtMs < link.nowMs() - retentionMs;
        const old = [...database.deletions].filter(([, stored]) => isOld(stored)).slice(0, max);
        for (const [key, before] of old) database.write({ table: 'deletions', key, before });
        return written(database, old.length);
      }),
    importJobs: (accountId, postings, atMs) =>
      call([accountId], async (database) => {
        const isImported = (posting: JobPosting) => importJob(database, accountId, posting, atMs);
        const imported = database.atomically(() => postings.filter(isImported)).length;
        return written(database, { imported, existing: postings.length - imported });
      }),
    findJob: (accountId, jobId) =>
      call([accountId], ({ jobs }) => {
        const job = jobs.get(jobKey(accountId, jobId));
        if (job === undefined) return Promise.resolve(undefined);
        const { id, posting, importedAtMs, deletionId } = job;
        return Promise.resolve({ accountId, id, posting, importedAtMs, deletionId });
      }),
    countJobs: (accountId) =>
      call([], (database) =>
        Promise.resolve(
          [...database.jobs.values()].filter((job) => accountId === undefined || job.accountId === accountId)
            .length,
        ),
      ),
    listJobs: (query) => call([query.accountId], (database) => listJobs(database, query)),
    findRules: (accountIds) =>
      call(accountIds, (database) => {
        const known = accountIds.flatMap((id) => {
          const rules = database.rules.get(id);
          return rules === undefined ? [] : [[id, rules] as const];
        });
        return Promise.resolve(new Map(known));
      }),
    setRules: (accountId, change) =>
      call([accountId], (database) => Promise.resolve(setRules(database, accountId, change))),
    check: () => call([], () => Promise.resolve(undefined)),
    close: () => Promise.resolve(),
  };
}

/** A deposed primary may lack the deletion or its lease, or have a cancellation that an election has undone. */
function isDoubtful(stored: StoredDeletion | undefined): boolean {
  return (stored?.deletion.state ?? 'waiting') in notBegun;
}

function findClaims({ jobs }: MemoryDatabase, { accountId, jobIds }: AcceptRequest): (string | undefined)[] {
  return jobIds.map((id) => jobs.get(jobKey(accountId, id))?.claim);
}

function listJobs({ jobs }: MemoryDatabase, query: Parameters<JobStore['listJobs']>[0]) {
  return readJobPage(query, (after, size) => {
    const all = [...jobs.values()].filter(({ accountId, id }) => accountId === query.accountId && id > after);
    const read = all.sort((one, other) => (one.id < other.id ? -1 : 1)).slice(0, size);
    const unclaimed = read.filter(({ deletionId }) => deletionId === undefined).map(({ id }) => id);
    return Promise.resolve({ unclaimed, jobs: read.length, last: read.at(-1)?.id });
  });
}

function setRules(database: MemoryDatabase, accountId: string, change: Parameters<RuleStore['setRules']>[1]) {
  const rules = { ...noRules, ...database.rules.get(accountId), ...change };
  database.rules.set(accountId, rules);
  return rules;
}
