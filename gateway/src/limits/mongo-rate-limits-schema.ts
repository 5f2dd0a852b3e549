import type { Mongo } from '@jobs-delete/runtime/mongo/open-mongo';
import { Schema } from 'mongoose';

export const rateLimitsCollection = 'rate_limits';

/** One document for each key and window, in the form of rate-limiter-flexible. */
interface RateLimitDocument {
  key: string;
  points: number;
  expire: Date;
}

export function mongoRateLimitsModels(connection: Mongo) {
  const rateLimits = new Schema<RateLimitDocument>(
    {
      key: { type: String, required: true },
      points: { type: Number, required: true },
      expire: { type: Date, required: true },
    },
    { autoIndex: false, autoCreate: false, versionKey: false, id: false, strict: 'throw' },
  );
  rateLimits.index({ key: 1 }, { unique: true, name: 'key' });
  rateLimits.index({ expire: 1 }, { expireAfterSeconds: 0, name: 'expire' });
  return [
    connection.model('RateLimit', rateLimits, rateLimitsCollection, { overwriteModels: true }),
  ] as const;
}
