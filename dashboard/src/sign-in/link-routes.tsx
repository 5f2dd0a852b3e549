import { operator } from '@jobs-delete/accounts/people/audit-trail';
import { type Invitation, findInvitation } from '@jobs-delete/accounts/people/invitations';
import {
  type Joiner,
  type Joining,
  type Membership,
  membershipOf,
  newId,
} from '@jobs-delete/accounts/people/people';
import { hashSecret, type OneTimeSecret } from '@jobs-delete/accounts/people/one-time-secret';
import { peopleTexts } from '../people/people-texts.ts';
import type { Services } from '../services.ts';
import { accountText } from '../web/account-name.tsx';
import { accountPath, signInPath } from '../web/account-path.ts';
import { Facts } from '../web/facts.tsx';
import { CsrfField, Form } from '../web/form.tsx';
import { layoutTexts } from '../web/layout-texts.ts';
import { withNotice } from '../web/notices.ts';
import { explanationPage } from '../web/problem-page.tsx';
import type { Reply, Route, Visit } from '../web/route.ts';
import { Time } from '../web/time.tsx';
import { NewPasskey, OpenIdSignIn, passkeyPage } from './forms.tsx';
import { refuseLink, signIn, type SignIn } from './open-session.ts';
import { newPersonId, passkeyName, type Passkeys } from './passkeys.ts';
import { signInTexts } from './sign-in-texts.ts';

/**
 * Invitations, and the operator's sign-in links. GET uses no link, because mail scanners follow links.
 *
 * The holder of an invitation's link proves an identity and joins with it: that of the session, a new passkey, or that of the
 * provider. The link alone signs nobody in, and adds no passkey to a person who exists.
 */
export function linkRoutes(services: Services, passkeys: Passkeys): readonly Route[] {
  const { accounts, openId } = services;
  const find = (visit: Visit) => findInvitation(accounts, linkHashOf(visit), visit.nowMs);
  return [
    {
      method: 'GET',
      path: '/link/:secret',
      access: 'anyone',
      serve: async (visit) => {
        const invitation = await find(visit);
        if (invitation !== undefined) return invitationPage(services, visit, invitation);
        const link = await accounts.findOneTimeSecret('sign-in', linkHashOf(visit), visit.nowMs);
        const person = link && (await accounts.findPerson(link.data.personId ?? ''));
        return link === undefined || person === undefined
          ? linkProblem(visit, 'unknown')
          : signInLinkPage(services, visit, link, membershipOf(person, link.data.accountId ?? ''));
      },
    },
    {
      method: 'POST',
      path: '/link/:secret',
      access: 'anyone',
      serve: async (visit) => {
        const invitation = await find(visit);
        if (invitation === undefined) return useSignInLink(services, visit);
        return visit.signedIn === undefined
          ? { kind: 'redirect', to: linkPathOf(visit) }
          : joinSignedIn(services, visit, invitation, visit.signedIn);
      },
    },
    ...(openId === undefined ? newPasskeyRoutes(services, passkeys, find) : []),
  ];
}

function newPasskeyRoutes(
  services: Services,
  passkeys: Passkeys,
  find: (visit: Visit) => Promise<Invitation | undefined>,
): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/link/:secret/options',
      access: 'anyone',
      serve: async (visit) => {
        const invitation = await find(visit);
        if (invitation === undefined) return { kind: 'json', status: 404, value: {} };
        const id = newPersonId(services, visit, invitation.hash);
        const owner = { id, passkeys: [], label: invitation.email };
        return { kind: 'json', value: await passkeys.creationOptions(visit, owner) };
      },
    },
    {
      method: 'POST',
      path: '/link/:secret/passkey',
      access: 'anyone',
      serve: async (visit) => {
        const invitation = await find(visit);
        if (invitation === undefined) return linkProblem(visit, 'unknown');
        const texts = signInTexts[visit.language].passkey;
        const name = passkeyName(visit);
        if (name === undefined) return invitationPage(services, visit, invitation, texts.nameProblem);
        const id = newPersonId(services, visit, invitation.hash);
        const passkey = await passkeys.verifyNew(visit, id, name);
        if (passkey === undefined) return invitationPage(services, visit, invitation, texts.refused);
        const newPerson = { id, createdAtMs: visit.nowMs, passkeys: [passkey] };
        return join(services, visit, invitation, { joiner: { newPerson }, method: 'passkey' });
      },
    },
  ];
}

