import { invitePerson, parseEmail } from '@jobs-delete/accounts/people/invitations';
import { type Role, roles } from '@jobs-delete/accounts/people/people';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { auditEntry } from '../web/audit-entry.ts';
import { Secret } from '../web/copyable.tsx';
import { CsrfField, SelectField, TextField } from '../web/form.tsx';
import { OnceField, openForm, sentOnce, takeForm } from '../web/form-once.tsx';
import type { MemberVisit, Reply, Route } from '../web/route.ts';
import { Time } from '../web/time.tsx';
import { listMembers } from './member.ts';
import { peopleTexts } from './people-texts.ts';

type Needed = Pick<Services, 'accounts' | 'keys' | 'now' | 'publicUrl'>;

/** The form that invites somebody, and the page that shows the link once. */
export function inviteRoutes(services: Needed): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/people/invite',
      access: 'owner',
      recent: true,
      serve: (visit) => invitePage(visit, { once: openForm(services, visit), text: '', role: 'viewer' }),
    },
    {
      method: 'POST',
      path: '/people/invite',
      access: 'owner',
      recent: true,
      keeps: ['email', 'role'],
      serve: (visit) => invite(services, visit),
    },
  ];
}

async function invite(services: Needed, visit: MemberVisit): Promise<Reply> {
  const { accounts, now, publicUrl } = services;
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

  if (!(await takeForm(services, visit))) return sentAlready(visit);
  const invitedBy = { id: visit.person.id, email: visit.email };
  const entryOf = () => auditEntry(visit, 'person.invited', `${email}: ${role}`);
  const invitation = await invitePerson(accounts, { accountId, email, role, invitedBy }, now, { entryOf });
  if (invitation.kind !== 'invited') throw new Error(`inviting a person failed: ${invitation.kind}`);
  const link = `${publicUrl}/link/${invitation.secret}`;
  return linkPage(visit, { ...invitation, link, role });
}

interface NewLink {
  readonly link: string;
  readonly email: string;
  readonly role: Role;
  readonly expiresAtMs: number;
  readonly isReplacing: boolean;
}

/** The answer to the form that created a link: the only page that ever shows it. */
function linkPage(visit: MemberVisit, { link, email, role, expiresAtMs, isReplacing }: NewLink): Reply {
  const { language } = visit;
  const texts = peopleTexts[language];
  const body = (
    <>
      {isReplacing && <p>{texts.replaced}</p>}
      <p class="warning">{texts.linkHint}</p>
      <Secret id="link" text={link} button={texts.copy} language={language} />
      <dl>
        <dt>{texts.address}</dt>
        <dd>{email}</dd>
        <dt>{texts.role}</dt>
        <dd>{texts.roles[role]}</dd>
        <dt>{texts.validUntil}</dt>
        <dd>
          <Time ms={expiresAtMs} language={language} />
        </dd>
      </dl>
      <p>
        <a href={accountPath(visit, '/people')}>{texts.back}</a>
      </p>
    </>
  );
  return { kind: 'page', title: texts.linkTitle, body };
}

function sentAlready(visit: MemberVisit): Reply {
  const texts = peopleTexts[visit.language];
  const body = (
    <>
      <p>{texts.sentAlready}</p>
      <p>
        <a href={accountPath(visit, '/people')}>{texts.back}</a>
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
  readonly problem?: 'malformed' | 'member';
}

function invitePage(visit: MemberVisit, { once, text, role, problem }: InviteFields): Reply {
  const texts = peopleTexts[visit.language];
  const body = (
    <form method="post" action={accountPath(visit, '/people/invite')}>
      <CsrfField visit={visit} />
      <OnceField once={once} />
      <TextField
        name="email"
        type="email"
        label={texts.address}
        hint={texts.addressHint}
        problem={problem && texts.addressProblems[problem]}
        value={text}
        required
        maxLength={254}
        autocomplete="off"
      />
      <SelectField
        name="role"
        label={texts.role}
        hint={texts.roleHint}
        problem={role === undefined ? texts.roleProblem : undefined}
        options={roles.map((value) => ({ value, text: texts.roles[value] }))}
        value={role ?? 'viewer'}
      />
      <p class="actions">
        <button>{texts.inviteSubmit}</button>
        <a href={accountPath(visit, '/people')}>{texts.back}</a>
      </p>
    </form>
  );
  const status = problem === undefined && role !== undefined ? 200 : 422;
  return { kind: 'page', status, title: texts.invite, body };
}
