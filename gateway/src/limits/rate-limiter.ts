export interface RateLimit {
  /** Separates the limits of one storage, and names the policy in the RateLimit headers. */
  readonly name: string;
  /** Points for each key in a window. */
  readonly quota: number;
  readonly windowSeconds: number;
}

/** The state of a key after a request was counted. */
export interface Quota {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Time until the key has its whole quota again. */
  readonly resetMs: number;
}

/**
 * Counts the points that each key consumes, in windows of a fixed length. A key's window starts with its first points.
 * Every adapter passes rate-limiter.contract.ts.
 *
 * - Of concurrent calls, as many are allowed as the quota permits.
 * - A refused call counts too: it consumes the rest of the quota.
 */
export interface RateLimiter {
  readonly limit: RateLimit;
  /** At least one point. Never rejects. */
  consume(key: string, points: number): Promise<Quota>;
}
