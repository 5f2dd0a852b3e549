import { expect } from '@jest/globals';
import { membershipOf, type Role } from '@jobs-delete/accounts/people/people';
import { originOf } from '@jobs-delete/dashboard/testing/enrol';
import { fieldOf, textOf } from '@jobs-delete/dashboard/testing/read-page';
import { createSoftwareAuthenticator } from '@jobs-delete/dashboard/testing/software-authenticator';
import type { TestDashboard } from '@jobs-delete/dashboard/testing/start-test-dashboard';
import type { TestBrowser } from '@jobs-delete/dashboard/testing/test-browser';

let accountCount = 0;

/** Returns the id of an account that no other test uses. */
export function newAccount(name: string): string {
  return `${name}-${String((accountCount += 1))}`;
}

export function authenticatorFor(dashboard: TestDashboard) {
  return createSoftwareAuthenticator(originOf(dashboard));
}

/** Invites an address as an owner does, on the pages. Returns the path of the link. */
export async function invite(owner: TestBrowser, email: string, role: Role = 'viewer'): Promise<string> {
  const once = fieldOf(await owner.get('/people/invite'), 'once');
  const page = await owner.post('/people/invite', { once, email, role });
  return new URL(textOf(page, 'link')).pathname;
}

/** Removes the member with this address, as an owner does. */
export async function removeMember(
  { accounts }: TestDashboard,
  owner: TestBrowser,
  accountId: string,
  email: string,
): Promise<void> {
  const people = await accounts.listPeople(accountId);
  const member = people.find((person) => membershipOf(person, accountId)?.email === email);
  await owner.get('/people');
  const answer = await owner.post(`/people/${member?.id ?? ''}/remove`);
  expect(answer).toMatchObject({ status: 303, location: '/people?notice=person-removed' });
}
