import type { FairPermits } from '@jobs-delete/runtime/batching/fair-permits';
import { linkAbort } from '@jobs-delete/runtime/process/link-abort';
import type { DeleterClient } from '../deleter/deleter-client.ts';
import type { DeletionQuery, DeletionStatus } from '../deleter/read-deletion.ts';
import type { LoadShedder } from '../limits/load-shedder.ts';
import type { AccountLimits } from '../limits/open-account-limits.ts';
import { isRefusal, methodNotAllowed, overloaded, type Refusal } from './answer/refusal.ts';
import { deletionIdPattern } from './endpoints.ts';
import type { Exchange } from './exchange.ts';
import { authenticateCaller, type AuthenticateOptions } from './request/authenticate-caller.ts';
import { consumeQuota } from './request/consume-quota.ts';
import { readHeaders } from './request/read-headers.ts';
import { readWaitSeconds } from './request/read-wait-seconds.ts';

export interface ReadDeletionOptions extends AuthenticateOptions {
  /** Undefined when accounts have no limits. */
  readonly accountLimits?: AccountLimits | undefined;
  readonly loadShedder: LoadShedder;
  readonly deleter: DeleterClient;
  /** Held by requests that wait for a deletion to complete, in place of a permit of the load shedder. */
  readonly waitingPermits: FairPermits;
  /** Aborted when the gateway stops. Requests that wait are then answered at once. */
  readonly stopping?: AbortSignal | undefined;
}

const notFound: Refusal = { code: 'deletion_not_found' };

/**
 * Runs the checks of one request in the order of the contract, then reads the deletion. The first refusal ends it.
 * @throws Fault
 */
export async function readDeletionStatus(
  exchange: Exchange,
  options: ReadDeletionOptions,
): Promise<DeletionStatus | Refusal> {
  const { request, response, facts } = exchange;
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return methodNotAllowed(request.method, 'GET, HEAD');
  if (options.loadShedder.isFull()) return overloaded;

  const caller = await authenticateCaller(exchange, options);
  if (isRefusal(caller)) return caller;

  const admission = options.loadShedder.admit(caller.accountId);
  if (admission?.enter() !== true) return overloaded;
  try {
    const consumer = { accountId: caller.accountId, sandbox: false, limits: options.accountLimits };
    const quota = await consumeQuota('requests', 1, consumer, response);
    if (isRefusal(quota)) {
      options.authenticator.recordRefusal(caller.tokenId, caller.secretKeyId);
      return quota;
    }

    const headers = readHeaders(request.headersDistinct);
    if (isRefusal(headers)) return headers;
    facts.clientTechnology = headers.clientTechnology;

    const waitSeconds = readWaitSeconds(request.url);
    if (isRefusal(waitSeconds)) return waitSeconds;

    const deletionId = request.path.slice(request.path.lastIndexOf('/') + 1);
    if (!deletionIdPattern.test(deletionId)) return notFound;
    facts.deletionId = deletionId;
    const query = { accountId: caller.accountId, deletionId, waitMs: waitSeconds * 1_000 };
    if (waitSeconds === 0) return (await options.deleter.readDeletion(query)) ?? notFound;
    admission.leave();
    return (await readWhileWaiting(exchange, options, query)) ?? notFound;
  } finally {
    admission.leave();
  }
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
