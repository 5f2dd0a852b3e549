import { isDeepStrictEqual } from 'node:util';
import { isFinal, type Deletion } from '@jobs-delete/deleter-service/store/deletion';
import { maxJobsPerEvent } from '@jobs-delete/proto/events';
import type { Aftermath, Removal } from './aftermath.ts';
import { auditCancellations, auditLimits, type LimitTolerance } from './audit-safety.ts';
import type { SafetyLog } from './careful-client.ts';
import { deletionIdOf, finalAnswer, type SentRequest } from './sent-requests.ts';

export interface Evidence {
  /** All imported jobs, by account. */
  readonly imported: ReadonlyMap<string, readonly string[]>;
  readonly requests: readonly SentRequest[];
  /** How wrong the clock of an api may have been. Default: not at all. */
  readonly clockErrorMs?: number;
  /** Missing if no account has a limit or a delay. */
  readonly safety?: SafetyLog & { readonly tolerance: LimitTolerance };
}

/** Compares the answers to the clients with the final contents. Returns the contradictions. */
export function audit(evidence: Evidence, aftermath: Aftermath): string[] {
  const violations: string[] = [];
  const report = (text: string) => {
    if (violations.length < 50) violations.push(text);
  };
  const claimed = auditDeletions(evidence, aftermath, report);
  auditJobs(evidence, aftermath, claimed, report);
  auditAnswers(evidence, aftermath, claimed, report);
  auditEvents(aftermath, report);
  auditCancellations(evidence.safety?.cancellations ?? [], aftermath, report);
  if (evidence.safety !== undefined) {
    const { limits, tolerance } = evidence.safety;
    auditLimits(limits, tolerance, evidence.requests, aftermath, report);
  }
  return violations;
}

type Report = (text: string) => void;
/** Deletions by account and job id, cancelled ones included. */
type Claims = ReadonlyMap<string, readonly Deletion[]>;

/** Checks that each deletion matches one whole request and has its final state, and that no posting is in two. */
function auditDeletions({ requests }: Evidence, { deletions }: Aftermath, report: Report): Claims {
  const claimed = new Map<string, Deletion[]>();
  const claims = new Set<string>();
  const wholes = new Map<string, SentRequest[]>();
  for (const request of requests)
    pushTo(wholes, wholeKey(request.account.accountId, request.jobIds), request);

  for (const deletion of deletions) {
    const { id, accountId, jobIds } = deletion;
    if (!isFinal(deletion.state)) report(`deletion ${id} is ${deletion.state}`);
    if (deletion.state === 'completed' && deletion.claims.length !== jobIds.length)
      report(`deletion ${id} has ${String(deletion.claims.length)} claims for ${String(jobIds.length)} jobs`);
    for (const jobId of jobIds) pushTo(claimed, jobKey(accountId, jobId), deletion);
    for (const claim of deletion.claims) {
      if (claims.has(claim)) report(`claim ${claim} is in two deletions`);
      claims.add(claim);
    }
    const asked = (wholes.get(wholeKey(accountId, jobIds)) ?? []).filter(
      (request) => request.key === deletion.idempotencyKey && mayHaveMade(request, id),
    );
    if (asked.length > 0) continue;
    const answers = (wholes.get(wholeKey(accountId, jobIds)) ?? []).map(({ key, attempts }) => {
      const statuses = attempts.map(({ answer }) => answer?.status ?? 'none').join();
      return `${key === undefined ? 'no key' : 'a key'}: ${statuses}`;
    });
    report(
      `deletion ${id} of ${accountId}, ${String(jobIds.length)} jobs, is nobody's request; its ids got: ${answers.join('; ')}`,
    );
  }
  return claimed;
}

/**
 * Returns true when the request got this deletion as its answer, or no answer at all. After a lost attempt, a refusal of the next one
 * says nothing: the lost one may be accepted later, if the reason of the refusal has passed (docs/decisions/repeatable-calls.md).
 */
