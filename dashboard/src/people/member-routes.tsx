import { roles } from '@jobs-delete/accounts/people/people';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { auditEntry } from '../web/audit-entry.ts';
import { CsrfField, SelectField } from '../web/form.tsx';
import { withNotice } from '../web/notices.ts';
import type { MemberVisit, Reply, Route } from '../web/route.ts';
import { findMember, type Member } from './member.ts';
import { methodsOf } from './member-list.tsx';
import { peopleTexts } from './people-texts.ts';

type Needed = Pick<Services, 'accounts'>;

/** The page of one member, and the forms that change the role or remove the member. */
export function memberRoutes(services: Needed): readonly Route[] {
  const { accounts } = services;
  return [
    {
      method: 'GET',
      path: '/people/:id',
      access: 'owner',
      recent: true,
      serve: async (visit) => {
        const member = await findMember(accounts, visit.accountId, visit.params.id);
        return member === undefined ? { kind: 'not-found' } : memberPage(visit, member);
      },
    },
    {
      method: 'POST',
      path: '/people/:id/role',
      access: 'owner',
      recent: true,
      keeps: ['role'],
      serve: (visit) => changeRole(services, visit),
    },
    {
      method: 'POST',
      path: '/people/:id/remove',
      access: 'owner',
      recent: true,
      serve: (visit) => removeMember(services, visit),
    },
  ];
}

/** The new role holds from the member's next request on. */
async function changeRole({ accounts }: Needed, visit: MemberVisit): Promise<Reply> {
  const { accountId } = visit;
  const member = await findMember(accounts, accountId, visit.params.id);
  if (member === undefined) return { kind: 'not-found' };
  const { person, email } = member;
  const role = roles.find((each) => each === visit.form.get('role'));
  if (role === undefined) return memberPage(visit, member, 'role');
  const entry = auditEntry(visit, 'person.role-changed', `${email}: ${role}`);
  const outcome = await accounts.changeRole(accountId, person.id, role, entry);
  if (outcome === 'not_found') return { kind: 'not-found' };
  if (outcome === 'last_owner') return memberPage(visit, member, 'lastOwner');
  const isOwnLoss = person.id === visit.person.id && role !== 'owner';
  return {
    kind: 'redirect',
    to: withNotice(accountPath(visit, isOwnLoss ? '/keys' : '/people'), 'role-changed'),
  };
}

async function removeMember({ accounts }: Needed, visit: MemberVisit): Promise<Reply> {
  const { accountId } = visit;
  const member = await findMember(accounts, accountId, visit.params.id);
  if (member === undefined) return { kind: 'not-found' };
  const { person, email } = member;
  const entry = auditEntry(visit, 'person.removed', email);
  const outcome = await accounts.removeMember(accountId, person.id, entry);
  if (outcome === 'not_found') return { kind: 'not-found' };
  if (outcome === 'last_owner') return memberPage(visit, member, 'lastOwner');
  if (person.id !== visit.person.id)
    return { kind: 'redirect', to: withNotice(accountPath(visit, '/people'), 'person-removed') };
  // The session ends with the membership of its account only.
  return visit.session.accountId === accountId
    ? { kind: 'redirect', to: withNotice('/sign-in', 'signed-out'), session: null }
    : { kind: 'redirect', to: withNotice(accountPath(visit.session, '/overview'), 'person-removed') };
}

function memberPage(
  visit: MemberVisit,
  { person, role, email }: Member,
  problem?: 'role' | 'lastOwner',
): Reply {
  const texts = peopleTexts[visit.language];
  const isOwn = person.id === visit.person.id;
  const body = (
    <>
      {problem === 'lastOwner' && (
        <p class="problem" role="alert">
          {texts.lastOwner}
        </p>
      )}
      <dl>
        <dt>{texts.address}</dt>
        <dd>{email}</dd>
        <dt>{texts.methods}</dt>
        <dd>{methodsOf(person, texts)}</dd>
      </dl>
      <h2>{texts.changeRole}</h2>
      <form method="post" action={accountPath(visit, `/people/${person.id}/role`)}>
        <CsrfField visit={visit} />
        <SelectField
          name="role"
          label={texts.role}
          hint={texts.roleHint}
          problem={problem === 'role' ? texts.roleProblem : undefined}
          options={roles.map((value) => ({ value, text: texts.roles[value] }))}
          value={role}
        />
        <button>{texts.changeRoleSubmit}</button>
      </form>
      <h2>{isOwn ? texts.leave : texts.remove}</h2>
      <form method="post" action={accountPath(visit, `/people/${person.id}/remove`)}>
        <CsrfField visit={visit} />
        <p class="warning">{isOwn ? texts.leaveWarning : texts.removeWarning}</p>
        <button class="danger">{isOwn ? texts.leaveSubmit : texts.removeSubmit}</button>
      </form>
      <p>
        <a href={accountPath(visit, '/people')}>{texts.back}</a>
      </p>
    </>
  );
  return { kind: 'page', status: problem === undefined ? 200 : 422, title: texts.memberTitle, body };
}
