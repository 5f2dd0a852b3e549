import type { Accounts } from '@jobs-delete/accounts/accounts';
import { membershipOf, type Person, type Role, roles } from '@jobs-delete/accounts/people/people';
import type { Services } from '../services.ts';
import { accountPath, actorPath } from '../web/account-path.ts';
import { details } from '../web/aside.tsx';
import { auditEntry } from '../web/audit-entry.ts';
import { FactGrid } from '../web/facts.tsx';
import { RadioField, formPage, formRoutes } from '../web/form.tsx';
import type { Language } from '../web/language.ts';
import { withNotice } from '../web/notices.ts';
import { ifFound, includesRole, type MemberVisit, type Reply, type Route } from '../web/route.ts';
import { Table } from '../web/table.tsx';
import { formatRecentDay } from '../web/time.tsx';
import { peopleTexts } from './people-texts.ts';

type Needed = Pick<Services, 'accounts'>;

export interface Member {
  readonly person: Person;
  readonly role: Role;
  /** A label of this account. */
  readonly email: string;
  readonly lastSeenAtMs?: number | undefined;
}

/** The page of one member with the form of the role, and the page that confirms a removal. */
export function memberRoutes(services: Needed): readonly Route[] {
  /** A person of another account is as unknown as one that does not exist. */
  const find = async ({ accountId, params: { id = '' } }: MemberVisit) => {
    const person = await services.accounts.findPerson(id);
    return person && memberOf(person, accountId);
  };
  const unlessLastOwner = (page: (visit: MemberVisit, member: Member) => Reply) =>
    ifFound(find, async (visit, member) =>
      (await isLastOwner(services, visit, member)) ? lastOwnerPage(visit, member) : page(visit, member),
    );
  return [
    {
      method: 'GET',
      path: '/people/:id',
      access: 'owner',
      recent: true,
      serve: unlessLastOwner((visit, member) => memberPage(visit, member)),
    },
    {
      method: 'POST',
      path: '/people/:id/role',
      access: 'owner',
      recent: true,
      keeps: ['role'],
      serve: ifFound(find, (visit, member) => changeRole(services, visit, member)),
    },
    ...formRoutes({
      path: '/people/:id/remove',
      access: 'owner',
      page: unlessLastOwner(removalPage),
      submit: ifFound(find, (visit, member) => removeMember(services, visit, member)),
    }),
  ];
}

/** The members of the account: owners first, and by address. */
export async function listMembers(
  accounts: Pick<Accounts, 'listPeople'>,
  accountId: string,
): Promise<readonly Member[]> {
  const people = await accounts.listPeople(accountId);
  const members = people.flatMap((person) => memberOf(person, accountId) ?? []);
  return members.toSorted((a, b) => roles.indexOf(a.role) - roles.indexOf(b.role));
}

function memberOf(person: Person, accountId: string): Member | undefined {
  const membership = membershipOf(person, accountId);
  if (membership === undefined) return undefined;
  const { role, email, lastSeenAtMs } = membership;
  return { person, role, email, lastSeenAtMs };
}

/** The new role holds from the member's next request on. */
async function changeRole({ accounts }: Needed, visit: MemberVisit, member: Member): Promise<Reply> {
  const { person, email } = member;
  const role = roles.find((each) => each === visit.form.get('role'));
  if (role === undefined) return memberPage(visit, member, true);
  const entry = auditEntry(visit, 'person.role-changed', `${email}: ${member.role} → ${role}`);
  const outcome = await accounts.changeRole(visit.accountId, person.id, role, entry);
  if (outcome === 'not_found') return { kind: 'not-found' };
  if (outcome === 'last_owner') return lastOwnerPage(visit, member);
  return { kind: 'redirect', to: withNotice(accountPath(visit, '/people'), 'role-changed', entry) };
}

async function removeMember({ accounts }: Needed, visit: MemberVisit, member: Member): Promise<Reply> {
  const { accountId } = visit;
  const { person, email } = member;
  const entry = auditEntry(visit, 'person.removed', email);
  const outcome = await accounts.removeMember(accountId, person.id, entry);
  if (outcome === 'not_found') return { kind: 'not-found' };
  if (outcome === 'last_owner') return lastOwnerPage(visit, member);
  if (person.id !== visit.person.id)
    return { kind: 'redirect', to: withNotice(accountPath(visit, '/people'), 'person-removed', entry) };
  // The session ends with the membership of its account only.
  return visit.session.accountId === accountId
    ? { kind: 'redirect', to: withNotice('/sign-in', 'signed-out'), session: null }
    : { kind: 'redirect', to: withNotice(accountPath(visit.session, '/overview'), 'left') };
}

/** An account keeps an owner. So neither page of the last one has a form. */
async function isLastOwner({ accounts }: Needed, { accountId }: MemberVisit, member: Member) {
  if (member.role !== 'owner') return false;
  return lastOwnerOf(await listMembers(accounts, accountId))?.person.id === member.person.id;
}

/** @param members all of the account */
export function lastOwnerOf(members: readonly Member[]): Member | undefined {
  const owners = members.filter(({ role }) => role === 'owner');
  return owners.length === 1 ? owners[0] : undefined;
}

function lastOwnerPage(visit: MemberVisit, member: Member): Reply {
  const { language } = visit;
  const texts = peopleTexts[language];
  const body = (
    <>
      <p class="warning">{texts.lastOwner}</p>
      <MemberFacts visit={visit} member={member} />
      <p>
        <BackToPeople visit={visit} />
      </p>
    </>
  );
  return { kind: 'page', status: 409, title: texts.lastOwnerTitle, body };
}