function mayHaveMade(request: SentRequest, deletionId: string): boolean {
  const answer = finalAnswer(request);
  if (answer === undefined) return true;
  if (answer.status === 200) return deletionIdOf(answer) === deletionId;
  const isRefused = answer.status === 403 || answer.status === 404;
  const earlier = request.attempts.slice(0, -1);
  return isRefused && earlier.some((one) => one.answer === undefined || one.answer.status === 503);
}

/**
 * Checks that each completed deletion has removed one posting of each of its jobs, and that all other jobs are unchanged.
 * Clients don't cancel a deletion if they have posted a job of it again.
 */
function auditJobs(
  { imported, safety }: Evidence,
  { jobs }: Aftermath,
  claimed: Claims,
  report: Report,
): void {
  const reposted = new Map<string, (boolean | undefined)[]>();
  for (const { accountId, jobId, isNew } of safety?.repostings ?? [])
    pushTo(reposted, jobKey(accountId, jobId), isNew);
  const left = new Set<string>();
  for (const { accountId, jobId, claimedBy } of jobs) {
    left.add(jobKey(accountId, jobId));
    if (claimedBy !== null)
      report(`job ${accountId}/${jobId} is left with the claim of ${String(claimedBy)}`);
  }
  for (const [accountId, jobIds] of imported) {
    for (const jobId of jobIds) {
      const key = jobKey(accountId, jobId);
      const again = reposted.get(key) ?? [];
      const removals = (claimed.get(key) ?? []).filter(({ state }) => state === 'completed').length;
      const postings = 1 + again.filter((isNew) => isNew === true).length;
      const expected = postings - removals;
      const isUncertain = again.includes(undefined);
      if (expected < 0 && !isUncertain) report(`job ${key} was accepted ${String(removals)} times`);
      if (expected <= 0 && left.has(key) && !isUncertain)
        report(`job ${key} was accepted and is still there`);
      if (expected > 0 && !left.has(key)) report(`job ${key} is gone, and no deletion contains it`);
      left.delete(key);
    }
  }
  for (const key of left) report(`job ${key} exists but was never imported`);
}

/** Checks that each 200 has its own deletion, a 404 names only unavailable jobs, and no other answers exist. */
function auditAnswers(
  { imported, requests, safety, clockErrorMs = 0 }: Evidence,
  aftermath: Aftermath,
  claimed: Claims,
  report: Report,
): void {
  const deletions = new Map(aftermath.deletions.map((deletion) => [deletion.id, deletion]));
  const owned = new Map([...imported].map(([accountId, jobIds]) => [accountId, new Set(jobIds)]));
  const told = new Set<string>();
  for (const request of requests) {
    const answer = finalAnswer(request);
    const label = `request for ${request.account.accountId}/${request.jobIds[0] ?? ''}…`;
    if (answer?.status === 200) {
      const id = deletionIdOf(answer) ?? 'none';
      const deletion = deletions.get(id);
      if (deletion === undefined) report(`${label}: 200 with the deletion ${id}, which does not exist`);
      else
        for (const fault of faultsOfAcceptance(request, deletion, clockErrorMs)) report(`${label}: ${fault}`);
      if (told.has(id)) report(`${label}: the deletion ${id} was the answer to another request`);
      told.add(id);
    } else if (answer?.status === 404) {
      const own = owned.get(request.account.accountId);
      for (const fault of faultsOfRefusal(request, claimed, own, clockErrorMs)) report(`${label}: ${fault}`);
    } else if (answer !== undefined && !(answer.status === 403 && safety !== undefined)) {
      report(`${label}: answered ${String(answer.status)} ${answer.text}`);
    }
  }
}