export interface Join extends Pick<SignIn, 'method' | 'provenAtMs'> {
  readonly joiner: Joiner;
}

/** Uses an invitation for somebody who has just proven who they are, and signs them in to its account. */
export async function join(
  services: Services,
  visit: Visit,
  invitation: Invitation | undefined,
  { joiner, ...proof }: Join,
): Promise<Reply> {
  const joining = await accept(services, visit, invitation, joiner);
  if (joining.kind !== 'joined') return joining;
  const { person, accountId } = joining;
  return signIn(services, visit, person, { accountId, to: joinedPath(accountId), ...proof });
}

/** The session stays as it is: joining proves nothing. Only its account changes. */
async function joinSignedIn(
  services: Services,
  visit: Visit,
  invitation: Invitation,
  { person, session }: NonNullable<Visit['signedIn']>,
): Promise<Reply> {
  const joining = await accept(services, visit, invitation, { personId: person.id });
  if (joining.kind !== 'joined') return joining;
  const { accountId } = joining;
  await services.accounts.changeSession(session.hash, { accountId });
  return { kind: 'redirect', to: joinedPath(accountId) };
}

/** Uses an invitation, or returns the page that says why not. */
async function accept(
  services: Services,
  visit: Visit,
  invitation: Invitation | undefined,
  joiner: Joiner,
): Promise<Extract<Joining, { readonly kind: 'joined' }> | Reply> {
  if (invitation === undefined) return linkProblem(visit, 'unknown');
  const joinerId = 'personId' in joiner ? joiner.personId : joiner.newPerson.id;
  const refusal = await refuseLink(services, visit, invitation.accountId, joinerId);
  if (refusal !== undefined) return refusal;
  const action = { id: newId(), atMs: visit.nowMs, network: visit.network };
  const joining = await services.accounts.acceptInvitation(invitation.hash, joiner, action);
  if (joining.kind === 'joined') return joining;
  if (joining.kind === 'already_member') return linkProblem(visit, 'alreadyMember');
  return linkProblem(visit, joining.kind === 'identity_taken' ? 'identityTaken' : 'unknown');
}

function joinedPath(accountId: string): string {
  return withNotice(accountPath({ accountId }, '/overview'), 'joined');
}

async function useSignInLink(services: Services, visit: Visit): Promise<Reply> {
  const { accounts } = services;
  const linkHash = linkHashOf(visit);
  const link = await accounts.findOneTimeSecret('sign-in', linkHash, visit.nowMs);
  const { accountId = '', personId = '' } = link?.data ?? {};
  const person = await accounts.findPerson(personId);
  if (person === undefined) return linkProblem(visit, 'unknown');
  const refusal = await refuseLink(services, visit, accountId, person.id);
  if (refusal !== undefined) return refusal;
  const to = accountPath({ accountId }, '/overview');
  return signIn(services, visit, person, { accountId, to, method: 'link', linkHash });
}

function linkHashOf({ params }: Visit): Buffer {
  return hashSecret(params.secret ?? '');
}

function linkPathOf({ params }: Visit): string {
  return `/link/${encodeURIComponent(params.secret ?? '')}`;
}

