import { Fault } from '@jobs-delete/runtime/fault';
import type { Deletion, RequestOrigin } from '../store/deletion.ts';
import type {
  AcceptOutcome,
  AcceptRequest,
  Answer,
  DeletionKey,
  LeasedKey,
  LeaseQuery,
  RefusedPart,
  RemovalAnswer,
  RemovalPart,
  RemovalStore,
  Store,
} from '../store/store.ts';
import type { ReceiptPage } from '../store/receipt-store.ts';
import { noSuchDeletion } from '../store/removed-parts.ts';

export const acme = 'acme';
export const other = 'other-account';

export const origin: RequestOrigin = {
  requestId: 'request-1',
  language: 'fr',
  userAgent: 'curl/8.0',
  clientTechnology: 'curl',
  webOrigin: 'https://acme.example',
  tokenId: 'token-1',
};

/** `job0000`, `job0001`, … */
export function jobIds(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, index) => `job${String(from + index).padStart(4, '0')}`);
}

export async function importJobs(store: Store, accountId: string, ids: readonly string[]): Promise<void> {
  await store.importJobs(
    accountId,
    ids.map((id) => ({ id, posting: { title: `Title of ${id}` } })),
    1,
  );
}

/** Long enough for a busy machine: the tests check outcomes, not times. */
const patienceMs = 120_000;

let deletions = 0;

/** Returns an id that sorts after all earlier ones. */
const newDeletionId = () => `00000000-0000-4000-8000-${String(++deletions).padStart(12, '0')}`;

export function acceptRequest(ids: readonly string[], more: Partial<AcceptRequest> = {}): AcceptRequest {
  return {
    deletionId: newDeletionId(),
    accountId: acme,
    jobIds: ids,
    dryRun: false,
    idempotencyKey: undefined,
    origin,
    acceptedAtMs: 1_000,
    dueAtMs: 1_000,
    deadlineMs: Date.now() + patienceMs,
    ...more,
  };
}

export function aDeletion(ids: readonly string[], more: Partial<Deletion> = {}): Deletion {
  return {
    id: newDeletionId(),
    accountId: acme,
    jobIds: ids,
    claims: ids.map((_, index) => String(index + 1)),
    state: 'accepted',
    acceptedAtMs: 1_000,
    publishedAtMs: undefined,
    completedAtMs: undefined,
    publications: 0,
    idempotencyKey: undefined,
    origin,
    ...more,
  };
}

export function keyOf({ id, accountId }: Pick<Deletion, 'id' | 'accountId'>): DeletionKey {
  return { deletionId: id, accountId };
}

/** The default is the due time of `acceptRequest`. */
export function leaseOf(deletion: Pick<Deletion, 'id' | 'accountId'>, leasedUntilMs = 1_000): LeasedKey {
  return { ...keyOf(deletion), leasedUntilMs };
}

/** Resolves to the outcome of each request, in their order. Rejects with the first Fault. */
export async function acceptAll(
  store: Pick<Store, 'acceptDeletions'>,
  asked: readonly AcceptRequest[],
): Promise<AcceptOutcome[]> {
  const answers = await answersTo(store, asked);
  return answers.map((answer) => {
    if (answer instanceof Fault) throw answer;
    return answer;
  });
}

/** Resolves to the answer to each request, in their order. Rejects if the call rejects, or answers a request twice. */
export function answersTo(
  store: Pick<Store, 'acceptDeletions'>,
  asked: readonly AcceptRequest[],
): Promise<(AcceptOutcome | Fault)[]> {
  const answers = new Map<number, AcceptOutcome | Fault>();
  return new Promise((resolve, reject) => {
    const end = () => {
      if (answers.size === asked.length) resolve(asked.flatMap((_, index) => answers.get(index) ?? []));
    };
    const answer: Answer = (index, outcome) => {
      if (answers.has(index)) reject(new Error(`request ${index} is answered twice`));
      answers.set(index, outcome);
      end();
    };
    store.acceptDeletions(asked, answer).then(end, reject);
  });
}

export async function acceptOne(
  store: Pick<Store, 'acceptDeletions'>,
  asked: AcceptRequest,
): Promise<AcceptOutcome> {
  const [outcome] = await acceptAll(store, [asked]);
  if (outcome === undefined) throw new Error('the store returned no outcome for the request');
  return outcome;
}

export function attempt(
  store: Pick<Store, 'acceptDeletions'>,
  ids: readonly string[],
  more: Partial<AcceptRequest> = {},
): Promise<AcceptOutcome> {
  return acceptOne(store, acceptRequest(ids, more));
}

/** Accepts a deletion. @throws Error if the store refuses it */
export async function accept(
  store: Pick<Store, 'acceptDeletions'>,
  ids: readonly string[],
  more: Partial<AcceptRequest> = {},
): Promise<Deletion> {
  const outcome = await attempt(store, ids, more);
  if (outcome.kind !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(outcome)}`);
  return outcome.deletion;
}

/** Leases without limits, except those of `more`. */
export function leaseDue(
  store: Pick<Store, 'leaseDue'>,
  nowMs: number,
  untilMs: number,
  more: Partial<LeaseQuery> = {},
): Promise<Deletion[]> {
  const unlimited = { fromMs: 0, maxDeletions: 1_000, maxJobs: Infinity, exceptAccounts: [] };
  return store.leaseDue({ nowMs, untilMs, ...unlimited, ...more });
}

/** Returns every deletion of the account, with its jobs; of all accounts if accountId is undefined. */
export async function allDeletions(store: Store, accountId: string | undefined): Promise<Deletion[]> {
  const deletions: Deletion[] = [];
  let after: ReceiptPage['next'];
  do {
    const page = await store.listDeletions({ accountId, state: undefined, pageSize: 1_000, after });
    for (const { id } of page.deletions) {
      const deletion = await store.findDeletion(id, accountId);
      if (deletion !== undefined) deletions.push(deletion);
    }
    after = page.next;
  } while (after !== undefined);
  return deletions;
}

/** Cuts the deletion into parts of `size` jobs. */
export function partsOf(deletion: Deletion, size = deletion.jobIds.length): RemovalPart[] {
  const parts = Math.ceil(deletion.claims.length / size);
  return Array.from({ length: parts }, (_, part) => ({
    deletionId: deletion.id,
    accountId: deletion.accountId,
    part,
    parts,
    claims: deletion.claims.slice(part * size, (part + 1) * size),
  }));
}

/** Removes the jobs of the parts and records that, like a worker without announcements. */
export async function removeAndRecord(
  store: RemovalStore,
  parts: readonly RemovalPart[],
  atMs: number,
): Promise<RemovalAnswer> {
  const answer = await store.removeJobs(parts);
  await store.recordRemovals(answer.parts, atMs);
  return answer;
}

/** Returns the refusal of a part that fits no deletion of the account. */
export function noSuchPart(index: number): RefusedPart {
  return { index, reason: noSuchDeletion };
}
