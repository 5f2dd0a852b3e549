import type { DeleteJobsRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsRequest';
import { largeRequestJobs } from '@jobs-delete/proto/ids';
import { Fault } from '@jobs-delete/runtime/fault';
import type { Outcome } from './answer.ts';
import type { Replica } from './replica.ts';

/** A request that waits for its outcome. */
export interface PendingRequest {
  readonly request: DeleteJobsRequest;
  readonly accountId: string;
  readonly isLarge: boolean;
  /** Its share of a replica's load: its jobs, and one. */
  readonly load: number;
  readonly deadlineMs: number;
  readonly attempts: Attempt[];
  /** True once a replica was too busy for it. */
  wasRefused: boolean;
  /** The first Fault after which the request may have been accepted. It stays the answer if no attempt is answered. */
  unknown: Fault | undefined;
  /** A refusal that waits for the other attempts: one of them may still be accepted. */
  refusal: Outcome | undefined;
  /** Undefined once it is settled. */
  onOutcome: ((outcome: Outcome) => void) | undefined;
}

/** One sending of a request to one replica. */
export interface Attempt {
  readonly pending: PendingRequest;
  readonly replica: Replica;
  readonly sentTick: number;
  isOpen: boolean;
  /** If it has failed: the replica's number of answers by then. */
  failedAfter: number | undefined;
}

export function pendingRequest(
  request: DeleteJobsRequest,
  deadlineMs: number,
  onOutcome: (outcome: Outcome) => void,
): PendingRequest {
  const { accountId = '', jobIds = [] } = request;
  return {
    request,
    accountId,
    isLarge: jobIds.length >= largeRequestJobs,
    load: jobIds.length + 1,
    deadlineMs,
    attempts: [],
    wasRefused: false,
    unknown: undefined,
    refusal: undefined,
    onOutcome,
  };
}

export function settle(pending: PendingRequest, outcome: Outcome): void {
  const { onOutcome } = pending;
  pending.onOutcome = undefined;
  onOutcome?.(outcome);
}

/**
 * Returns whether the answer is a refusal whose reason may pass: a cancellation frees a claimed job, and a limit may rise. Such a
 * refusal is final only if no other attempt can still be accepted.
 */
export function mayPass({ request }: PendingRequest, answer: Outcome): boolean {
  if (answer instanceof Fault || request.dryRun === true) return false;
  return answer.kind === 'jobs-not-found' || answer.kind === 'limit-exceeded';
}

export function isOpen({ attempts }: PendingRequest): boolean {
  return attempts.some((attempt) => attempt.isOpen);
}

export function attemptsOf({ pending, replica }: Attempt): Set<Attempt> {
  return pending.isLarge ? replica.large : replica.small;
}

/** A sick replica that has the request may still accept it. @returns the fault, or an unknown outcome */
export function unknownIfOpen(pending: PendingRequest, fault: Fault): Fault {
  if (!isOpen(pending)) return fault;
  return new Fault('unknown-outcome', `an attempt is open; ${fault.message}`, fault);
}

/** Returns whether a replica that is not sick has the request. */
export function isOpenElsewhere({ attempts }: PendingRequest): boolean {
  return attempts.some(({ isOpen, replica }) => isOpen && replica.trouble() === undefined);
}
