import type { AccountLimits } from '../limits/open-account-limits.ts';
import type { Admission, LoadShedder } from '../limits/load-shedder.ts';
import { isRefusal, methodNotAllowed, overloaded, type Refusal } from './answer/refusal.ts';
import type { Exchange } from './exchange.ts';
import { authenticateCaller, type AuthenticateOptions } from './request/authenticate-caller.ts';
import type { Caller } from './request/check-credentials.ts';
import { consumeQuota } from './request/consume-quota.ts';
import { readHeaders, type RequestHeaders } from './request/read-headers.ts';

export interface CheckedCallOptions extends AuthenticateOptions {
  /** Undefined when accounts have no limits. */
  readonly accountLimits?: AccountLimits | undefined;
  readonly loadShedder: LoadShedder;
}

export interface CheckedCall {
  readonly caller: Caller;
  readonly headers: RequestHeaders;
  readonly admission: Admission;
}

/**
 * Runs the checks that all requests without a body have in common, in the order of the contract, then the call itself. The
 * first refusal ends it.
 * @param methods as in the header `Allow`
 */
export async function checkedCall<Result>(
  exchange: Exchange,
  options: CheckedCallOptions,
  methods: string,
  call: (checked: CheckedCall) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  const { request, response, facts } = exchange;
  if (!methods.split(', ').includes(request.method)) return methodNotAllowed(request.method, methods);
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

    return await call({ caller, headers, admission });
  } finally {
    admission.leave();
  }
}