async function invitationPage(
  { accounts, openId }: Services,
  visit: Visit,
  { accountId, email, role, invitedBy, expiresAtMs }: Invitation,
  problem?: string,
): Promise<Reply> {
  const account = await readAccountText(accounts, accountId);
  const texts = signInTexts[visit.language];
  const path = linkPathOf(visit);
  const inviter = invitedBy === operator ? texts.link.operator : invitedBy.email;
  const { signedIn } = visit;
  const content = (
    <>
      <p>
        <strong>{texts.link.invites[role](inviter, account)}</strong> {texts.link.rights[role]}
      </p>
      <Facts
        facts={[
          [texts.link.label, email],
          [peopleTexts[visit.language].validUntil, <Time ms={expiresAtMs} language={visit.language} />],
        ]}
      />
      {signedIn !== undefined && (
        <Form method="post" action={path}>
          <CsrfField visit={visit} />
          <p>
            {texts.link.signedInAs(signedIn.email, accountText(signedIn.account))}{' '}
            {texts.link.joinsAs(email, account)}
          </p>
          <button>{texts.link.join}</button>
        </Form>
      )}
      {signedIn === undefined && openId !== undefined && (
        <OpenIdSignIn
          visit={visit}
          query={{ purpose: 'join', link: visit.params.secret ?? '', csrf: visit.csrf }}
        />
      )}
      {signedIn === undefined && openId === undefined && (
        <>
          <p>{texts.link.newHere}</p>
          <NewPasskey
            visit={visit}
            action={`${path}/passkey`}
            options={`${path}/options`}
            button={texts.link.joinWithPasskey}
            problem={problem}
          />
          <div class="other-way">
            <p>{texts.link.hasPasskey}</p>
            <a class="button quiet" href={signInPath(path)}>
              {texts.link.signInFirst}
            </a>
          </div>
        </>
      )}
    </>
  );
  return passkeyPage(texts.link.invitation, content, problem);
}

async function signInLinkPage(
  { accounts }: Services,
  visit: Visit,
  { data: { accountId = '' }, expiresAtMs }: OneTimeSecret,
  membership: Membership | undefined,
): Promise<Reply> {
  const { language } = visit;
  const texts = signInTexts[language];
  const { validUntil, roles } = peopleTexts[language];
  const body = (
    <Form method="post" action={linkPathOf(visit)}>
      <CsrfField visit={visit} />
      <p>{texts.link.signsIn(await readAccountText(accounts, accountId))}</p>
      <Facts
        facts={[
          [texts.link.signsInAs, membership && `${membership.email} (${roles[membership.role]})`],
          [validUntil, <Time ms={expiresAtMs} language={language} />],
        ]}
      />
      <button>{texts.signIn}</button>
    </Form>
  );
  return { kind: 'page', title: texts.signIn, body };
}

async function readAccountText(accounts: Services['accounts'], id: string): Promise<string> {
  return accountText((await accounts.findAccount(id)) ?? { id });
}

function linkProblem(visit: Visit, problem: 'alreadyMember' | 'identityTaken' | 'unknown'): Reply {
  const texts = signInTexts[visit.language];
  // A provider sends the person back to another path.
  const isLink = visit.params.secret !== undefined;
  const next = problem === 'identityTaken' && isLink ? linkPathOf(visit) : '/';
  const actions =
    visit.signedIn === undefined ? (
      <a class="button" href={signInPath(next)}>
        {texts.signIn}
      </a>
    ) : (
      <a class="button" href={accountPath(visit.signedIn, '/overview')}>
        {layoutTexts[visit.language].start}
      </a>
    );
  const known = texts.link[problem];
  const explained =
    problem === 'unknown' && visit.signedIn !== undefined
      ? {
          ...known,
          advice: texts.link.signedInAlready(visit.signedIn.email, accountText(visit.signedIn.account)),
        }
      : known;
  const answer =
    problem === 'unknown'
      ? ({ status: 404, refusal: 'link_unknown' } as const)
      : ({ status: 409, refusal: 'link_taken' } as const);
  return explanationPage({ ...answer, ...explained, actions });
}
