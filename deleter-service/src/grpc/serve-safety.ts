import { status } from '@grpc/grpc-js';
import type { AllowDeletionsRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/AllowDeletionsRequest';
import type { ChangeSafetyRulesRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/ChangeSafetyRulesRequest';
import type { DeletionLimit__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeletionLimit';
import type { GetSafetyRulesRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/GetSafetyRulesRequest';
import type { SafetyRules as SafetyRulesMessage } from '@jobs-delete/proto/generated/jobs/deleter/v1/SafetyRules';
import type { Clock } from '@jobs-delete/runtime/time/clock';
import {
  type DeletionUsage,
  type UsageStore,
  maxAllowanceMs,
  maxAllowances,
  maxLimitedJobs,
  maxRemovalDelayMs,
  noRules,
  type DeletionLimit,
  type RuleStore,
  type SafetyRules,
} from '../store/safety-rules.ts';
import { GrpcError, invalidField, requireText } from './grpc-error.ts';

export interface SafetyOptions {
  readonly store: RuleStore & UsageStore;
  readonly clock: Pick<Clock, 'now'>;
}

/** Returns the methods that read and change an account's safety rules. Each answers with all rules as they are then. */
export function createSafetyMethods({ store, clock }: SafetyOptions) {
  const encode = async (accountId: string, rules: SafetyRules): Promise<SafetyRulesMessage> => {
    const { removalDelayMs, limit, allowances } = rules;
    const usage = limit && (await store.readUsage(accountId, { limit, allowances }));
    const nowMs = clock.now();
    return {
      removalDelayMs,
      limit: limit === undefined ? null : encodeLimit(limit),
      allowances: allowances.filter(({ jobs, untilMs }) => jobs > 0 && untilMs > nowMs),
      usage: usage === undefined ? null : encodeUsage(usage),
    };
  };

  return {
    getSafetyRules: async ({ accountId }: GetSafetyRulesRequest__Output) => {
      requireText('account_id', accountId);
      return encode(accountId, (await store.findRules([accountId])).get(accountId) ?? noRules);
    },
    changeSafetyRules: async ({ accountId, removalDelayMs, limit }: ChangeSafetyRulesRequest__Output) => {
      requireText('account_id', accountId);
      const change = {
        ...(removalDelayMs !== undefined && { removalDelayMs: checkDelay(removalDelayMs) }),
        ...(limit !== null && { limit: decodeLimit(limit) }),
      };
      return encode(accountId, await store.setRules(accountId, change));
    },
    allowDeletions: async ({ accountId, allowance, endEarly }: AllowDeletionsRequest__Output) => {
      requireText('account_id', accountId);
      const { id, jobs, untilMs } = allowance ?? { id: '', jobs: 0, untilMs: 0 };
      const nowMs = clock.now();
      if (!/^[\x21-\x7e]{1,64}$/.test(id))
        throw invalidField('allowance.id', 'must be 1 to 64 printable characters');
      if (endEarly) return encode(accountId, await store.endAllowance(accountId, id));
      if (jobs < 1 || jobs > maxLimitedJobs)
        throw invalidField('allowance.jobs', `must be 1 to ${String(maxLimitedJobs)}`);
      if (untilMs <= nowMs || untilMs > nowMs + maxAllowanceMs)
        throw invalidField('allowance.until_ms', 'must be in the next 30 days');
      const rules = await store.addAllowance(accountId, { id, jobs, untilMs }, nowMs);
      if (!rules.allowances.some((one) => one.id === id))
        throw new GrpcError(
          status.FAILED_PRECONDITION,
          `The account has ${String(maxAllowances)} allowances that have not ended.`,
        );
      return encode(accountId, rules);
    },
  };
}

function checkDelay(delayMs: number): number {
  if (delayMs < 0 || delayMs > maxRemovalDelayMs)
    throw invalidField('removal_delay_ms', `must be 0 to ${String(maxRemovalDelayMs)}`);
  return delayMs;
}

function encodeLimit(limit: DeletionLimit) {
  return limit.kind === 'jobs' ? { jobs: limit.jobs } : { percent: limit.percent };
}

function encodeUsage({ used, held, limit }: DeletionUsage) {
  return { used, held, ...(limit !== undefined && { limitJobs: limit }) };
}

/** Returns undefined for a message without a kind, which removes the limit. */
function decodeLimit({ kind, jobs = 0, percent = 0 }: DeletionLimit__Output): DeletionLimit | undefined {
  if (kind === undefined) return undefined;
  if (jobs < 0 || jobs > maxLimitedJobs)
    throw invalidField('limit.jobs', `must be 0 to ${String(maxLimitedJobs)}`);
  if (percent > 100) throw invalidField('limit.percent', 'must be 0 to 100');
  return kind === 'jobs' ? { kind, jobs } : { kind: 'share', percent };
}
