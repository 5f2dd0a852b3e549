import type { ServerResponse } from 'node:http';
import type { LimitName } from '../../limits/limit-names.ts';
import type { AccountLimits } from '../../limits/open-account-limits.ts';
import type { RateLimit } from '../../limits/rate-limiter.ts';
import type { Refusal } from '../answer/problem.ts';

export interface Drawer {
  readonly accountId: string;
  readonly sandbox: boolean;
}

/**
 * Counts against a limit that there is, and tells the caller of it, whatever becomes of the request:
 * draft-ietf-httpapi-ratelimit-headers-11.
 * @returns the refusal where nothing is left
 */
export async function consumeFromLimit(
  response: ServerResponse,
  limits: AccountLimits,
  of: keyof AccountLimits,
  amount: number,
  { accountId, sandbox }: Drawer,
): Promise<Refusal | undefined> {
  const limiter = limits[of];
  if (limiter === undefined) return undefined;
  // The sandbox has no effect: it has a quota of its own.
  const { allowed, remaining, resetMs } = await limiter.draw(
    `${sandbox ? 'sandbox' : 'live'}:${accountId}`,
    amount,
  );
  const before = response.getHeader('RateLimit');
  const left = `"${of}";r=${String(remaining)};t=${String(Math.ceil(resetMs / 1_000))}`;
  response.setHeader('RateLimit-Policy', policiesOf(limits));
  response.setHeader('RateLimit', before === undefined ? left : `${String(before)}, ${left}`);
  return allowed ? undefined : tooManyRequests(of, resetMs);
}

/** Its Retry-After is not before the end of the window. */
export function tooManyRequests(limit: LimitName, resetMs: number): Refusal {
  return { code: 'too_many_requests', retryAfterSeconds: Math.max(1, Math.ceil(resetMs / 1_000)), limit };
}

function policiesOf({ requests, jobs }: AccountLimits): string {
  const policies = [requests, jobs].flatMap((limiter) => (limiter ? [policyOf(limiter.limit)] : []));
  return policies.join(', ');
}

/** Requests are the unit unless another is named. */
function policyOf({ name, quota, windowSeconds }: RateLimit): string {
  const unit = name === 'requests' ? '' : `;qu="${name}"`;
  return `"${name}";q=${String(quota)}${unit};w=${String(windowSeconds)}`;
}
