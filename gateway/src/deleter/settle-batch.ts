import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@jobs-delete/runtime/fault';
import type { DeleteJobsResult__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsResult';
import {
  answerOf,
  faultOfCall,
  isLost,
  isRefusedStream,
  isUntouched,
  type DeleteJobsAnswer,
} from './answer.ts';
import { rankOf, ranks, type Batch, type Member } from './member.ts';
import { mayRepeat, type QueuedCall } from './queued-call.ts';

const untouchedPauseMs = 5;

/** Settles the calls of an answered batch, and returns those to send again to another member. */
export function settleAnswered(
  member: Member,
  batch: Batch,
  results: readonly DeleteJobsResult__Output[],
  members: readonly Member[],
): QueuedCall[] {
  const answers = batch.calls.map((queued, index) => ({
    queued,
    answer: answerOf(results[index], queued.call.origin.requestId),
  }));
  const isFailed = answers.every(({ answer }) => isUnknownOutcome(answer));
  if (isFailed) member.pace.onFailure();
  else if (batch.isSmall) member.answeredSequence = Math.max(member.answeredSequence, batch.sequence);

  const again: QueuedCall[] = [];
  for (const { queued, answer } of answers) {
    const isLatest = queued.batch === batch;
    if (!(answer instanceof Fault)) {
      // The late answer of an earlier attempt only counts when it is an acceptance.
      if (isLatest || answer.kind === 'accepted') queued.resolve(answer);
    } else if (isLatest) {
      if (isFailed && mayGoElsewhere(queued, member, members)) again.push(queued);
      else queued.reject(answer);
    }
  }
  return again;
}

/** Settles the calls of a batch without an answer, and resolves to those to send again. */
export async function settleFailed(
  member: Member,
  batch: Batch,
  error: unknown,
  members: readonly Member[],
): Promise<QueuedCall[]> {
  const calls = batch.calls.filter((queued) => queued.batch === batch && !queued.isSettled);
  if (isRefusedStream(error) || (isUntouched(error) && hasOtherLink(member, members))) {
    // No server has seen the calls, so this was no attempt.
    for (const queued of calls) queued.attempts -= 1;
    await delay(untouchedPauseMs);
    return calls;
  }
  const again = calls.filter((queued) => isLost(error) && mayGoElsewhere(queued, member, members));
  for (const queued of calls) if (!again.includes(queued)) queued.reject(faultOfCall(error));
  return again;
}

function isUnknownOutcome(answer: DeleteJobsAnswer | Fault): boolean {
  return answer instanceof Fault && answer.code === 'unknown-outcome';
}

function mayGoElsewhere(queued: QueuedCall, member: Member, members: readonly Member[]): boolean {
  return mayRepeat(queued) && members.some((other) => other !== member && rankOf(other) === ranks.well);
}

function hasOtherLink(member: Member, members: readonly Member[]): boolean {
  return members.some((other) => other !== member && rankOf(other) !== ranks.down);
}
