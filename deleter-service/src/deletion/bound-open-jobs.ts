import { largeRequestJobs } from '@jobs-delete/proto/ids';
import { createFairPermits } from '@jobs-delete/runtime/batching/permits';
import type { Verdict } from '@jobs-delete/runtime/batching/fair-queue';
import { type Clock, withTimeLimit } from '@jobs-delete/runtime/time/clock';
import type { Deletion } from '../store/deletion.ts';
import type { DeletionKey, Store } from '../store/store.ts';
import { forEachGroup, groupBy } from '@jobs-delete/runtime/batching/groups';

export interface OpenJobsOptions {
  readonly store: Pick<Store, 'findStates'>;
  readonly clock: Clock;
  /** Called when permits are free again. */
  readonly onFreed: () => void;
  /** The most jobs of this relay on the event log that are not removed, of large and of small deletions. */
  readonly maxOpenJobs?: { readonly large: number; readonly small: number };
}

interface Publication {
  readonly atMs: number;
  readonly deletions: readonly { readonly accountId: string; readonly jobs: number }[];
  /** Its last deletion, and the last one of another account. */
  readonly markers: readonly DeletionKey[];
}

const pollMs = 100;
const maxPolled = 100;

/** After this time a deletion of another account may tell that the publication is processed: the last one may be postponed. */
const secondMarkerMs = 3_000;

/** A publication without progress for this time no longer counts: its partition is stuck, or its worker is down. */
const noProgressMs = 10_000;

/**
 * Bounds the jobs that are on the event log and not removed, and shares them among accounts.
 *
 * One publication is one batch of a worker, removed in order. So its last deletion tells when it is removed. The states of
 * these are polled only while permits run low.
 */
export function boundOpenJobs({ store, clock, onFreed, ...options }: OpenJobsOptions) {
  const { large, small } = options.maxOpenJobs ?? { large: 30_000, small: 20_000 };
  const permits = {
    large: createFairPermits({ total: () => large }),
    small: createFairPermits({ total: () => small }),
  };
  const permitsOf = (jobs: number) => (jobs < largeRequestJobs ? permits.small : permits.large);
  const stopping = new AbortController();
  let watched: Publication[] = [];
  let isBlocked = false;
  let polling: Promise<void> | undefined;
  const progress = createProgress();

  const isNeeded = () =>
    watched.length > 0 &&
    !stopping.signal.aborted &&
    (isBlocked || permits.large.held() > large / 2 || permits.small.held() > small / 2);

  const check = async () => {
    const asked = watched.slice(0, maxPolled);
    const removed = await findRemoved(asked, store, clock);
    const ended = progress.ended(asked, removed, clock.now());
    // The next check asks for others: publications of a sick account may stay for long.
    watched = [...watched.slice(asked.length), ...asked.filter((publication) => !ended.has(publication))];
    if (ended.size === 0) return;
    for (const { deletions } of ended)
      for (const { accountId, jobs } of deletions) permitsOf(jobs).give(accountId, jobs);
    isBlocked = false;
    onFreed();
  };
  const poll = async () => {
    while (isNeeded()) {
      await clock.sleep(pollMs, stopping.signal);
      await check();
    }
    polling = undefined;
  };
  const pollIfNeeded = () => {
    if (isNeeded()) polling ??= poll();
  };

  return {
    /** Decides whether a deletion may be published now, and takes its permits if so. */
    judge: ({ accountId, jobIds: { length: jobs } }: Deletion): Verdict => {
      if (permitsOf(jobs).take(accountId, jobs)) return 'take';
      isBlocked = true;
      pollIfNeeded();
      // An account with nothing on the log goes next, however large its deletion is.
      return permitsOf(jobs).held(accountId) === 0 ? 'end' : 'skip';
    },
    /** Gives the permits back when the removal of these deletions shows. They are one publication, in its order. */
    watch: (publication: readonly Deletion[]): void => {
      watched.push({ atMs: clock.now(), ...summaryOf(publication) });
      pollIfNeeded();
    },
    stop: async (): Promise<void> => {
      stopping.abort();
      await polling;
    },
  };
}

/**
 * Returns the deletions that are removed. Where one query for all fails, each account is asked alone: a shard that is down
 * must not hide the progress of the others. The sweep reports a failing store.
 */
async function findRemoved(
  publications: readonly Publication[],
  store: OpenJobsOptions['store'],
  clock: Clock,
): Promise<ReadonlySet<string>> {
  const keys = publications.flatMap(({ markers }) => markers);
  const removed = new Set<string>();
  const ask = async (some: readonly DeletionKey[]): Promise<boolean> => {
    const asked = store.findStates(some).catch(() => undefined);
    const states = await withTimeLimit(asked, findTimeoutMs, () => undefined, clock);
    for (const [index, { deletionId }] of some.entries())
      if (states !== undefined && (states[index] ?? 'completed') === 'completed') removed.add(deletionId);
    return states !== undefined;
  };
  if (await ask(keys)) return removed;
  const byAccount = groupBy(keys, ({ accountId }) => accountId);
  if (byAccount.size > 1)
    await forEachGroup([...byAccount.values()], maxAsked, async (some) => {
      await ask(some);
    });
  return removed;
}

const findTimeoutMs = 2_000;
/** More would take connections from the requests of other accounts. */
const maxAsked = 4;

/** Tells which publications no longer count. */
function createProgress() {
  let progressAtMs = 0;
  /** When the newest publication that is removed was published. */
  let overtakenAtMs = 0;
  let gaveUpAtMs = 0;
  let gaveUp = 0;

  const isRemoved = ({ atMs, markers }: Publication, removed: ReadonlySet<string>, nowMs: number) => {
    const [last, other] = markers.map(({ deletionId }) => removed.has(deletionId));
    return last === true || (other === true && nowMs - atMs > secondMarkerMs);
  };
  /** While nothing makes progress, gives up one publication at a time, ever more rarely: nobody removes what is published. */
  const isGivenUp = ({ atMs }: Publication, nowMs: number): boolean => {
    if (nowMs - atMs < noProgressMs) return false;
    if (overtakenAtMs > atMs) return true;
    if (nowMs - Math.max(progressAtMs, gaveUpAtMs) < noProgressMs * 2 ** Math.min(gaveUp, 6)) return false;
    gaveUp += 1;
    gaveUpAtMs = nowMs;
    return true;
  };
  return {
    ended: (asked: readonly Publication[], removed: ReadonlySet<string>, nowMs: number): Set<Publication> => {
      const done = asked.filter((publication) => isRemoved(publication, removed, nowMs));
      if (done.length > 0) [progressAtMs, gaveUp] = [nowMs, 0];
      for (const { atMs } of done) overtakenAtMs = Math.max(overtakenAtMs, atMs);
      return new Set([...done, ...asked.filter((publication) => isGivenUp(publication, nowMs))]);
    },
  };
}

function summaryOf(publication: readonly Deletion[]): Omit<Publication, 'atMs'> {
  const last = publication.at(-1);
  const other = publication.findLast(({ accountId }) => accountId !== last?.accountId);
  const markers = [last, other].flatMap((deletion) =>
    deletion === undefined ? [] : [{ deletionId: deletion.id, accountId: deletion.accountId }],
  );
  // Without the job ids, which take most of the memory.
  return {
    deletions: publication.map(({ accountId, jobIds }) => ({ accountId, jobs: jobIds.length })),
    markers,
  };
}
