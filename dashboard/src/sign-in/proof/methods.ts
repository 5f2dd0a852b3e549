import type { Person } from '@jobs-delete/accounts/people/people';
import type { Services } from '../../services.ts';
import { recentMs, type SessionVisit } from '../../web/route.ts';

/** Returns whether the person can sign in without a link. */
export function hasMethod({ passwordHash, passkeys }: Pick<Person, 'passwordHash' | 'passkeys'>): boolean {
  return passwordHash !== undefined || passkeys.length > 0;
}

/**
 * Returns whether a member may change how they sign in: after a recent proof. Somebody without a password, a passkey and an
 * OpenID provider has nothing to prove it with again, so the session is enough.
 */
export function mayChangeMethods(
  { openId }: Pick<Services, 'openId'>,
  { person, session, nowMs }: Pick<SessionVisit, 'person' | 'session' | 'nowMs'>,
): boolean {
  const canProve = hasMethod(person) || openId !== undefined;
  return !canProve || nowMs - session.provenAtMs < recentMs;
}

/**
 * Returns whether a session of the stage `enrolling` may choose the first method. A person with other accounts may not: an
 * owner could invite the address, keep the link, and get the other accounts with it.
 */
export function mayEnrol(person: Person, accountId: string): boolean {
  return !hasMethod(person) && person.memberships.every((membership) => membership.accountId === accountId);
}
