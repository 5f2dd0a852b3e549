import { operator } from '@jobs-delete/accounts/people/audit-trail';
import {
  invitePerson,
  listPendingInvitations,
  mayInvite,
  parseEmail,
  type PendingInvitation,
} from '@jobs-delete/accounts/people/invitations';
import { hashSecret, newSecret } from '@jobs-delete/accounts/people/one-time-secret';
import { type Person, type Role, roles } from '@jobs-delete/accounts/people/people';
import type { Services } from '../services.ts';
import { actorText } from '../trail/trail-texts.ts';
import { accountPath, queryOf } from '../web/account-path.ts';
import { details, whatNext } from '../web/aside.tsx';
import { auditEntry } from '../web/audit-entry.ts';
import { FactGrid } from '../web/facts.tsx';
import { Table } from '../web/table.tsx';
import { Secret } from '../web/copyable.tsx';
import { TextField, formPage, formRoutes } from '../web/form.tsx';
import { formBefore, OnceField, openForm, randomOfForm, sentOnce, takeForm } from '../web/form-once.tsx';
import type { Language } from '../web/language.ts';
import { layoutTexts } from '../web/layout-texts.ts';
import { withNotice } from '../web/notices.ts';
import { ifFound, type MemberVisit, type Reply, type Route } from '../web/route.ts';
import { Time } from '../web/time.tsx';
import { BackToPeople, listMembers, RoleField, type Member } from './member-routes.tsx';
import { peopleTexts } from './people-texts.ts';

type Needed = Pick<Services, 'accounts' | 'keys' | 'now' | 'publicUrl'>;

const invitedPath = '/people/invited';

/** The forms that invite somebody, with the page that shows the link, and that withdraw an invitation. */
export function invitationRoutes(services: Needed): readonly Route[] {
  const { accounts } = services;
  /** An invitation to another account is as unknown as one that does not exist. */
  const find = async ({ accountId, nowMs }: MemberVisit, id: string | null) =>
    (await listPendingInvitations(accounts, accountId, nowMs)).find((invitation) => invitation.id === id);
  return [
    ...formRoutes({
      path: '/people/invite',
      access: 'owner',
      keeps: ['email', 'role'],
      page: (visit) => invitePage(visit, { once: openForm(services, visit), text: '', role: 'viewer' }),
      submit: (visit) => invite(services, visit),
    }),
    {
      method: 'GET',
      path: invitedPath,
      access: 'owner',
      serve: (visit) => invitedPage(services, visit),
    },
    ...formRoutes({
      path: '/people/withdraw',
      access: 'owner',
      page: (visit) =>
        // An expired form leads here without it.
        visit.query.has('invitation')
          ? ifFound((one) => find(one, one.query.get('invitation')), withdrawPage)(visit)
          : { kind: 'redirect', to: accountPath(visit, '/people') },
      submit: ifFound(
        (visit) => find(visit, visit.form.get('invitation')),
        async (visit, { email, hash }) => {
          const entry = auditEntry(visit, 'invitation.withdrawn', email);
          const taken = await accounts.takeOneTimeSecret('invitation', hash, visit.nowMs, entry);
          if (taken === undefined) return { kind: 'not-found' };
          const to = withNotice(accountPath(visit, '/people'), 'invitation-withdrawn', entry);
          return { kind: 'redirect', to };
        },
      ),
    }),
  ];
}

async function invite(services: Needed, visit: MemberVisit): Promise<Reply> {
  const { accounts, now } = services;
  const { accountId, form } = visit;
  const text = (form.get('email') ?? '').trim();
  const role = roles.find((each) => each === form.get('role'));
  const email = parseEmail(text);
  const fields = { once: sentOnce(form), text: text.slice(0, 300), role };
  if (email === undefined) return invitePage(visit, { ...fields, problem: 'malformed' });
  if (role === undefined) return invitePage(visit, fields);
  const members = await listMembers(accounts, accountId);
  // Two members with one address would confuse the owners. It says nothing about other accounts.
  if (members.some((member) => member.email === email))
    return invitePage(visit, { ...fields, problem: 'member' });

  const random = randomOfForm(services, visit, linkPurpose({ role, email }));
  if (random === undefined)
    return invitePage(visit, { ...fields, once: openForm(services, visit), problem: 'expired' });
  const secret = newSecret(random);
  const to = accountPath(visit, `${invitedPath}${queryOf({ once: sentOnce(form) })}`);
  if (!(await takeForm(services, visit))) {
    const sent = hashSecret(secret);
    const pending = await listPendingInvitations(accounts, accountId, visit.nowMs);
    const isPending = pending.some(({ hash }) => hash.equals(sent));
    return isPending ? { kind: 'redirect', to } : sentAlready(visit);
  }
  const invitedBy = { id: visit.person.id, email: visit.email };
  const entryOf = () => auditEntry(visit, 'person.invited', `${email}: ${role}`);
  const invitation = await invitePerson(accounts, { accountId, email, role, invitedBy }, now, {
    secret,
    entryOf,
  });
  if (invitation.kind !== 'invited') throw new Error(`inviting a person failed: ${invitation.kind}`);
  return { kind: 'redirect', to: invitation.isReplacing ? withNotice(to, 'invitation-replaced') : to };
}

/** What the secret of a link is drawn for. */
function linkPurpose({ role, email }: Pick<PendingInvitation, 'role' | 'email'>): string {
  return `invitation ${role} ${email}`;
}

