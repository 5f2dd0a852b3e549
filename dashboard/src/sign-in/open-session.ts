import { type Person, membershipOf, newId } from '@jobs-delete/accounts/people/people';
import { hashSecret, newSecret } from '@jobs-delete/accounts/people/one-time-secret';
import type { Services } from '../services.ts';
import { accountOf } from '../web/account-path.ts';
import { auditEntry } from '../web/audit-entry.ts';
import { problemPage } from '../web/problem-page.tsx';
import type { Reply, Visit } from '../web/route.ts';

export interface SignIn {
  /** Undefined: the account of the next page, of the browser's session, or the first one that is this person's. */
  readonly accountId?: string;
  readonly to: string;
  /** How the person has proven who they are, for the audit trail. */
  readonly method: 'passkey' | 'OpenID Connect' | 'link';
  /** When they have. Default: now. */
  readonly provenAtMs?: number;
  /** The hash of the sign-in link that the session uses up. */
  readonly linkHash?: Buffer;
}

/**
 * Refuses the use of a link before it is used up: it works again after the limit, or once the account is enabled.
 * Undefined: nothing is against it.
 */
export async function refuseLink(
  { accounts, writes }: Pick<Services, 'accounts' | 'writes'>,
  visit: Visit,
  accountId: string,
  personId: string,
): Promise<Reply | undefined> {
  if (writes.isReached(personId)) return problemPage(visit, 'tooMany');
  const account = await accounts.findAccount(accountId);
  if (account?.disabledAtMs === undefined) return undefined;
  return problemPage(visit, 'disabled');
}

/**
 * Opens a session with a new secret and ends the browser's old one. So nobody who knew the old secret gets into the new
 * session. Only the trail of the session's account records it. After the first write the sign-in has happened and its link
 * is used up, so a failure to end the old session is logged only: that session ends when it expires.
 */
export async function signIn(
  { accounts, writes, log }: Pick<Services, 'accounts' | 'writes' | 'log'>,
  visit: Visit,
  person: Person,
  { accountId: chosen, to, method, provenAtMs = visit.nowMs, linkHash }: SignIn,
): Promise<Reply> {
  const old = visit.signedIn;
  const kept = old?.person.id === person.id ? old.accountId : undefined;
  const next = membershipOf(person, accountOf(to) ?? '')?.accountId;
  const accountId = chosen ?? next ?? kept ?? person.memberships[0]?.accountId ?? '';
  const membership = membershipOf(person, accountId);
  if (membership === undefined) return problemPage(visit, 'forbidden', { code: 'account_missing' });
  if (!writes.allows(person.id)) return problemPage(visit, 'tooMany');
  const secret = newSecret();
  const { nowMs, network, userAgent } = visit;
  const times = { createdAtMs: nowMs, lastSeenAtMs: nowMs, provenAtMs };
  const session = { ...times, hash: hashSecret(secret), id: newId(), personId: person.id, accountId };
  const { email } = membership;
  const entry = auditEntry({ accountId, email, network, nowMs }, 'signed-in', method);
  const added = { ...session, network, userAgent };
  if (linkHash === undefined) await accounts.addSession(added, entry);
  else if (!(await accounts.addLinkedSession(linkHash, added, entry)))
    return problemPage(visit, 'notFound', { code: 'link_unknown' });
  if (old !== undefined)
    await accounts.endSession(old.person.id, old.session.id).catch((error: unknown) => {
      log.error({ err: error }, 'the old session of a browser that signed in was not ended');
    });
  return { kind: 'redirect', to, session: secret };
}
