import type { AccountLimits } from '../limits/open-account-limits.ts';
import type { Admission, LoadShedder } from '../limits/load-shedder.ts';
import { isRefusal, methodNotAllowed, overloaded, type Refusal } from './answer/refusal.ts';
import type { Exchange } from './exchange.ts';
import { authenticateCaller, type AuthenticateOptions } from './request/authenticate-caller.ts';
import { consumeQuota } from './request/consume-quota.ts';
import { readHeaders } from './request/read-headers.ts';

export interface CheckedReadOptions extends AuthenticateOptions {
  /** Undefined when accounts have no limits. */
  readonly accountLimits?: AccountLimits | undefined;
  readonly loadShedder: LoadShedder;
}

/**
 * Runs the checks that all reads have in common, in the order of the contract, then the read itself. The first refusal ends
 * it.
 */
export async function checkedRead<Result>(
  exchange: Exchange,
  options: CheckedReadOptions,
  read: (accountId: string, admission: Admission) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
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

    return await read(caller.accountId, admission);
  } finally {
    admission.leave();
  }
}
