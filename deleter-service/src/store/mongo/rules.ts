import { mongoRead, mongoWrite } from '@jobs-delete/runtime/mongo/open-mongo';
import { mongo } from 'mongoose';
import { noRules, type DeletionLimit, type RuleStore, type SafetyRules } from '../safety-rules.ts';
import { byId, type Collections } from './collections.ts';

/** One for each account that has rules. A missing field has its value of `noRules`. */
export interface RuleDocument {
  /** The account. */
  _id: string;
  removal_delay_ms?: number;
  limit?: DeletionLimit;
  allowances?: { jobs: number; until: Date }[];
}

export function ruleStoreOf({ safetyRules }: Collections): RuleStore {
  const write = async (accountId: string, change: Partial<SafetyRules>): Promise<SafetyRules> => {
    const update = updateOf(change);
    const options = { upsert: true, returnDocument: 'after' } as const;
    for (let attempt = 1; ; attempt++) {
      try {
        const document = await safetyRules.findOneAndUpdate({ _id: accountId }, update, options);
        return document === null ? noRules : readRules(document);
      } catch (error) {
        // Another process inserted the document first.
        const isRace = error instanceof mongo.MongoServerError && error.code === duplicateKey;
        if (!isRace || attempt === maxAttempts) throw error;
      }
    }
  };
  return {
    findRules: (accountIds) =>
      mongoRead(async () => {
        const options = { maxTimeMS: findTimeoutMs, ...byId };
        const found = await safetyRules.find({ _id: { $in: [...accountIds] } }, options).toArray();
        return new Map(found.map((document) => [document._id, readRules(document)]));
      }, findTimeoutMs),
    setRules: (accountId, change) => mongoWrite(() => write(accountId, change), 10_000),
  };
}

/** Requests wait for this read. */
const findTimeoutMs = 2_000;
const duplicateKey = 11_000;
const maxAttempts = 3;

function updateOf(change: Partial<SafetyRules>): mongo.UpdateFilter<RuleDocument> {
  const { removalDelayMs, limit, allowances } = change;
  const removesLimit = 'limit' in change && limit === undefined;
  return {
    $set: {
      ...(removalDelayMs !== undefined && { removal_delay_ms: removalDelayMs }),
      ...(limit !== undefined && { limit }),
      ...(allowances !== undefined && {
        allowances: allowances.map(({ jobs, untilMs }) => ({ jobs, until: new Date(untilMs) })),
      }),
    },
    ...(removesLimit && { $unset: { limit: true } }),
  };
}

function readRules({ removal_delay_ms, limit, allowances = [] }: RuleDocument): SafetyRules {
  return {
    removalDelayMs: removal_delay_ms ?? noRules.removalDelayMs,
    limit,
    allowances: allowances.map(({ jobs, until }) => ({ jobs, untilMs: until.getTime() })),
  };
}
