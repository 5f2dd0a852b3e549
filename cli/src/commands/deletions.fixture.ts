import type { Store } from '@jobs-delete/deleter-service/store/store';
import { acceptOne } from '@jobs-delete/deleter-service/testing/deletions';

/** A deletion of these jobs, which acme has. */
export async function acceptDeletion(
  store: Store,
  deletionId: string,
  jobIds: readonly string[],
  acceptedAtMs = Date.parse('2030-01-02T00:00:00Z'),
  idempotencyKey?: string,
  removalAtMs?: number,
): Promise<readonly string[]> {
  const outcome = await acceptOne(store, {
    deletionId,
    accountId: 'acme',
    jobIds,
    dryRun: false,
    idempotencyKey,
    origin: {
      requestId: 'r-1',
      language: 'fr',
      userAgent: 'acme-client/1.0',
      clientTechnology: 'PHP',
      webOrigin: 'https://acme.example',
      tokenId: 't-1',
      caller: 'token:gateway',
    },
    acceptedAtMs,
    dueAtMs: removalAtMs ?? acceptedAtMs,
    removalAtMs,
    deadlineMs: undefined,
  });
  if (outcome.kind !== 'accepted') throw new Error(`not accepted: ${outcome.kind}`);
  return outcome.deletion.claims;
}
