import type { Accounts } from '@jobs-delete/accounts/accounts';
import type { Person, Role } from '@jobs-delete/accounts/people/people';
import { membershipOf } from '../web/route.ts';

export interface Member {
  readonly person: Person;
  readonly role: Role;
}

/** Finds a member of the account. A person of another account is as unknown as one that does not exist. */
export async function findMember(
  accounts: Pick<Accounts, 'findPerson'>,
  accountId: string,
  personId: string | undefined,
): Promise<Member | undefined> {
  const person = personId === undefined ? undefined : await accounts.findPerson(personId);
  const membership = person && membershipOf(person, accountId);
  return membership && { person, role: membership.role };
}

/** The members of the account, ordered by address. */
export async function listMembers(
  accounts: Pick<Accounts, 'listPeople'>,
  accountId: string,
): Promise<readonly Member[]> {
  const people = await accounts.listPeople(accountId);
  return people.flatMap((person) => {
    const membership = membershipOf(person, accountId);
    return membership === undefined ? [] : [{ person, role: membership.role }];
  });
}

/**
 * Returns whether the account has no other owner. Two owners who remove each other at the same moment both pass this
 * check. Then the operator invites an owner: `jobs-delete people invite --role owner`.
 */
export async function isLastOwner(
  accounts: Pick<Accounts, 'listPeople'>,
  accountId: string,
  { person, role }: Member,
): Promise<boolean> {
  if (role !== 'owner') return false;
  const members = await listMembers(accounts, accountId);
  return !members.some((other) => other.role === 'owner' && other.person.id !== person.id);
}
