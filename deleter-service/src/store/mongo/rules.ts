import { isDuplicateKey, mongoRead, mongoWrite } from '@jobs-delete/runtime/mongo/open-mongo';
import type { ProcessClock } from '@jobs-delete/runtime/time/clock';
import type { mongo } from 'mongoose';
import {
  maxAllowances,
  noRules,
  type Allowance,
  type DeletionLimit,
  type RuleStore,
  type SafetyRules,
} from '../safety-rules.ts';
import { byId, type Collections } from './collections.ts';
import { endUse } from './usage.ts';

/** One for each account that has rules. A missing field has its value of `noRules`. */
export interface RuleDocument {
  /** The account. */
  _id: string;
  removal_delay_ms?: number;
  limit?: DeletionLimit;
  allowances?: { id: string; jobs: number; until: Date }[];
}

export function ruleStoreOf(collections: Collections, clock: Pick<ProcessClock, 'sleep'>): RuleStore {
  const { safetyRules } = collections;
  const write = async (accountId: string, update: RuleUpdate): Promise<SafetyRules> => {
    const options = { upsert: true, returnDocument: 'after' } as const;
    for (let attempt = 1; ; attempt++) {
      try {
        const document = await safetyRules.findOneAndUpdate({ _id: accountId }, update, options);
        return document === null ? noRules : readRules(document);
      } catch (error) {
        // Another process inserted the document first.
        if (!isDuplicateKey(error) || attempt === maxAttempts) throw error;
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
    setRules: (accountId, change) => mongoWrite(() => write(accountId, changing(change)), writeTimeoutMs),
    addAllowance: (accountId, allowance, nowMs) =>
      mongoWrite(() => write(accountId, adding(allowance, nowMs)), writeTimeoutMs),
    endAllowance: async (accountId, id) => {
      const rules = await mongoWrite(() => write(accountId, ending(id)), writeTimeoutMs);
      if (rules.allowances.some((one) => one.id === id)) await endUse(accountId, id, collections, clock);
      return rules;
    },
  };
}

/** Requests wait for this read. */
const findTimeoutMs = 2_000;
const writeTimeoutMs = 10_000;
const maxAttempts = 3;

type RuleUpdate = mongo.UpdateFilter<RuleDocument> | mongo.Document[];

function changing(change: Partial<SafetyRules>): RuleUpdate {
  const { removalDelayMs, limit } = change;
  const removesLimit = 'limit' in change && limit === undefined;
  return {
    $set: {
      ...(removalDelayMs !== undefined && { removal_delay_ms: removalDelayMs }),
      ...(limit !== undefined && { limit }),
    },
    ...(removesLimit && { $unset: { limit: true } }),
  };
}

/** One atomic update: two allowances at the same time are both added. */
function adding({ id, jobs, untilMs }: Allowance, nowMs: number): RuleUpdate {
  const isCurrent = { $gt: ['$$one.until', new Date(nowMs)] };
  const all = { $ifNull: ['$allowances', []] };
  const added = [{ id: { $literal: id }, jobs, until: new Date(untilMs) }];
  const isAdded = {
    $and: [
      { $lt: [{ $size: '$allowances' }, maxAllowances] },
      { $not: [{ $in: [{ $literal: id }, '$allowances.id'] }] },
    ],
  };
  return [
    { $set: { allowances: { $filter: { input: all, as: 'one', cond: isCurrent } } } },
    { $set: { allowances: { $concatArrays: ['$allowances', { $cond: [isAdded, added, []] }] } } },
  ];
}

function ending(id: string): RuleUpdate {
  const isEnded = { $eq: ['$$this.id', { $literal: id }] };
  const ended = { $cond: [isEnded, { $mergeObjects: ['$$this', { jobs: 0 }] }, '$$this'] };
  return [{ $set: { allowances: { $map: { input: { $ifNull: ['$allowances', []] }, in: ended } } } }];
}

function readRules({ removal_delay_ms, limit, allowances = [] }: RuleDocument): SafetyRules {
  return {
    removalDelayMs: removal_delay_ms ?? noRules.removalDelayMs,
    limit,
    allowances: allowances.map(({ id, jobs, until }) => ({ id, jobs, untilMs: until.getTime() })),
  };
}