function faultsOfAcceptance(request: SentRequest, deletion: Deletion, clockErrorMs: number): string[] {
  const last = request.attempts.at(-1);
  const body = last?.answer?.json as { processed_jobs?: number; results?: { job_id: string }[] } | undefined;
  const told = (body?.results ?? []).map(({ job_id }) => job_id);
  const faults: string[] = [];
  if (told.join() !== request.jobIds.join()) faults.push('the answer names other jobs than the request');
  if (deletion.jobIds.join() !== request.jobIds.join())
    faults.push(`${deletion.id} has other jobs than the request`);
  if (deletion.accountId !== request.account.accountId) faults.push(`${deletion.id} is another account's`);
  const replayed = last?.answer?.headers['idempotent-replayed'] === 'true';
  if (replayed && request.attempts.length === 1) faults.push('the first answer claims to be a replay');
  const firstSentAtMs = request.attempts[0]?.sentAtMs ?? 0;
  const acceptedAtMs = deletion.acceptedAtMs + clockErrorMs;
  if (acceptedAtMs < firstSentAtMs) faults.push(`${deletion.id} is older than the request`);
  if (!replayed && acceptedAtMs < (last?.sentAtMs ?? 0))
    faults.push(`${deletion.id} belongs to an earlier attempt, but the answer is not marked as a replay`);
  return faults;
}

function faultsOfRefusal(
  request: SentRequest,
  claimed: Claims,
  own: ReadonlySet<string> | undefined,
  clockErrorMs: number,
): string[] {
  const last = request.attempts.at(-1);
  const { accountId } = request.account;
  const { errors = [] } = (last?.answer?.json ?? {}) as { errors?: { job_id?: string }[] };
  const faults = errors.length === 0 ? ['404 that names no job'] : [];
  for (const { job_id: jobId = '' } of errors) {
    if (!request.jobIds.includes(jobId)) faults.push(`404 names ${jobId}, which was not requested`);
    const deletions = claimed.get(jobKey(accountId, jobId)) ?? [];
    const answeredAtMs = (last?.answeredAtMs ?? 0) + clockErrorMs;
    const couldBeHad =
      own?.has(jobId) === true && deletions.every(({ acceptedAtMs }) => acceptedAtMs > answeredAtMs);
    if (couldBeHad) faults.push(`404 names ${jobId}, which was available`);
  }
  return faults;
}

/** Checks that each removed part has at least one event, with exactly its jobs, and that no other event exists. */
function auditEvents({ deletions, removals, deadLetters }: Aftermath, report: Report): void {
  if (deadLetters > 0) report(`${String(deadLetters)} dead letters`);
  const expected = new Map(deletions.flatMap(expectedRemovals).map((removal) => [removal.eventId, removal]));
  const announced = new Set<string>();
  for (const removal of removals) {
    const { eventId } = removal;
    announced.add(eventId);
    if (!expected.has(eventId)) report(`event ${eventId} announces no removed part`);
    else if (!isDeepStrictEqual(removal, expected.get(eventId)))
      report(`event ${eventId} differs from the part that was removed`);
  }
  for (const eventId of expected.keys())
    if (!announced.has(eventId)) report(`the removal of part ${eventId} is not announced`);
}

/** Returns the events that announce the removal of a deletion. */
function expectedRemovals({ id, accountId, jobIds, claims, state }: Deletion): Removal[] {
  if (state === 'cancelled') return [];
  const jobs = jobIds.map((jobId, index) => ({ id: jobId, claim: claims[index] ?? '' }));
  const parts = Math.ceil(jobs.length / maxJobsPerEvent);
  return Array.from({ length: parts }, (_, part) => ({
    key: accountId,
    eventId: `${id}.${String(part)}`,
    deletion_id: id,
    account_id: accountId,
    part,
    parts,
    jobs: jobs.slice(part * maxJobsPerEvent, (part + 1) * maxJobsPerEvent),
  }));
}

function jobKey(accountId: string, jobId: string): string {
  return `${accountId}/${jobId}`;
}

function wholeKey(accountId: string, jobIds: readonly string[]): string {
  return `${accountId}/${jobIds.join(',')}`;
}

function pushTo<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
