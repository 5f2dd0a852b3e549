import { newId } from '@jobs-delete/accounts/people/new-id';
import { hashSecret, newSecret } from '@jobs-delete/accounts/people/one-time-secret';
import type { Person } from '@jobs-delete/accounts/people/people';
import type { Session } from '@jobs-delete/accounts/people/sessions';
import type { Services } from '../services.ts';
import { addMark, browserMark } from '../web/known-browser.ts';
import type { Reply, Visit } from '../web/route.ts';
import { recordForPerson } from './record-for-person.ts';

export type SessionStart = Pick<Session, 'accountId' | 'stage'>;

/**
 * Opens a session with a new secret and ends the browser's old one. So nobody who knew the old secret gets into the new
 * stage. Resolves to the secret for the cookie.
 */
export async function openSession(
  { accounts }: Pick<Services, 'accounts'>,
  visit: Visit,
  person: Person,
  { accountId, stage }: SessionStart,
): Promise<string> {
  const secret = newSecret();
  const { nowMs, network, userAgent } = visit;
  const times = { createdAtMs: nowMs, lastSeenAtMs: nowMs, provenAtMs: nowMs };
  const hash = hashSecret(secret);
  await accounts.addSession({
    hash,
    id: newId(),
    personId: person.id,
    accountId,
    stage,
    ...times,
    network,
    userAgent,
  });
  const old = visit.signedIn?.session;
  if (old !== undefined) await accounts.endSession(old.personId, old.id);
  return secret;
}

export interface SignIn {
  readonly accountId: string;
  readonly to: string;
  /** How the person has proven who they are, for the audit trail. */
  readonly method:
    'password' | 'password and code' | 'password and recovery code' | 'passkey' | 'OpenID Connect' | 'link';
}

/** Signs the person in, records it, and leads to a page. */
export async function completeSignIn(
  services: Pick<Services, 'accounts' | 'keys'>,
  visit: Visit,
  person: Person,
  { accountId, to, method }: SignIn,
): Promise<Reply> {
  const session = await openSession(services, visit, person, { accountId, stage: 'signed-in' });
  await recordForPerson(services.accounts, visit, person, 'signed-in', method);
  return { kind: 'redirect', to, session, browserMarks: marksWith(services, visit, person) };
}

/** The marks of the browser, and that of a person who has just proven who they are. */
export function marksWith({ keys }: Pick<Services, 'keys'>, visit: Visit, { email }: Person): string {
  return addMark(visit.browserMarks, browserMark(keys.knownBrowsers, visit.browserSecret, email));
}
