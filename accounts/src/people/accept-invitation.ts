import type { Accounts } from '../accounts.ts';
import { findLink, type Link } from './find-link.ts';
import { newId } from './new-id.ts';
import { membershipOf, roles, type Person, type Role } from './people.ts';

export interface AcceptedLink {
  readonly link: 'invitation' | 'sign-in';
  /** With the membership. */
  readonly person: Person;
  readonly accountId: string;
  /** True if the person was no member of the account before. */
  readonly isNewMember: boolean;
}

type Needed = Pick<
  Accounts,
  | 'findOneTimeSecret'
  | 'takeOneTimeSecret'
  | 'addPerson'
  | 'findPerson'
  | 'findPersonByEmail'
  | 'setMembership'
>;

/**
 * Makes the person of a link a member of its account, then uses the link. An invitation may raise the role of a member,
 * and never lowers it. It works while the inviting person is an owner. A sign-in link changes no role; without a `role` it only works for members.
 *
 * The link is used last, and every earlier step can be repeated: after a crash, either the link still works or the person
 * is a member. Exactly one of several concurrent callers accepts the link. The others get `link_used`.
 *
 * A caller that gets `link_used` may still have added the membership, also when an operator cancels the link and removes
 * the person at that moment.
 */
export async function acceptInvitation(
  accounts: Needed,
  secret: string,
  now: () => number,
): Promise<AcceptedLink | 'link_unknown' | 'link_used'> {
  const atMs = now();
  const link = await findLink(accounts, secret, atMs);
  if (link === undefined) return 'link_unknown';
  const joined = await join(accounts, link, atMs);
  if (joined === undefined) return 'link_unknown';
  if ((await accounts.takeOneTimeSecret(link.kind, link.hash, atMs)) === undefined) return 'link_used';
  const person = await accounts.findPerson(joined.personId);
  if (person === undefined) throw new Error(`the person ${joined.personId} was removed during the sign-in`);
  return { link: link.kind, person, accountId: link.accountId, isNewMember: joined.isNewMember };
}

/** Returns undefined if the link is not for a new member. */
async function join(accounts: Needed, { kind, accountId, email, role }: Link, atMs: number) {
  const person =
    role === undefined
      ? await accounts.findPersonByEmail(email)
      : await findOrAddPerson(accounts, email, atMs);
  const current = person && membershipOf(person, accountId)?.role;
  if (person === undefined || (current ?? role) === undefined) return undefined;
  if (role !== undefined && grants(kind, role, current))
    await accounts.setMembership(person.id, { accountId, role });
  return { personId: person.id, isNewMember: current === undefined };
}

function grants(kind: Link['kind'], role: Role, current: Role | undefined): boolean {
  if (current === undefined) return true;
  // The highest role comes first.
  return kind === 'invitation' && roles.indexOf(role) < roles.indexOf(current);
}

/** Adds a person without memberships if nobody has the address. */
async function findOrAddPerson(accounts: Needed, email: string, atMs: number): Promise<Person> {
  const existing = await accounts.findPersonByEmail(email);
  if (existing) return existing;
  const added: Person = {
    id: newId(),
    email,
    createdAtMs: atMs,
    memberships: [],
    recoveryCodes: [],
    passkeys: [],
  };
  if ((await accounts.addPerson(added)) === 'added') return added;
  const other = await accounts.findPersonByEmail(email);
  if (other === undefined) throw new Error('a person that exists was not found by the address');
  return other;
}
