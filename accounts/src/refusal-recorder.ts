import type { Environment } from './accounts.ts';
import { type Clock, withTimeLimit } from '@jobs-delete/runtime/time/clock';

/** How long the counts of a day are kept. */
export const refusalRetentionDays = 40;

/** How many requests of an account were refused with a code on a day. */
export interface RefusalCount {
  readonly accountId: string;
  /** In UTC, such as `2026-01-31`. */
  readonly day: string;
  /** A `code` of the HTTP problems. */
  readonly code: string;
  /** Without requests to the sandbox. */
  readonly count: number;
  /** Requests to the sandbox. Absent: none. */
  readonly sandboxCount?: number;
}

export interface RefusalCounts {
  /** Adds to the stored counts. A count for an account that does not exist is ignored. */
  addRefusals(counts: readonly RefusalCount[]): Promise<void>;
  /** From this day on, ordered by day, then code. */
  listRefusals(accountId: string, fromDay: string): Promise<readonly RefusalCount[]>;
  /** Removes the counts of earlier days. */
  expireRefusals(beforeDay: string): Promise<void>;
}

/** How many requests of each account are kept: the newest. */
export const maxRefusedRequests = 1_000;
export const refusedRequestRetentionDays = 7;

/** A request that the gateway has refused, for the people of its account. Has no secret. */
export interface RefusedRequest {
  /** The Request-Id. */
  readonly id: string;
  readonly accountId: string;
  readonly atMs: number;
  readonly environment: Environment;
  readonly status: number;
  /** A `code` of the HTTP problems. */
  readonly code: string;
  /** The public part of the token. */
  readonly tokenId: string;
  /** The start of the Origin header. */
  readonly origin?: string;
  /** The start of the User-Agent header. */
  readonly client?: string;
  /** Job ids of the request. Absent if they were not read. */
  readonly jobs?: number;
  /** Wrong entries that the refusal named. */
  readonly wrongEntries?: number;
  /** The first of them: the start of a job id, or the name of a header or parameter, or a JSON pointer. */
  readonly wrongEntry?: string;
}

interface RefusedRequestsQuery {
  readonly accountId: string;
  readonly fromMs: number;
  readonly pageSize: number;
  readonly code?: string | undefined;
  readonly tokenId?: string | undefined;
  readonly environment?: RefusedRequest['environment'] | undefined;
  /** The last request of the previous page. */
  readonly after?: Pick<RefusedRequest, 'atMs' | 'id'> | undefined;
}

export interface RefusedRequests {
  /**
   * Then removes all but the newest `maxRefusedRequests` of each of their accounts. Ignores a request whose id exists, and
   * one of an account that does not exist.
   */
  addRefusedRequests(requests: readonly RefusedRequest[]): Promise<void>;
  /** Newest first, then by id in reverse. Empty for an unknown account too. */
  listRefusedRequests(query: RefusedRequestsQuery): Promise<readonly RefusedRequest[]>;
  /** Removes earlier requests, in a write of bounded size. Resolves to whether there may be more. */
  expireRefusedRequests(beforeMs: number): Promise<boolean>;
}

type Stores = Pick<RefusalCounts, 'addRefusals' | 'expireRefusals'> &
  Pick<RefusedRequests, 'addRefusedRequests' | 'expireRefusedRequests'>;

export interface RefusalRecorderOptions {
  readonly accounts: Stores;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly onError: (error: unknown) => void;
  /** Called with the number of refusals that are not counted, because too many pairs are in memory. */
  readonly onDropped: (refusals: number) => void;
  /** Called with the number of refused requests that are not stored, because their account has newer ones, or too many accounts have some. */
  readonly onUnlisted: (requests: number) => void;
}

export interface RefusalRecorder {
  /**
   * Returns at once and never throws. Only for existing accounts and for a fixed set of codes. A fault of the service, with a
   * status of 500 or more, is only counted.
   */
  record(refused: Omit<RefusedRequest, 'atMs'>): void;
  /** Resolves after the last flush, or after 2 s. */
  stop(): Promise<void>;
}

const flushEveryMs = 10_000;
const maxStopMs = 2_000;
/** Pairs of account and code, of one day. */
const maxPairs = 10_000;
const maxCountsPerWrite = 1_000;
const dayMs = 86_400_000;

/**
 * Counts the refused requests of each account in memory, and adds them to the stored counts every 10 s, with the newest
 * requests themselves. A failed flush keeps both for the next one. If its outcome is unknown, it may count refusals twice,
 * and stores no request twice. A process that dies loses at most 10 s. Removes what is too old once a day.
 */
