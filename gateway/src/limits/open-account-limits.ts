import type { DatabaseUrl } from '@jobs-delete/runtime/config/storage-url';
import type { ProtectionConfig } from '../protection-config.ts';
import type { RateLimit, RateLimiter } from './rate-limiter.ts';

/** How much an account may ask for; what is undefined is not limited. */
export interface AccountLimits {
  readonly requests: RateLimiter | undefined;
  readonly jobs: RateLimiter | undefined;
}

export interface OpenAccountLimits extends AccountLimits {
  close(): Promise<void>;
}

export interface AccountLimitsOptions {
  /** Told when counting in MongoDB begins to fail, and each second that it goes on to. */
  readonly onFallback: (error: unknown) => void;
}

/**
 * Where there are limits; what there are none for is not even loaded.
 * @throws StartupError
 */
export async function openAccountLimits(
  database: DatabaseUrl,
  { requests, jobs, windowSeconds }: ProtectionConfig['rateLimits'],
  options: AccountLimitsOptions,
): Promise<OpenAccountLimits | undefined> {
  if (requests === 0 && jobs === 0) return undefined;
  const { create, close } = await openCounters(database, options);
  const limiter = (name: string, quota: number) =>
    quota === 0 ? undefined : create({ name, quota, windowSeconds });
  return { requests: limiter('requests', requests), jobs: limiter('jobs', jobs), close };
}

interface Counters {
  create(limit: RateLimit): RateLimiter;
  close(): Promise<void>;
}

async function openCounters(database: DatabaseUrl, options: AccountLimitsOptions): Promise<Counters> {
  if (database.kind === 'sqlite') {
    // Its data folder is served by one process: what that has in memory is all there is.
    const { createMemoryRateLimiter } = await import('./memory-rate-limiter.ts');
    return { create: createMemoryRateLimiter, close: () => Promise.resolve() };
  }
  const { openMongo } = await import('@jobs-delete/runtime/mongo/open-mongo');
  const { requireIndexes } = await import('@jobs-delete/runtime/mongo/mongo-indexes');
  const { createMongoRateLimiter } = await import('./mongo-rate-limiter.ts');
  const { mongoRateLimitsModels } = await import('./mongo-rate-limits-schema.ts');
  // Of its own: a burst of counts is not to take the connections that credentials are read over.
  const connection = await openMongo(database.url, { maxPoolSize: 5 });
  try {
    await requireIndexes(mongoRateLimitsModels(connection));
  } catch (error) {
    await connection.close();
    throw error;
  }
  return {
    create: (limit) => createMongoRateLimiter(connection, limit, options.onFallback),
    close: () => connection.close(),
  };
}
