import type { Authenticator } from '@jobs-delete/accounts/authenticator';
import type { AccountLimits } from '../../limits/open-account-limits.ts';
import type { RateLimit } from '../../limits/rate-limiter.ts';
import { type MessageParams, sentence, type SentenceCode } from '../../messages/messages.ts';
import type { LimitName, Refusal } from '../answer/refusal.ts';
import type { ApiPath } from '../endpoints.ts';
import type { Exchange } from '../exchange.ts';
import type { Caller } from './check-credentials.ts';

export interface QuotaConsumer {
  readonly exchange: Exchange;
  /** The sandbox has its own quota: it must not use up the live one. */
  readonly endpoint: ApiPath;
  readonly caller: Caller;
}

export interface QuotaOptions {
  /** Undefined when accounts have no limits. */
  readonly accountLimits?: AccountLimits | undefined;
  readonly authenticator: Authenticator;
}

/**
 * Consumes `points` of the account's quota and adds the RateLimit headers to the response, refused or not
 * (draft-ietf-httpapi-ratelimit-headers-11). Resolves to undefined unless the quota is exceeded.
 */
export async function consumeQuota(
  unit: keyof AccountLimits,
  points: number,
  { exchange: { response }, endpoint, caller }: QuotaConsumer,
  { accountLimits: limits, authenticator }: QuotaOptions,
): Promise<Refusal | undefined> {
  const limiter = limits?.[unit];
  if (limits === undefined || limiter === undefined) return undefined;
  const key = `${endpoint.sandbox ? 'sandbox' : 'live'}:${caller.accountId}`;
  const { allowed, remaining, resetMs } = await limiter.consume(key, points);
  const before = response.getHeader('RateLimit');
  const left = `"${unit}";r=${String(remaining)};t=${String(Math.ceil(resetMs / 1_000))}`;
  response.setHeader('RateLimit-Policy', policiesOf(limits));
  response.setHeader('RateLimit', before === undefined ? left : `${String(before)}, ${left}`);
  if (allowed) return undefined;
  authenticator.recordRefusal(caller.tokenId, caller.secretKeyId);
  const { quota, windowSeconds } = limiter.limit;
  return tooManyRequests(unit, resetMs, { quota, window: windowSeconds });
}

const explanations = {
  requests: 'requests_exceeded',
  jobs: 'job_quota_exceeded',
  failed_authentications: 'failures_exceeded',
} as const satisfies Partial<Record<LimitName, SentenceCode>>;

/** Its Retry-After is never before the end of the window. @param params further values for the detail */
export function tooManyRequests(
  limit: keyof typeof explanations,
  resetMs: number,
  params: MessageParams = {},
): Refusal {
  const seconds = Math.max(1, Math.ceil(resetMs / 1_000));
  const detail = [sentence(explanations[limit], { ...params, seconds })];
  return { code: 'too_many_requests', retryAfterSeconds: seconds, limit, detail };
}

function policiesOf({ requests, jobs }: AccountLimits): string {
  const policies = [requests, jobs].flatMap((limiter) => (limiter ? [policyOf(limiter.limit)] : []));
  return policies.join(', ');
}

/** The default unit of the header is the request. */
function policyOf({ name, quota, windowSeconds }: RateLimit): string {
  const unit = name === 'requests' ? '' : `;qu="${name}"`;
  return `"${name}";q=${String(quota)}${unit};w=${String(windowSeconds)}`;
}
