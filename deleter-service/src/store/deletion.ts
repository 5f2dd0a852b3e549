/**
 * A deletion is one record that serves as outbox row, claim on its jobs, audit record, idempotency record and
 * receipt. Its life:
 *
 *     (accepted by one insert) ──► accepted ──relay──► published ──removal worker──► completed ──► (expired)
 *                                     ▲                    │
 *                                     └── due again ───────┘
 *
 * - `accepted`: durable, perhaps not on the event log yet.
 * - `published`: its events are on the log, and its jobs were not gone a few seconds later. Most are completed before
 *   that is recorded.
 * - `completed`: every one of its jobs is gone, or kept because it changed after acceptance. Nothing leads away from here.
 *
 * Until it is completed, `dueAtMs` says from when on any relay may publish it (again). While a relay is at work
 * on it, that is the end of its lease; after publishing, it is when the removal counts as overdue. One field
 * thus drives the outbox sweep and the reconciler alike, and a process that dies leaves nothing to clean up.
 */
export interface Deletion {
  readonly id: string;
  readonly accountId: string;
  /** In the order of the request. */
  readonly jobIds: readonly string[];
  /** claims[i] is the posting that jobIds[i] named when it was accepted; never reused for another one. */
  readonly claims: readonly string[];
  readonly state: DeletionState;
  readonly acceptedAtMs: number;
  /** Of the last publication on record, to a few seconds; a deletion that was completed before it has none. */
  readonly publishedAtMs: number | undefined;
  readonly completedAtMs: number | undefined;
  /** On record. */
  readonly publications: number;
  readonly idempotencyKey: string | undefined;
  readonly origin: RequestOrigin;
  /** How many jobs are kept because their version changed after acceptance; missing where none is. */
  readonly keptCount?: number;
}

/** A deletion without its jobs. It takes a few hundred bytes, however many jobs there are. */
export interface DeletionReceipt extends Omit<Deletion, 'jobIds' | 'claims'> {
  readonly jobCount: number;
}

export const deletionStates = ['accepted', 'published', 'completed'] as const;
export type DeletionState = (typeof deletionStates)[number];

/** Who asked: kept for the audit. `language` is also that of every replay of the answer. */
export interface RequestOrigin {
  readonly requestId: string;
  readonly language: string;
  readonly userAgent: string;
  readonly clientTechnology: string;
  readonly webOrigin: string;
  readonly tokenId: string;
  /** What relay and worker continue, by W3C Trace Context; absent where nobody traces. */
  readonly traceparent?: string;
}
