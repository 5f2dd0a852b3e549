import { isDeletionId, isJobId } from '@jobs-delete/proto/ids';
import type { DeletionAcceptor } from '../store/group-commit.ts';
import type { AcceptOutcome } from '../store/store.ts';
import type { Clock, Random } from '@jobs-delete/runtime/time/clock';
import type { Deletion, RequestOrigin } from '../store/deletion.ts';
import type { ReadRules } from './read-rules.ts';
import type { Relay } from './relay-outbox.ts';

export interface DeletionRequest {
  /** Drawn by the caller; undefined: drawn here. A repetition with the same id gets the first one's outcome. */
  readonly deletionId?: string | undefined;
  readonly accountId: string;
  readonly jobIds: readonly string[];
  /** Checks everything and changes nothing. Idempotency keys are ignored. */
  readonly dryRun: boolean;
  readonly idempotencyKey: string | undefined;
  readonly origin: RequestOrigin;
  readonly deadlineMs: number | undefined;
}

export type DeletionAnswer =
  | { readonly kind: 'accepted'; readonly deletion: Deletion; readonly replayed: boolean }
  | { readonly kind: 'invalid'; readonly violations: readonly Violation[] }
  | Exclude<AcceptOutcome, { readonly kind: 'accepted' | 'replayed' }>;

export interface Violation {
  /** Path to the field, such as `job_ids[3]`. */
  readonly field: string;
  readonly description: string;
}

export interface AcceptOptions {
  readonly store: DeletionAcceptor;
  /** The relay of the same process, if any. It publishes accepted deletions at once. */
  readonly relay: Pick<Relay, 'reserve'> | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly maxJobsPerRequest: number;
  readonly readRules: ReadRules;
}

export type AcceptDeletion = (request: DeletionRequest) => Promise<DeletionAnswer>;

/** Accepts a deletion, all or nothing. An `accepted` deletion is durable, and its jobs will be removed. */
export function createAcceptDeletion(options: AcceptOptions): AcceptDeletion {
  const { store, relay, clock, random } = options;

  return async (request) => {
    const violations = findViolations(request, options.maxJobsPerRequest);
    if (violations.length > 0) return { kind: 'invalid', violations };

    const { accountId, jobIds, dryRun, idempotencyKey, origin, deadlineMs } = request;
    // A person was shown the delay before they confirmed.
    const age = origin.person === undefined ? 'recent' : 'now';
    const { removalDelayMs, limit, allowances } = await options.readRules(accountId, age);
    const acceptedAtMs = clock.now();
    const removalAtMs = removalDelayMs === 0 ? undefined : acceptedAtMs + removalDelayMs;
    const isRelayed = !dryRun && removalAtMs === undefined;
    const reservation = isRelayed ? relay?.reserve(acceptedAtMs, accountId, jobIds.length) : undefined;
    let accepted: Deletion | undefined;
    let outcome: AcceptOutcome;
    try {
      outcome = await store.acceptDeletion({
        deletionId: request.deletionId ?? random.uuid(),
        accountId,
        jobIds,
        dryRun,
        idempotencyKey,
        origin,
        acceptedAtMs,
        dueAtMs: removalAtMs ?? reservation?.dueAtMs ?? acceptedAtMs,
        removalAtMs,
        deadlineMs,
        ...(limit !== undefined && { guard: { limit, allowances } }),
      });
      // Queues only a new deletion without a delay. A repetition is queued already, or is published when its lease ends.
      if (outcome.kind === 'accepted' && outcome.isRepeated !== true && outcome.deletion.state === 'accepted')
        accepted = outcome.deletion;
    } finally {
      reservation?.end(accepted);
    }
    if (outcome.kind !== 'accepted' && outcome.kind !== 'replayed') return outcome;
    return { kind: 'accepted', deletion: outcome.deletion, replayed: outcome.kind === 'replayed' };
  };
}

/** The error is sent in a trailer. Many clients accept at most 8 KiB of trailers. */
const maxViolations = 50;

function findViolations(request: DeletionRequest, maxJobs: number): Violation[] {
  const { deletionId, accountId, jobIds, idempotencyKey } = request;
  const violations: Violation[] = [];
  if (accountId === '') violations.push({ field: 'account_id', description: 'is required' });
  if (deletionId !== undefined && !isDeletionId(deletionId))
    violations.push({ field: 'deletion_id', description: 'must be a UUID in lower case' });
  if (idempotencyKey !== undefined && !/^[\x20-\x7e]{1,255}$/.test(idempotencyKey)) {
    violations.push({ field: 'idempotency_key', description: 'must be 1 to 255 printable ASCII characters' });
  }
  if (jobIds.length === 0 || jobIds.length > maxJobs) {
    violations.push({ field: 'job_ids', description: `must hold 1 to ${String(maxJobs)} ids` });
    return violations;
  }
  const seen = new Set<string>();
  for (const [index, id] of jobIds.entries()) {
    if (violations.length === maxViolations) break;
    const field = `job_ids[${String(index)}]`;
    if (!isJobId(id)) violations.push({ field, description: 'must be 4 to 128 characters of [A-Za-z0-9]' });
    else if (seen.has(id)) violations.push({ field, description: 'repeats an id of the request' });
    seen.add(id);
  }
  return violations;
}
