import { randomUUID } from 'node:crypto';
import { ifAvailable } from '../deleter/answer-to.ts';
import type { Services } from '../services.ts';
import type { MemberVisit } from '../web/route.ts';
import type { OverLimit } from './over-limit-page.tsx';

interface Checked {
  readonly found: readonly string[];
  readonly notFound: readonly string[];
  /** Set if the limit does not allow the found jobs. */
  readonly over?: OverLimit;
}

/** Resolves to what a deletion of these ids would do; to undefined while no api answers. */
export async function checkIds(
  services: Pick<Services, 'deleter'>,
  visit: MemberVisit,
  ids: readonly string[],
): Promise<Checked | undefined> {
  const { accountId } = visit;
  const request = { accountId, deletionId: randomUUID(), origin: originOf(visit), isCheck: true };
  const outcome = await ifAvailable(services.deleter.deleteJobs({ ...request, jobIds: ids }));
  if (outcome === undefined) return undefined;
  if (outcome.kind === 'limit-exceeded') return { found: ids, notFound: [], over: outcome };
  if (outcome.kind !== 'jobs-not-found') return { found: ids, notFound: [] };
  const missing = new Set(outcome.positions);
  const found = ids.filter((_, position) => !missing.has(position));
  const notFound = ids.filter((_, position) => missing.has(position));
  if (found.length === 0 || notFound.length === 0) return { found, notFound };
  // The api looks for the jobs before it applies the limit.
  const again = await checkIds(services, visit, found);
  return again && { ...again, notFound: [...notFound, ...again.notFound] };
}

/** Returns what a deletion records of the request. */
export function originOf({ email, userAgent, language }: MemberVisit) {
  return { person: email, userAgent, language, requestId: randomUUID() };
}
