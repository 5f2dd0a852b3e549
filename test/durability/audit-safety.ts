import type { Deletion } from '@jobs-delete/deleter-service/store/deletion';
import type { Aftermath } from './aftermath.ts';
import type { AccountLimit, SafetyLog, SentCancellation } from './careful-client.ts';
import { deletionIdOf, finalAnswer, type SentRequest } from './sent-requests.ts';

type Report = (text: string) => void;

/**
 * Checks that a deletion is cancelled if and only if its caller was told so, and that this was announced. A cancellation
 * without an answer may have happened or not.
 */
export function auditCancellations(
  cancellations: readonly SentCancellation[],
  { deletions, cancelled }: Aftermath,
  report: Report,
): void {
  const answers = new Map(cancellations.map((one) => [one.deletionId, one.attempts.at(-1)?.answer]));
  const announced = new Set(cancelled);
  for (const { id, state, claims } of deletions) {
    const isCancelled = state === 'cancelled';
    const answer = answers.get(id);
    if (isCancelled && !answers.has(id)) report(`deletion ${id} is cancelled, and nobody has asked for that`);
    if (isCancelled && claims.length > 0) report(`deletion ${id} is cancelled and claims jobs`);
    if (isCancelled !== announced.has(id))
      report(`deletion ${id} is ${state}, and its cancellation is ${isCancelled ? 'not ' : ''}announced`);
    if (answer === undefined || answer.status === 503) continue;
    const told = { 200: 'cancelled', 409: 'completed' }[answer.status];
    if (told !== state)
      report(`cancellation of ${id}: answered ${String(answer.status)} ${answer.text}, and it is ${state}`);
  }
}

/** How exactly the end of an allowance is known. */
export interface LimitTolerance {
  /** Jobs reserved under an allowance may be used so long after its end. */
  readonly afterEndMs: number;
  /** A running service may notice an allowance so long after its begin. */
  readonly afterBeginMs: number;
}

/** Checks that no account deletes more than its limit and allowances, and that a refused request did not fit. */
export function auditLimits(
  limits: SafetyLog['limits'],
  tolerance: LimitTolerance,
  requests: readonly SentRequest[],
  { deletions }: Aftermath,
  report: Report,
): void {
  const inOrder = deletions.toSorted((a, b) => a.acceptedAtMs - b.acceptedAtMs);
  const answeredAt = answerTimes(requests);
  for (const [accountId, limit] of limits) {
    let used = 0;
    for (const { id, jobIds, acceptedAtMs } of inOrder.filter(isOf(accountId))) {
      used += jobIds.length;
      const decidedByMs = answeredAt.get(id) ?? acceptedAtMs + unansweredMs;
      const most = mostBetween(limit, acceptedAtMs, decidedByMs, tolerance);
      if (used > most)
        report(
          `deletion ${id} is the ${String(used)}th job of ${accountId}, which may delete ${String(most)}`,
        );
    }
  }
  for (const request of requests) {
    const [answer, last] = [finalAnswer(request), request.attempts.at(-1)];
    if (answer?.status !== 403 || last === undefined) continue;
    const { accountId } = request.account;
    const limit = limits.get(accountId);
    const used = inOrder
      .filter(isOf(accountId))
      .reduce(
        (sum, { jobIds, acceptedAtMs }) => sum + (acceptedAtMs <= last.answeredAtMs ? jobIds.length : 0),
        0,
      );
    const fits =
      limit === undefined ||
      used + request.jobIds.length <= leastBetween(limit, last.sentAtMs, last.answeredAtMs, tolerance);
    const isOfGuard = (answer.json as { code?: string } | undefined)?.code === 'deletion_limit_exceeded';
    if (fits || !isOfGuard)
      report(`${String(request.jobIds.length)} jobs of ${accountId} after ${String(used)}: ${answer.text}`);
  }
}

function isOf(accountId: string) {
  return (deletion: Deletion) => deletion.accountId === accountId;
}

/** The longest deadline of a request: without an answer, it was accepted before. */
const unansweredMs = 30_000;

/** When the first answer of each deletion came. A request may wait for free jobs since its `acceptedAtMs`. */
function answerTimes(requests: readonly SentRequest[]): ReadonlyMap<string, number> {
  const attempts = requests.flatMap((request) => request.attempts);
  const times = new Map<string, number>();
  for (const { answer, answeredAtMs } of attempts) {
    const id = answer?.status === 200 ? deletionIdOf(answer) : undefined;
    if (id !== undefined) times.set(id, Math.min(answeredAtMs, times.get(id) ?? Infinity));
  }
  return times;
}

function mostBetween(
  { jobs, allowances, liftedAtMs }: AccountLimit,
  fromMs: number,
  toMs: number,
  { afterEndMs }: LimitTolerance,
) {
  if (toMs >= liftedAtMs) return Infinity;
  const lasting = allowances.filter((one) => one.fromMs <= toMs && fromMs < one.untilMs + afterEndMs);
  return lasting.reduce((sum, allowance) => sum + allowance.jobs, jobs);
}

function leastBetween(
  { jobs, allowances }: AccountLimit,
  fromMs: number,
  toMs: number,
  { afterBeginMs }: LimitTolerance,
) {
  const lasting = allowances.filter((one) => one.fromMs + afterBeginMs < fromMs && toMs < one.untilMs);
  return lasting.reduce((sum, allowance) => sum + allowance.jobs, jobs);
}
