import { linkAbort } from '@jobs-delete/runtime/process/link-abort';
import type { DeleterClient } from '../deleter/deleter-client.ts';
import type { DeletionStatus } from '../deleter/read-deletion.ts';
import type { WaitingPlaces } from '../limits/waiting-places.ts';
import { isRefusal, methodNotAllowed, overloaded, type Refusal } from './answer/refusal.ts';
import { deletionIdPattern } from './endpoints.ts';
import type { Exchange } from './exchange.ts';
import { authenticateCaller, type AuthenticateOptions } from './request/authenticate-caller.ts';
import { readHeaders } from './request/read-headers.ts';
import { readWaitSeconds } from './request/read-wait-seconds.ts';

export interface ReadDeletionOptions extends AuthenticateOptions {
  readonly deleter: DeleterClient;
  readonly waitingPlaces: WaitingPlaces;
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
  const { request, facts } = exchange;
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return methodNotAllowed(request.method, 'GET, HEAD');

  const caller = await authenticateCaller(exchange, options);
  if (isRefusal(caller)) return caller;

  const headers = readHeaders(request.headersDistinct);
  if (isRefusal(headers)) return headers;
  facts.clientTechnology = headers.clientTechnology;

  const waitSeconds = readWaitSeconds(request.url);
  if (isRefusal(waitSeconds)) return waitSeconds;

  const deletionId = request.path.slice(request.path.lastIndexOf('/') + 1);
  if (!deletionIdPattern.test(deletionId)) return notFound;
  facts.deletionId = deletionId;
  const query = { accountId: caller.accountId, deletionId, waitMs: waitSeconds * 1_000 };
  const status =
    waitSeconds === 0
      ? await options.deleter.readDeletion(query)
      : await whileWaiting(exchange, options, waitSeconds, (signal) =>
          options.deleter.readDeletion({ ...query, signal }),
        );
  return status ?? notFound;
}

/** Keeps a place and the connection while the request waits. Ends the wait when the caller is gone or the gateway stops. */
async function whileWaiting(
  { request: { socket }, response, facts }: Exchange,
  { waitingPlaces, stopping }: ReadDeletionOptions,
  waitSeconds: number,
  read: (signal: AbortSignal) => Promise<DeletionStatus | undefined>,
): Promise<DeletionStatus | Refusal | undefined> {
  if (!waitingPlaces.enter()) return overloaded;
  const startedAtMs = performance.now();
  const idleMs = socket.timeout ?? 0;
  const end = linkAbort(stopping);
  response.once('close', end.abort);
  if (idleMs > 0) socket.setTimeout(idleMs + waitSeconds * 1_000);
  try {
    return await read(end.signal);
  } finally {
    waitingPlaces.leave();
    response.off('close', end.abort);
    end.unlink();
    socket.setTimeout(idleMs);
    facts.waitedMs = performance.now() - startedAtMs;
  }
}