export function startRefusalRecorder({
  accounts,
  clock,
  onError,
  onDropped,
  onUnlisted,
}: RefusalRecorderOptions): RefusalRecorder {
  const { add, takeAll } = createPendingCounts(onDropped);
  const requests = createPendingRequests(onUnlisted);
  const stopping = new AbortController();
  let expiredOn: string | undefined;

  const flushCounts = async () => {
    const taken = takeAll();
    try {
      while (taken.length > 0) {
        await accounts.addRefusals(taken.slice(0, maxCountsPerWrite));
        taken.splice(0, maxCountsPerWrite);
      }
    } catch (error) {
      taken.forEach(add);
      onError(error);
    }
  };

  const flush = async () => {
    await flushCounts();
    await requests.flush(accounts.addRefusedRequests).catch(onError);
  };

  const expire = async () => {
    const nowMs = clock.now();
    const today = dayOf(nowMs);
    if (expiredOn === today) return;
    try {
      await accounts.expireRefusals(dayOf(nowMs - refusalRetentionDays * dayMs));
      const beforeMs = nowMs - refusedRequestRetentionDays * dayMs;
      while (await accounts.expireRefusedRequests(beforeMs));
      expiredOn = today;
    } catch (error) {
      onError(error);
    }
  };

  const run = async () => {
    while (!stopping.signal.aborted) {
      await clock.sleep(flushEveryMs, stopping.signal);
      await flush();
      await expire();
    }
  };
  const running = run();

  return {
    record: (refused) => {
      const { accountId, code, status, environment } = refused;
      const atMs = clock.now();
      const counted = environment === 'live' ? { count: 1 } : { count: 0, sandboxCount: 1 };
      add({ accountId, day: dayOf(atMs), code, ...counted });
      if (status < 500) requests.add({ ...refused, atMs });
    },
    stop: async () => {
      stopping.abort();
      const finish = async () => {
        await running;
        await flush();
      };
      // A database that is away must not delay the stop of the process.
      await withTimeLimit(finish(), maxStopMs, () => undefined, clock);
    },
  };
}

function createPendingCounts(onDropped: RefusalRecorderOptions['onDropped']) {
  const pending = new Map<string, RefusalCount>();
  return {
    add: ({ accountId, day, code, count, sandboxCount = 0 }: RefusalCount) => {
      const key = `${day} ${code} ${accountId}`;
      const known = pending.get(key);
      const ofSandbox = sandboxCount + (known?.sandboxCount ?? 0);
      if (known === undefined && pending.size >= maxPairs) onDropped(count + sandboxCount);
      else
        pending.set(key, {
          accountId,
          day,
          code,
          count: count + (known?.count ?? 0),
          ...(ofSandbox > 0 && { sandboxCount: ofSandbox }),
        });
    },
    takeAll: () => {
      const taken = [...pending.values()];
      pending.clear();
      return taken;
    },
  };
}

/** Returns the UTC day, such as `2026-01-31`. */
function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** Accounts in memory, and in one write the accounts whose oldest requests it looks for. */
const maxAccounts = 500;
const accountsPerWrite = 50;
/** The newest requests of each account between two writes. */
const perAccount = 20;

/**
 * Holds requests until they are stored. No account takes the memory or the writes of another one: each has the same small
 * number, and its newer requests replace its older ones.
 */
function createPendingRequests(onDropped: (requests: number) => void) {
  let pending = new Map<string, RefusedRequest[]>();
  const add = (request: RefusedRequest) => {
    const requests = pending.get(request.accountId) ?? [];
    if (requests.length === 0 && pending.size >= maxAccounts) {
      onDropped(1);
      return;
    }
    requests.push(request);
    pending.set(request.accountId, requests);
    if (requests.length > perAccount) {
      requests.shift();
      onDropped(1);
    }
  };
  const takeAll = () => {
    const taken = [...pending.values()];
    pending = new Map();
    return taken;
  };
  return {
    add,
    /** Stores all. After a failure, keeps what is not stored, as older than what was added meanwhile. */
    flush: async (store: RefusedRequests['addRefusedRequests']) => {
      const taken = takeAll();
      try {
        while (taken.length > 0) {
          await store(taken.slice(0, accountsPerWrite).flat());
          taken.splice(0, accountsPerWrite);
        }
      } catch (error) {
        [...taken, ...takeAll()].flat().forEach(add);
        throw error;
      }
    },
  };
}
