import type { Session } from '@jobs-delete/accounts/people/sessions';

/** A session ends after 12 hours without a request. */
export const idleMs = 12 * 3_600_000;
/** A session ends 30 days after the sign-in, however often it is used. */
const lifeMs = 30 * 24 * 3_600_000;

export function isAlive(
  { createdAtMs, lastSeenAtMs }: Pick<Session, 'createdAtMs' | 'lastSeenAtMs'>,
  nowMs: number,
): boolean {
  return nowMs - lastSeenAtMs < idleMs && nowMs - createdAtMs < lifeMs;
}
