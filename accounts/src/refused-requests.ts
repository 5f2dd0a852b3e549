/** How many requests of each account are kept: the newest. */
export const maxRefusedRequests = 1_000;
export const refusedRequestRetentionDays = 7;

/** A request that the gateway has refused, for the people of its account. Has no secret. */
export interface RefusedRequest {
  /** The Request-Id. */
  readonly id: string;
  readonly accountId: string;
  readonly atMs: number;
  readonly environment: 'live' | 'sandbox';
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

export interface RefusedRequestsQuery {
  readonly accountId: string;
  readonly fromMs: number;
  readonly pageSize: number;
  readonly code?: string | undefined;
  readonly tokenId?: string | undefined;
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

/** Accounts in memory, and in one write the accounts whose oldest requests it looks for. */
const maxAccounts = 500;
const accountsPerWrite = 50;
/** The newest requests of each account between two writes. */
const perAccount = 20;

/**
 * Holds requests until they are stored. No account takes the memory or the writes of another one: each has the same small
 * number, and its newer requests replace its older ones.
 */
export function createPendingRequests(onDropped: (requests: number) => void) {
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
