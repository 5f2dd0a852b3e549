export interface RateLimit {
  /** Tells the limits of one storage apart, and is the name of the policy that callers are told of. */
  readonly name: string;
  /** Points that a key has in a window. */
  readonly quota: number;
  readonly windowSeconds: number;
}

/** What a key has left once a draw has been counted. */
export interface Quota {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Until the key has its whole quota again. */
  readonly resetMs: number;
}

/**
 * Counts what each key draws, in windows of a fixed length: that of a key begins with its first draw. Every adapter
 * passes rate-limiter.contract.ts.
 *
 * - Of several draws at the same time so many are allowed as fit.
 * - A draw that doesn't fit counts too: what was left of the window is used up by it.
 */
export interface RateLimiter {
  readonly limit: RateLimit;
  /** At least one point. Never rejects. */
  draw(key: string, points: number): Promise<Quota>;
}
