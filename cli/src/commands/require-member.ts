import type { Accounts } from '@jobs-delete/accounts/accounts';
import { parseEmail } from '@jobs-delete/accounts/people/email';
import type { Person, Role } from '@jobs-delete/accounts/people/people';
import { requireAccount } from '../open-storage.ts';
import { printable } from '../printable.ts';
import { Refusal, wrongUsage } from '../refusal.ts';

/** @throws Refusal when the account or the member does not exist */
export async function requireMember(accounts: Accounts, accountId: string, email: string): Promise<Person> {
  await requireAccount(accounts, accountId);
  const person = await accounts.findPersonByEmail(email);
  if (person && roleIn(person, accountId) !== undefined) return person;
  throw noMember(accountId, email);
}

export function noMember(accountId: string, email: string): Refusal {
  return new Refusal(
    `${printable(email)} is not a member of account ${accountId}. List them: jobs-delete people list --account ${accountId}`,
  );
}

export function roleIn({ memberships }: Person, accountId: string): Role | undefined {
  return memberships.find((membership) => membership.accountId === accountId)?.role;
}

/** Returns the address as it is stored. @throws Refusal */
export function requireEmail(text: string): string {
  const email = parseEmail(text);
  if (email === undefined) throw noEmail(text);
  return email;
}

export function noEmail(text: string): Refusal {
  return wrongUsage(`'${printable(text)}' is not an e-mail address. Use one such as ada@example.com.`);
}
