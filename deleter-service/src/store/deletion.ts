/**
 * A deletion is one record that serves as outbox row, claim on its jobs, audit record, idempotency record and
 * receipt. Its states:
 *
 *     (accepted by one insert) ──► accepted ──relay──► published ──removal worker──► completed ──► (expired)
 *               │                   ▲   ▲                  │
 *             delay             lease   └── due again ─────┘
 *               └────► waiting ─────┘
 *                         └──cancel──► cancelled ──relay──► (expired)
 *
 * - `waiting`: its account has a delay, so `dueAtMs` is `removalAtMs`. The lease of a relay ends this state: one atomic
 *   update decides between the removal and a cancellation.
 * - `accepted`: durable, perhaps not on the event log yet.
 * - `published`: its events are on the log, and its jobs still existed a few seconds later. Most deletions are completed
 *   before that and never have this state.
 * - `completed`: each job is removed, or kept because it changed after acceptance. This state is final.
 * - `cancelled`: its jobs are free again, and a relay publishes that. This state is final.
 *
 * Until the deletion is completed, any relay may publish it from `dueAtMs` on. While a relay publishes it, `dueAtMs` is
 * the end of the lease; afterwards, the time at which the removal is overdue. A process that dies leaves nothing to
 * clean up.
 */
export interface Deletion {
  readonly id: string;
  readonly accountId: string;
  /** In the order of the request. */
  readonly jobIds: readonly string[];
  /**
   * claims[i] is the posting of jobIds[i] at acceptance. A claim is never reused for another posting. Empty if the
   * deletion is cancelled.
   */
  readonly claims: readonly string[];
  readonly state: DeletionState;
  readonly acceptedAtMs: number;
  /** Last recorded publication, late by a few seconds; undefined if the deletion was completed first. */
  readonly publishedAtMs: number | undefined;
  readonly completedAtMs: number | undefined;
  /** Number of recorded publications. */
  readonly publications: number;
  readonly idempotencyKey: string | undefined;
  readonly origin: RequestOrigin;
  /** Number of jobs kept because their version changed after acceptance; missing if there are none. */
  readonly keptCount?: number;
  /** When the wait ends, or has ended; missing without a delay. */
  readonly removalAtMs?: number;
  /** Missing unless the state is `cancelled`. */
  readonly cancelledAtMs?: number;
  /** Who has cancelled it. */
  readonly cancelOrigin?: RequestOrigin;
}

/** A deletion without its jobs: a few hundred bytes for any number of jobs. */
export interface DeletionReceipt extends Omit<Deletion, 'jobIds' | 'claims'> {
  readonly jobCount: number;
}

export const deletionStates = ['waiting', 'accepted', 'published', 'completed', 'cancelled'] as const;
export type DeletionState = (typeof deletionStates)[number];

/** A final state: nothing of the deletion is removed any more. */
export function isFinal(state: DeletionState): boolean {
  return state === 'completed' || state === 'cancelled';
}

/** The caller, kept for the audit. A replayed answer uses the same `language`. */
export interface RequestOrigin {
  readonly requestId: string;
  readonly language: string;
  readonly userAgent: string;
  readonly clientTechnology: string;
  readonly webOrigin: string;
  readonly tokenId: string;
  /** The person who asked, as the caller names them. Absent for a program. */
  readonly person?: string;
  /**
   * The service that called the api: `token:NAME` or `certificate:NAME`. The api proves it; a request can't set it. Absent if
   * the api requires no proof.
   */
  readonly caller?: string;
  /** W3C Trace Context that relay and worker continue; absent without tracing. */
  readonly traceparent?: string;
}
