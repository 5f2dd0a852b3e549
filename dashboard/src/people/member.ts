import type { Accounts } from '@jobs-delete/accounts/accounts';
import { membershipOf, type Person, type Role } from '@jobs-delete/accounts/people/people';

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

export async function isLastOwner(
  accounts: Pick<Accounts, 'listPeople'>,
  accountId: string,
  { person, role }: Member,
): Promise<boolean> {
  return role === 'owner' && !(await hasOwner(accounts, accountId, person.id));
}

/**
 * Gives a former owner the role back if the account has no owner any more. Two owners who remove each other at the same
 * moment both pass `isLastOwner`. Resolves to whether that was necessary.
 */
export async function restoreLastOwner(
  accounts: Pick<Accounts, 'listPeople' | 'setMembership'>,
  accountId: string,
  { person, role }: Member,
): Promise<boolean> {
  if (role !== 'owner' || (await hasOwner(accounts, accountId))) return false;
  await accounts.setMembership(person.id, { accountId, role });
  return true;
}

async function hasOwner(
  accounts: Pick<Accounts, 'listPeople'>,
  accountId: string,
  exceptId?: string,
): Promise<boolean> {
  const members = await listMembers(accounts, accountId);
  return members.some(({ person, role }) => role === 'owner' && person.id !== exceptId);
}
