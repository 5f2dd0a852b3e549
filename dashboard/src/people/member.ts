import type { Accounts } from '@jobs-delete/accounts/accounts';
import { membershipOf, type Person, type Role } from '@jobs-delete/accounts/people/people';

export interface Member {
  readonly person: Person;
  readonly role: Role;
  /** A label of this account. */
  readonly email: string;
}

/** Finds a member of the account. A person of another account is as unknown as one that does not exist. */
export async function findMember(
  accounts: Pick<Accounts, 'findPerson'>,
  accountId: string,
  personId: string | undefined,
): Promise<Member | undefined> {
  const person = personId === undefined ? undefined : await accounts.findPerson(personId);
  return person && memberOf(person, accountId);
}

/** The members of the account, ordered by address. */
export async function listMembers(
  accounts: Pick<Accounts, 'listPeople'>,
  accountId: string,
): Promise<readonly Member[]> {
  const people = await accounts.listPeople(accountId);
  return people.flatMap((person) => memberOf(person, accountId) ?? []);
}

function memberOf(person: Person, accountId: string): Member | undefined {
  const membership = membershipOf(person, accountId);
  return membership && { person, role: membership.role, email: membership.email };
}
