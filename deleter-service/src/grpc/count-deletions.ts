import type { CountDeletionsRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/CountDeletionsRequest';
import type { CountDeletionsResponse } from '@jobs-delete/proto/generated/jobs/deleter/v1/CountDeletionsResponse';
import { dayLengthMs, type CountByDay } from '../deletion/count-by-day.ts';
import { invalidField } from './grpc-error.ts';

const maxDays = 92;

export async function countDeletions(
  { accountId, fromMs, toMs }: CountDeletionsRequest__Output,
  deadlineMs: number | undefined,
  countByDay: CountByDay,
): Promise<CountDeletionsResponse> {
  if (accountId === '') throw invalidField('account_id', 'is required');
  if (fromMs < 0) throw invalidField('from_ms', 'must not be negative');
  if (toMs <= fromMs) throw invalidField('to_ms', 'must be later than from_ms');
  if (toMs - fromMs > maxDays * dayLengthMs)
    throw invalidField('to_ms', `must be at most ${String(maxDays)} days after from_ms`);
  const days = await countByDay({ accountId, fromMs, toMs }, deadlineMs);
  return {
    days: days.map(({ dayMs, deletions, jobsAccepted, jobsRemoved }) => ({
      dayMs,
      deletions,
      jobsAccepted,
      jobsRemoved,
    })),
  };
}
