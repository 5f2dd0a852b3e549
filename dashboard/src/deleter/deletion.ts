import type { Deletion__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import type { DeletionState__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeletionState';
import type { DeletionRefusal } from '@jobs-delete/proto/status-details';

export const deletionStates = ['waiting', 'accepted', 'published', 'completed', 'cancelled'] as const;
/** `waiting`: can be cancelled. `completed`: every job is removed, or kept because it changed. */
export type DeletionState = (typeof deletionStates)[number];

/** True for a deletion that does not change any more. */
export function isFinal({ state }: Pick<Deletion, 'state'>): boolean {
  return state === 'completed' || state === 'cancelled';
}

/** One accepted request of an account. */
export interface Deletion {
  readonly id: string;
  readonly accountId: string;
  readonly state: DeletionState;
  readonly jobCount: number;
  /** Jobs that are kept, because they changed after the deletion was accepted. */
  readonly keptJobCount: number;
  readonly acceptedAtMs: number;
  /** Undefined before the publication, and if the deletion was completed within a few seconds. */
  readonly publishedAtMs: number | undefined;
  readonly completedAtMs: number | undefined;
  /** The end of the delay, if there is one. */
  readonly removalAtMs: number | undefined;
  readonly cancelledAtMs: number | undefined;
  /** Who has cancelled it. Undefined: nobody has, or the api does not say. */
  readonly cancelOrigin?: Actor | undefined;
  readonly origin: DeletionOrigin;
  /** In the order of the request. Undefined unless they were requested. */
  readonly jobIds?: readonly string[];
}

/** Who acted. Unknown values are empty. */
interface Actor {
  readonly tokenId: string;
  /** Who acted in the dashboard; empty for a program. */
  readonly person: string;
}

export interface DeletionOrigin extends Actor {
  readonly requestId: string;
  readonly webOrigin: string;
  readonly userAgent: string;
  readonly clientTechnology: string;
  readonly language: string;
}

/** A deletion that a person asks for. */
export interface DeletionRequest {
  readonly accountId: string;
  /** A repetition with the same id and jobs has the first one's outcome. */
  readonly deletionId: string;
  /** 1 to 10,000 valid and distinct ids. */
  readonly jobIds: readonly string[];
  /** Only asks what would happen. */
  readonly isCheck: boolean;
  readonly origin: Pick<DeletionOrigin, 'person' | 'userAgent' | 'language' | 'requestId'>;
}

export type DeletionOutcome = { readonly kind: 'accepted' } | DeletionRefusal;

export const stateNames = {
  accepted: 'DELETION_STATE_ACCEPTED',
  published: 'DELETION_STATE_PUBLISHED',
  completed: 'DELETION_STATE_COMPLETED',
  waiting: 'DELETION_STATE_WAITING',
  cancelled: 'DELETION_STATE_CANCELLED',
} as const satisfies Record<DeletionState, DeletionState__Output>;

export function readState(name: DeletionState__Output): DeletionState {
  return deletionStates.find((state) => stateNames[state] === name) ?? 'accepted';
}

export function readDeletion(message: Deletion__Output): Deletion {
  const { id, accountId, jobCount, keptJobCount, acceptedAtMs, origin, cancelOrigin } = message;
  return {
    id,
    accountId,
    state: readState(message.state),
    jobCount,
    keptJobCount,
    acceptedAtMs,
    publishedAtMs: message.publishedAtMs || undefined,
    completedAtMs: message.completedAtMs || undefined,
    removalAtMs: message.removalAtMs || undefined,
    cancelledAtMs: message.cancelledAtMs || undefined,
    cancelOrigin: cancelOrigin ?? undefined,
    origin: {
      requestId: origin?.requestId ?? '',
      tokenId: origin?.tokenId ?? '',
      person: origin?.person ?? '',
      webOrigin: origin?.webOrigin ?? '',
      userAgent: origin?.userAgent ?? '',
      clientTechnology: origin?.clientTechnology ?? '',
      language: origin?.language ?? '',
    },
  };
}
