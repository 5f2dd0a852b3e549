import { isDeletionId } from '@jobs-delete/proto/ids';
import type { FairPermits } from '@jobs-delete/runtime/batching/permits';
import { linkAbort } from '@jobs-delete/runtime/time/clock';
import type { DeleterClient } from '../deleter/deleter-client.ts';
import type { DeletionQuery, DeletionStatus } from '../deleter/repeated-calls.ts';
import { isRefusal, overloaded, type Refusal } from './answer/refusal.ts';
import { originOf, type CheckedCall, type CheckedCallOptions } from './checked-call.ts';
import type { Exchange } from './exchange.ts';
import { readWaitSeconds } from './request/read-query.ts';

export interface ReadDeletionOptions extends CheckedCallOptions {
  readonly deleter: DeleterClient;
  /** Held by requests that wait for a deletion to complete, in place of a permit of the load shedder. */
  readonly waitingPermits: FairPermits;
  /** Aborted when the gateway stops. Requests that wait are then answered at once. */
  readonly stopping?: AbortSignal | undefined;
}

const notFound: Refusal = { code: 'deletion_not_found' };

/** Reads the deletion, or cancels it for the method DELETE. @throws Fault */
export async function serveDeletion(
  checked: CheckedCall,
  options: ReadDeletionOptions,
): Promise<DeletionStatus | Refusal> {
  const { exchange, caller, admission } = checked;
  const { request, facts } = exchange;
  const waitSeconds = readWaitSeconds(request.url);
  if (isRefusal(waitSeconds)) return waitSeconds;

  const deletionId = request.path.slice(request.path.lastIndexOf('/') + 1);
  if (!isDeletionId(deletionId)) return notFound;
  facts.deletionId = deletionId;
  if (request.method === 'DELETE') return cancel(deletionId, checked, options);
  const query = { accountId: caller.accountId, deletionId, waitMs: waitSeconds * 1_000 };
  if (waitSeconds === 0) return (await options.deleter.readDeletion(query)) ?? notFound;
  admission.leave();
  return (await readWhileWaiting(exchange, options, query)) ?? notFound;
}

async function cancel(
  deletionId: string,
  checked: CheckedCall,
  { deleter, authenticator }: ReadDeletionOptions,
): Promise<DeletionStatus | Refusal> {
  const { caller } = checked;
  const origin = originOf(checked);
  const answer = await deleter.cancelDeletion({ accountId: caller.accountId, deletionId, origin });
  if (answer === 'not-cancellable') return { code: 'deletion_not_cancellable' };
  if (answer !== undefined) authenticator.recordUse(caller);
  return answer ?? notFound;
}

/** Holds a waiting permit and the connection. Ends the wait when the caller is gone or the gateway stops. */
async function readWhileWaiting(
  { request: { socket }, response, facts }: Exchange,
  { deleter, waitingPermits, stopping }: ReadDeletionOptions,
  query: DeletionQuery,
): Promise<DeletionStatus | Refusal | undefined> {
  if (!waitingPermits.take(query.accountId)) return overloaded;
  const startedAtMs = performance.now();
  const idleMs = socket.timeout ?? 0;
  const end = linkAbort(stopping);
  response.once('close', end.abort);
  if (idleMs > 0) socket.setTimeout(idleMs + query.waitMs);
  try {
    return await deleter.readDeletion({ ...query, signal: end.signal });
  } finally {
    waitingPermits.give(query.accountId);
    response.off('close', end.abort);
    end.unlink();
    socket.setTimeout(idleMs);
    facts.waitedMs = performance.now() - startedAtMs;
  }
}