function memberPage(visit: MemberVisit, member: Member, isRoleWrong = false): Reply {
  const { language } = visit;
  const texts = peopleTexts[language];
  const { person, role } = member;
  return formPage(visit, {
    title: texts.changeRoleOf(member.email),
    status: isRoleWrong ? 422 : 200,
    action: accountPath(visit, `/people/${person.id}/role`),
    fields: <RoleField language={language} current={role} isWrong={isRoleWrong} />,
    submit: texts.changeRole,
    back: <BackToPeople visit={visit} />,
    aside: details(language, <MemberFacts visit={visit} member={member} />),
  });
}

function removalPage(visit: MemberVisit, member: Member): Reply {
  const { language } = visit;
  const texts = peopleTexts[language];
  const { person } = member;
  const isOwn = person.id === visit.person.id;
  return formPage(visit, {
    title: isOwn ? texts.leaveTitle : texts.removeTitle(member.email),
    action: accountPath(visit, `/people/${person.id}/remove`),
    fields: (
      <p class="warning">
        {isOwn ? (
          texts.leaveWarning
        ) : (
          <>
            {texts.removeWarning} <a href={actorPath(visit, member.email)}>{texts.removeTrail}</a>
          </>
        )}
      </p>
    ),
    submit: isOwn ? texts.leaveTitle : texts.removeSubmit,
    isDanger: true,
    back: <BackToPeople visit={visit} />,
    aside: details(language, <MemberFacts visit={visit} member={member} />),
  });
}

function MemberFacts({ visit, member }: { readonly visit: MemberVisit; readonly member: Member }) {
  const texts = peopleTexts[visit.language];
  return (
    <FactGrid
      facts={[
        [texts.address, member.email, true],
        [texts.role, texts.roles[member.role]],
        [texts.methods, methodsOf(member.person, texts)],
        [texts.lastSeen, lastSeenOf(member, visit)],
      ]}
    />
  );
}

interface MemberListProps {
  /** Of the person who looks at the list. */
  readonly visit: MemberVisit;
  readonly members: readonly Member[];
  /** Stays an owner and a member. */
  readonly lastOwner: Member | undefined;
}

/** A table of the members of an account. Only owners see more than addresses and roles. */
export function MemberList({ visit, members, lastOwner }: MemberListProps) {
  const texts = peopleTexts[visit.language];
  const isOwner = includesRole(visit.role, 'owner');
  return (
    <Table
      heading="members"
      columns={[
        { header: texts.address },
        { aside: texts.role },
        isOwner && texts.methods,
        isOwner && texts.lastSeen,
        isOwner && { plain: texts.actions },
      ]}
      rows={members.map(({ person, role, email, lastSeenAtMs }) => [
        person.id === visit.person.id ? `${email} (${texts.you})` : email,
        texts.roles[role],
        methodsOf(person, texts),
        lastSeenOf({ lastSeenAtMs }, visit),
        person.id === lastOwner?.person.id ? (
          <span class="muted">{texts.lastOwnerTitle}</span>
        ) : (
          <MemberActions visit={visit} personId={person.id} email={email} />
        ),
      ])}
    />
  );
}

function MemberActions({
  visit,
  personId,
  email,
}: Pick<MemberListProps, 'visit'> & { readonly personId: string; readonly email: string }) {
  const texts = peopleTexts[visit.language];
  const path = accountPath(visit, `/people/${personId}`);
  const removal = personId === visit.person.id ? texts.leave : texts.remove;
  return (
    <span class="actions">
      <a href={path} aria-label={`${texts.changeRole}: ${email}`}>
        {texts.changeRole}
      </a>
      <a class="danger" href={`${path}/remove`} aria-label={`${removal}: ${email}`}>
        {removal}
      </a>
    </span>
  );
}

/** Returns how a person signs in. */
function methodsOf({ passkeys, openId }: Person, texts: typeof peopleTexts.en): string {
  if (openId !== undefined) return texts.openId;
  return passkeys.length === 0 ? texts.noMethod : texts.passkeys(passkeys.length);
}

/** Returns the day in UTC, or says that it is today or yesterday. */
function lastSeenOf(
  { lastSeenAtMs }: Pick<Member, 'lastSeenAtMs'>,
  { language, nowMs }: Pick<MemberVisit, 'language' | 'nowMs'>,
): string {
  return lastSeenAtMs === undefined ? '–' : formatRecentDay(lastSeenAtMs, { language, nowMs });
}

interface RoleFieldProps {
  readonly language: Language;
  /** The chosen role. Default: none. */
  readonly role?: Role;
  /** The present role of a member: not offered. */
  readonly current?: Role;
  readonly isWrong: boolean;
}

export function RoleField({ language, role, current, isWrong }: RoleFieldProps) {
  const texts = peopleTexts[language];
  return (
    <RadioField
      name="role"
      label={texts.role}
      problem={isWrong ? texts.roleProblem : undefined}
      options={roles
        .filter((each) => each !== current)
        .toReversed()
        .map((value) => ({ value, text: texts.roles[value], hint: texts.rights[value] }))}
      value={role ?? ''}
    />
  );
}

export function BackToPeople({ visit }: { readonly visit: Pick<MemberVisit, 'accountId' | 'language'> }) {
  return <a href={accountPath(visit, '/people')}>{peopleTexts[visit.language].back}</a>;
}
