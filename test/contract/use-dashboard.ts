import type { Accounts } from '@jobs-delete/accounts/accounts';
import { acme } from '@jobs-delete/accounts/contract/accounts.fixture';
import {
  entry,
  laterMs,
  member,
  oneTimeSecret,
  passkey,
  person,
  session,
} from '@jobs-delete/accounts/contract/people.fixture';
import { refusedRequest } from '@jobs-delete/accounts/contract/refusals';
import { newAuditEntry } from '@jobs-delete/accounts/people/audit-trail';

/** Calls every method of the dashboard, beside enough other documents that an index is worth its use. */
export async function useDashboard(accounts: Accounts): Promise<void> {
  const people = Array.from({ length: 20 }, () =>
    person({ memberships: [member('owner')], passkeys: [passkey()] }),
  );
  for (const each of people) {
    await accounts.addPerson(each);
    await accounts.addSession(session(each.id));
    await accounts.addOneTimeSecret(oneTimeSecret());
    const action = { accountId: acme.id, action: 'signed-in', actor: 'ada@example.com' } as const;
    await accounts.recordAction(newAuditEntry(action, laterMs));
    await accounts.addRefusals([{ accountId: acme.id, day: '2090-01-31', code: each.id, count: 1 }]);
    await accounts.addRefusedRequests([refusedRequest(people.indexOf(each))]);
  }
  const [ada = person()] = people;
  await usePeople(accounts, ada.id);
  await useSessions(accounts, ada.id);
  const entries = await accounts.listActions({ accountId: acme.id, pageSize: 5 });
  await accounts.listActions({ accountId: acme.id, pageSize: 5, after: entries.at(-1) });
  await accounts.listActions({ accountId: acme.id, pageSize: 5, fromMs: 1, toMs: 2, after: entries.at(-1) });
  await accounts.listRefusals(acme.id, '2090-01-30');
  await accounts.expireRefusals('2090-01-30');
  const requests = { accountId: acme.id, fromMs: 0, pageSize: 5 };
  const newest = await accounts.listRefusedRequests(requests);
  await accounts.listRefusedRequests({ ...requests, code: 'job_not_found', after: newest.at(-1) });
  await accounts.expireRefusedRequests(1);
}

async function usePeople(accounts: Accounts, id: string): Promise<void> {
  const added = passkey();
  await accounts.findPerson(id);
  await accounts.findPersonByPasskey('none');
  await accounts.findPersonByOpenId({ issuer: 'https://login.example.com', subject: 'none' });
  await accounts.listPeople(acme.id);
  await accounts.recordMemberSeen(acme.id, id, laterMs);
  await accounts.addPasskey(id, added);
  await accounts.addPasskey(id, added);
  await accounts.recordPasskeyUse(id, added.id, 1, laterMs);
  await accounts.removePasskey(id, added.id, 'none', entry('passkey.removed'));
  const invitation = oneTimeSecret();
  await accounts.addOneTimeSecret(oneTimeSecret());
  await accounts.addOneTimeSecret(invitation);
  const newPerson = { id: 'new', createdAtMs: laterMs, passkeys: [passkey()] };
  await accounts.acceptInvitation(invitation.hash, { newPerson }, { id: 'joined', atMs: laterMs });
  await accounts.changeRole(acme.id, 'new', 'manager', entry('person.role-changed'));
  await accounts.changeRole(acme.id, 'new', 'owner', entry('person.role-changed'));
  await accounts.removeMember(acme.id, 'new', entry('person.removed'));
}

async function useSessions(accounts: Accounts, personId: string): Promise<void> {
  const [own] = await accounts.listSessions(personId);
  const { hash, id } = own ?? session(personId);
  await accounts.findSession(hash);
  await accounts.changeSession(hash, { lastSeenAtMs: laterMs });
  await accounts.endSession(personId, 'none');
  await accounts.endOtherSessions(personId, id);
  await accounts.expireSessions(laterMs - 1);
  const link = oneTimeSecret({ kind: 'sign-in' });
  await accounts.addOneTimeSecret(link);
  await accounts.addLinkedSession(link.hash, session(personId), entry('signed-in'));
  await accounts.findOneTimeSecret('invitation', hash, laterMs);
  await accounts.takeOneTimeSecret('invitation', hash, laterMs);
  await accounts.listInvitations(acme.id, laterMs);
  await accounts.cancelInvitation(acme.id, 'nobody@example.com');
  await accounts.useOnce(hash, laterMs);
  await accounts.expireOneTimeSecrets(laterMs - 1);
}
