import { acceptInvitation } from '@jobs-delete/accounts/people/accept-invitation';
import { findLink, type Link } from '@jobs-delete/accounts/people/find-link';
import { membershipOf, type Person } from '@jobs-delete/accounts/people/people';
import type { Services } from '../services.ts';
import { auditEntry } from '../web/audit-entry.ts';
import { CsrfField } from '../web/form.tsx';
import type { Reply, Route, Visit } from '../web/route.ts';
import { completeSignIn, openSession } from './open-session.ts';
import { hasMethod, mayEnrol } from './proof/methods.ts';
import { signInTexts } from './sign-in-texts.ts';

type Needed = Pick<Services, 'accounts' | 'keys' | 'now' | 'openId'>;

/**
 * Invitations and sign-in links. GET does not use a link, because mail scanners follow links.
 *
 * The link of an invitation is known to the owner who has created it, so it proves nothing about somebody who can sign in
 * already. Such a person accepts it while signed in.
 */
export function linkRoutes(services: Needed): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/link/:secret',
      access: 'anyone',
      serve: async (visit) => {
        const found = await readLink(services, visit);
        return found === undefined ? unknownLink(visit) : linkPage(visit, found);
      },
    },
    {
      method: 'POST',
      path: '/link/:secret',
      access: 'anyone',
      serve: async (visit) => {
        const found = await readLink(services, visit);
        if (found === undefined) return unknownLink(visit);
        return found.obstacle === undefined ? useLink(services, visit) : linkPage(visit, found);
      },
    },
  ];
}

interface FoundLink extends Link {
  /** Why this browser cannot use the link yet. */
  readonly obstacle: 'sign-in-first' | 'other-accounts' | undefined;
}

async function readLink(
  { accounts, openId }: Needed,
  { params, nowMs, signedIn }: Visit,
): Promise<FoundLink | undefined> {
  const link = await findLink(accounts, params.secret ?? '', nowMs);
  if (link === undefined) return undefined;
  const person = await accounts.findPersonByEmail(link.email);
  const isSignedIn = signedIn?.session.stage === 'signed-in' && signedIn.person.email === link.email;
  const obstacle =
    link.kind === 'sign-in' || isSignedIn ? undefined : obstacleFor(openId, person, link.accountId);
  return { ...link, obstacle };
}

function obstacleFor(
  openId: Services['openId'],
  person: Person | undefined,
  accountId: string,
): FoundLink['obstacle'] {
  // Nobody without an account can sign in.
  if (person === undefined || person.memberships.length === 0) return undefined;
  // A member signs in at the provider. Nothing in the database shows whether the person has done that before.
  if (openId !== undefined) return 'sign-in-first';
  if (mayEnrol(person, accountId)) return undefined;
  return hasMethod(person) ? 'sign-in-first' : 'other-accounts';
}

async function useLink(services: Needed, visit: Visit): Promise<Reply> {
  const { accounts, now, openId } = services;
  const accepted = await acceptInvitation(accounts, visit.params.secret ?? '', now);
  if (accepted === 'link_unknown' || accepted === 'link_used') return unknownLink(visit);
  const { person, accountId, link, isNewMember } = accepted;
  if (isNewMember) {
    const role = membershipOf(person, accountId)?.role;
    await accounts.recordAction(auditEntry({ ...visit, person, accountId }, 'person.joined', role));
  }
  const isFirstVisit = isNewMember || openId === undefined;
  if (link === 'invitation' && isFirstVisit && mayEnrol(person, accountId)) {
    const session = await openSession(services, visit, person, { accountId, stage: 'enrolling' });
    return { kind: 'redirect', to: '/sign-in/next', session };
  }
  const isSignedIn = visit.signedIn?.session.stage === 'signed-in' && visit.signedIn.person.id === person.id;
  // Somebody who comes back to the service has a password or passkey already, and proves it now.
  if (link === 'invitation' && hasMethod(person) && !isSignedIn) return { kind: 'redirect', to: '/sign-in' };
  const to = hasMethod(person) ? '/' : '/profile';
  return completeSignIn(services, visit, person, { accountId, to, method: 'link' });
}

function linkPage(visit: Visit, { kind, accountId, email, role, obstacle }: FoundLink): Reply {
  const texts = signInTexts[visit.language].link;
  const isInvitation = kind === 'invitation';
  const body = (
    <>
      <p>{isInvitation ? texts.invites(accountId, role && texts.roles[role]) : texts.signsIn(accountId)}</p>
      <dl>
        <dt>{signInTexts[visit.language].email}</dt>
        <dd>{email}</dd>
      </dl>
      {obstacle === 'other-accounts' && <p class="warning">{texts.otherAccounts}</p>}
      {obstacle === 'sign-in-first' && (
        <>
          <p class="warning">{texts.signInFirst(email)}</p>
          <a class="button" href={`/sign-in?next=${encodeURIComponent(visit.url)}`}>
            {texts.signIn}
          </a>
        </>
      )}
      {obstacle === undefined && (
        <form method="post">
          <CsrfField visit={visit} />
          <button>{isInvitation ? texts.accept : texts.signIn}</button>
        </form>
      )}
    </>
  );
  const title = isInvitation ? texts.invitation : texts.signIn;
  if (obstacle === undefined || visit.form.size === 0) return { kind: 'page', title, body };
  return { kind: 'page', status: 403, title, body, refusal: { code: 'link_of_other' } };
}

function unknownLink({ language }: Visit): Reply {
  const { title, text } = signInTexts[language].link.unknown;
  return { kind: 'page', status: 404, title, body: <p>{text}</p>, refusal: { code: 'link_unknown' } };
}
