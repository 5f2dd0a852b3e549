import type { DatabaseUrl } from '@jobs-delete/runtime/config/storage-url';
import type { ProtectionConfig } from '../config.ts';
import type { MongoRateLimiterOptions } from './mongo-rate-limiter.ts';
import type { RateLimit, RateLimiter } from './rate-limiter.ts';

/** The limits of every account. Undefined means unlimited. */
export interface AccountLimits {
  readonly requests: RateLimiter | undefined;
  readonly jobs: RateLimiter | undefined;
}

/**
 * Resolves to undefined when there are no limits, and then loads no adapter.
 * @param onFallback called when counting in MongoDB fails, at most once a second
 * @throws StartupError
 */
export async function openAccountLimits(
  database: DatabaseUrl,
  { requests, jobs, windowSeconds, timeoutMs }: ProtectionConfig['rateLimits'],
  onFallback: MongoRateLimiterOptions['onFallback'],
): Promise<(AccountLimits & { close(): Promise<void> }) | undefined> {
  if (requests === 0 && jobs === 0) return undefined;
  const { create, close } =
    database.kind === 'sqlite'
      ? await openMemoryAdapter()
      : await openMongoAdapter(database.url, { onFallback, timeoutMs });
  const limiter = (name: string, quota: number) =>
    quota === 0 ? undefined : create({ name, quota, windowSeconds });
  return { requests: limiter('requests', requests), jobs: limiter('jobs', jobs), close };
}

/** One process serves a data folder, so its memory has the whole count. */
async function openMemoryAdapter() {
  const { createMemoryRateLimiter } = await import('./rate-limiter.ts');
  return { create: createMemoryRateLimiter, close: () => Promise.resolve() };
}

async function openMongoAdapter(url: string, options: MongoRateLimiterOptions) {
  const { openMongo } = await import('@jobs-delete/runtime/mongo/open-mongo');
  const { requireIndexes } = await import('@jobs-delete/runtime/mongo/mongo-indexes');
  const { createMongoRateLimiter, mongoRateLimitsModels } = await import('./mongo-rate-limiter.ts');
  // A burst of counts must not take the connections that read credentials.
  const connection = await openMongo(url, { maxPoolSize: 5 });
  try {
    await requireIndexes(mongoRateLimitsModels(connection));
  } catch (error) {
    await connection.close();
    throw error;
  }
  return {
    create: (limit: RateLimit) => createMongoRateLimiter(connection, limit, options),
    close: () => connection.close(),
  };
}
