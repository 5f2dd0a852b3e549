import type { Authenticator } from '@jobs-delete/accounts/authenticator';
import type { RequestOrigin } from '@jobs-delete/proto/generated/jobs/deleter/v1/RequestOrigin';
import type { Admission, LoadShedder } from '../limits/load-shedder.ts';
import { isRefusal, methodNotAllowed, overloaded, type Refusal } from './answer/refusal.ts';
import type { ApiPath } from './endpoints.ts';
import type { Exchange } from './exchange.ts';
import { authenticateCaller, type AuthenticateOptions } from './request/authenticate-caller.ts';
import { consumeQuota, type QuotaConsumer, type QuotaOptions } from './request/consume-quota.ts';
import { readHeaders, type RequestHeaders } from './request/read-headers.ts';

export interface CheckedCallOptions extends AuthenticateOptions, QuotaOptions {
  readonly loadShedder: LoadShedder;
}

/** A request that has passed the checks before its body and its query. */
export interface CheckedCall extends QuotaConsumer {
  readonly headers: RequestHeaders;
  /** A request with a body enters once the body is complete. Any other one has entered. */
  readonly admission: Admission;
}

/** A call of the API with all its checks. @throws Fault, CallerGone */
export type Call<Options, Result> = (exchange: Exchange, options: Options) => Promise<Result | Refusal>;

/**
 * Returns a call that runs the checks which all calls have in common, in the order of the contract, and then its own steps. The
 * first refusal ends it.
 */
export function checkedCall<Options extends CheckedCallOptions, Result>(
  endpoint: ApiPath,
  steps: (checked: CheckedCall, options: Options) => Promise<Result | Refusal>,
): Call<Options, Result> {
  const { methods, mediaType } = endpoint;
  return async (exchange, given) => {
    const options = endpoint.sandbox ? { ...given, authenticator: forSandbox(given.authenticator) } : given;
    const { request, facts } = exchange;
    if (!methods.includes(request.method)) return methodNotAllowed(request.method, methods);
    if (options.loadShedder.isFull()) return overloaded;

    const caller = await authenticateCaller(exchange, options);
    if (isRefusal(caller)) return caller;
    exchange.onAuthenticated();

    const admission = options.loadShedder.admit(caller.accountId);
    if (admission === undefined) return overloaded;
    try {
      if (mediaType === undefined && !admission.enter()) return overloaded;
      const overQuota = await consumeQuota('requests', 1, { exchange, endpoint, caller }, options);
      if (overQuota !== undefined) return overQuota;

      const headers = readHeaders(request.headersDistinct, mediaType);
      if (isRefusal(headers)) return headers;
      facts.clientTechnology = headers.clientTechnology;

      return await steps({ exchange, endpoint, caller, headers, admission }, options);
    } finally {
      admission.leave();
    }
  };
}

/**
 * Returns an authenticator for the sandbox. It also accepts credentials that are only for the sandbox, and records no refusal: that says nothing
 * about live requests.
 */
function forSandbox(authenticator: Authenticator): Authenticator {
  const options = { environment: 'sandbox' } as const;
  return {
    ...authenticator,
    authenticateToken: (token) => authenticator.authenticateToken(token, options),
    verifySecretKey: (accountId, key) => authenticator.verifySecretKey(accountId, key, options),
    recordRefusal: () => undefined,
  };
}

/** Returns what the deleter records about the caller of a deletion or a cancellation. */
export function originOf({ exchange, caller, headers }: CheckedCall): RequestOrigin {
  const { language, userAgent, clientTechnology } = headers;
  const { tokenId, webOrigin } = caller;
  return { requestId: exchange.requestId, language, userAgent, clientTechnology, webOrigin, tokenId };
}