/** Shows the link that a form has created, while it is pending. As the page of new keys, it asks for no recent sign-in. */
async function invitedPage({ accounts, keys, publicUrl }: Needed, visit: MemberVisit): Promise<Reply> {
  for (const invitation of await listPendingInvitations(accounts, visit.accountId, visit.nowMs)) {
    const random = randomOfForm({ keys }, formBefore(visit), linkPurpose(invitation));
    const secret = random && newSecret(random);
    if (secret !== undefined && invitation.hash.equals(hashSecret(secret)))
      return linkPage(visit, { ...invitation, link: `${publicUrl}/link/${secret}` });
  }
  return { kind: 'redirect', to: accountPath(visit, '/people') };
}

type Invited = Pick<PendingInvitation, 'email' | 'role' | 'expiresAtMs'>;

function linkPage(visit: MemberVisit, { link, ...invited }: Invited & { readonly link: string }): Reply {
  const { language } = visit;
  const texts = peopleTexts[language];
  const body = (
    <>
      <p class="warning" data-until-saved>
        {texts.linkHint}
      </p>
      <section class="card">
        <InvitationFacts language={language} {...invited} />
        <Secret
          id="link"
          text={link}
          button={texts.copy}
          language={language}
          onward={{ href: accountPath(visit, '/people'), text: texts.back }}
          asks="copy"
        />
      </section>
    </>
  );
  return { kind: 'page', title: texts.linkTitle, body };
}

function sentAlready(visit: MemberVisit): Reply {
  const texts = peopleTexts[visit.language];
  const body = (
    <>
      <p>{texts.sentAlready}</p>
      <p class="actions">
        <a class="button" href={accountPath(visit, '/people/invite')}>
          {texts.inviteAgain}
        </a>
        <BackToPeople visit={visit} />
      </p>
    </>
  );
  return { kind: 'page', status: 409, title: texts.sentAlreadyTitle, body };
}

interface InviteFields {
  readonly once: string;
  readonly text: string;
  /** Undefined: the value was none of the list. */
  readonly role: Role | undefined;
  readonly problem?: 'malformed' | 'member' | 'expired';
}

function invitePage(visit: MemberVisit, { once, text, role, problem }: InviteFields): Reply {
  const texts = peopleTexts[visit.language];
  return formPage(visit, {
    title: texts.invite,
    status: problem === undefined && role !== undefined ? 200 : 422,
    problem: problem === 'expired' ? layoutTexts[visit.language].formEnded : undefined,
    action: accountPath(visit, '/people/invite'),
    fields: (
      <>
        <OnceField once={once} />
        <TextField
          name="email"
          type="email"
          label={texts.address}
          hint={texts.addressHint}
          problem={problem && problem !== 'expired' ? texts.addressProblems[problem] : undefined}
          value={text}
          required
          maxLength={254}
          autocomplete="off"
        />
        <RoleField language={visit.language} role={role ?? 'viewer'} isWrong={role === undefined} />
      </>
    ),
    submit: texts.inviteSubmit,
    back: <BackToPeople visit={visit} />,
    aside: whatNext(visit.language, texts.next),
  });
}

function withdrawPage(visit: MemberVisit, invitation: PendingInvitation): Reply {
  const { language } = visit;
  const texts = peopleTexts[language];
  return formPage(visit, {
    title: texts.withdrawTitle,
    action: accountPath(visit, '/people/withdraw'),
    fields: (
      <>
        <input type="hidden" name="invitation" value={invitation.id} />
        <p class="warning">{texts.withdrawWarning}</p>
      </>
    ),
    submit: texts.withdrawSubmit,
    isDanger: true,
    back: <BackToPeople visit={visit} />,
    aside: details(language, <InvitationFacts language={language} {...invitation} />),
  });
}

function InvitationFacts({ language, email, role, expiresAtMs }: Invited & { readonly language: Language }) {
  const texts = peopleTexts[language];
  return (
    <FactGrid
      facts={[
        [texts.address, email, true],
        [texts.role, texts.roles[role]],
        [texts.validUntil, <Time ms={expiresAtMs} language={language} />],
      ]}
    />
  );
}

interface InvitationListProps {
  readonly visit: MemberVisit;
  readonly invitations: readonly PendingInvitation[];
  /** All members of the account. */
  readonly members: readonly Member[];
}

/** A table of the invitations that nobody has accepted yet. */
export function InvitationList({ visit, invitations, members }: InvitationListProps) {
  const { language, nowMs } = visit;
  const texts = peopleTexts[language];
  if (invitations.length === 0)
    return (
      <div class="card muted">
        {texts.pendingNone} {texts.pendingHint}
      </div>
    );
  return (
    <Table
      heading="invitations"
      columns={[
        { header: texts.address },
        { aside: texts.role },
        texts.invitedBy,
        texts.validUntil,
        { plain: texts.actions },
      ]}
      rows={invitations.map((invitation) => [
        invitation.email,
        texts.roles[invitation.role],
        <>
          {actorText(invitation.invitedBy, language)}
          {!mayInvite(invitation, senderOf(invitation, members)) && (
            <>
              <br />
              <strong class="problem">{texts.noOwner}</strong>
            </>
          )}
        </>,
        <Time ms={invitation.expiresAtMs} language={language} nowMs={nowMs} />,
        <a
          class="danger"
          href={accountPath(visit, `/people/withdraw?invitation=${invitation.id}`)}
          aria-label={`${texts.withdraw} ${invitation.email}`}
        >
          {texts.withdraw}
        </a>,
      ])}
    />
  );
}

function senderOf({ invitedBy }: PendingInvitation, members: readonly Member[]): Person | undefined {
  const id = invitedBy === operator ? undefined : invitedBy.id;
  return members.find(({ person }) => person.id === id)?.person;
}
