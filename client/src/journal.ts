import type { ProblemError, RefusedJob } from './errors.ts';

/**
 * Records the requests of a call, so that a later call can continue after a crash. Invariant: the key of each request is
 * stored before the first attempt, and its outcome after the answer. A request without an outcome may have been accepted:
 * only the same ids with the same key show whether it was. After an attempt without an answer, a refusal that names no job
 * is no outcome: the token, for example, may have been revoked in between.
 */
export interface Journal {
  /** Called first, with where the requests go. A rejection ends the call: the journal may belong to another service. */
  readonly onStart?: (target: JournalTarget) => void | Promise<void>;
  /** Stores the request. It is sent when the promise resolves. A rejection ends the call. */
  readonly onRequest: (request: JournaledRequest) => void | Promise<void>;
  /** Stores the outcome. A rejection ends the call. */
  readonly onOutcome: (request: JournaledRequest, outcome: RequestOutcome) => void | Promise<void>;
  /** Requests of an earlier call without a final outcome. They are sent first. Default: none. */
  readonly unfinished?: AsyncIterable<UnfinishedRequest>;
  /** Tells which ids of the source an earlier call has recorded. They are not sent again. Default: none. */
  readonly isRecorded?: (jobId: string) => boolean;
}

export interface JournalTarget {
  readonly baseUrl: string;
  readonly sandbox: boolean;
}

export interface UnfinishedRequest {
  /** The key of a request that may have been accepted. Undefined: a new key. */
  readonly idempotencyKey?: string;
  readonly jobIds: readonly string[];
  /**
   * Allows to split the request under new keys if the server finds it too large. If it was accepted, the server then refuses
   * the deleted jobs, and deletes those that were posted again under their ids. Default: false.
   */
  readonly maySplit?: boolean;
}

export interface JournaledRequest extends UnfinishedRequest {
  /** The same for every attempt. */
  readonly idempotencyKey: string;
}

/** Only `accepted` deletes jobs. All others refuse the request as a whole and do not use its key up. */
export type RequestOutcome =
  | { readonly kind: 'accepted'; readonly deletionId: string | undefined }
  /** The server refused these jobs. The rest follows in a request with another key. */
  | { readonly kind: 'refused'; readonly jobs: readonly RefusedJob[] }
  /** Two halves follow in requests with other keys. */
  | { readonly kind: 'too-large' }
  /** The refusal ends the call. */
  | { readonly kind: 'failed'; readonly problem: ProblemError };
