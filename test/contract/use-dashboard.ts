import type { Accounts } from '@jobs-delete/accounts/accounts';
import { acme } from '@jobs-delete/accounts/contract/fixtures';
import {
  laterMs,
  oneTimeSecret,
  passkey,
  person,
  session,
} from '@jobs-delete/accounts/contract/people-fixtures';
import { newAuditEntry } from '@jobs-delete/accounts/people/new-audit-entry';

/** Calls every method of the dashboard, beside enough other documents that an index is worth its use. */
export async function useDashboard(accounts: Accounts): Promise<void> {
  const people = Array.from({ length: 20 }, () =>
    person({ memberships: [{ accountId: acme.id, role: 'viewer' }], passkeys: [passkey()] }),
  );
  for (const each of people) {
    await accounts.addPerson(each);
    await accounts.addSession(session(each.id));
    await accounts.addOneTimeSecret(oneTimeSecret());
    const action = { accountId: acme.id, action: 'signed-in', actor: each.email } as const;
    await accounts.recordAction(newAuditEntry(action, laterMs));
    await accounts.addRefusals([{ accountId: acme.id, day: '2090-01-31', code: each.id, count: 1 }]);
  }
  const [ada = person()] = people;
  await usePeople(accounts, ada.id, ada.email);
  await useSessions(accounts, ada.id);
  const entries = await accounts.listActions({ accountId: acme.id, pageSize: 5 });
  await accounts.listActions({ accountId: acme.id, pageSize: 5, after: entries.at(-1) });
  await accounts.listRefusals(acme.id, '2090-01-30');
  await accounts.expireRefusals('2090-01-30');
}

async function usePeople(accounts: Accounts, id: string, email: string): Promise<void> {
  const hash = Buffer.alloc(32);
  const added = passkey();
  await accounts.findPerson(id);
  await accounts.findPersonByEmail(email);
  await accounts.findPersonByPasskey('none');
  await accounts.listPeople(acme.id);
  await accounts.setMembership(id, { accountId: acme.id, role: 'owner' });
  await accounts.removeMembership(id, 'other');
  await accounts.setPassword(id, 'hash');
  await accounts.setTotp(id, { totp: { secret: hash, lastStep: 1 }, recoveryCodes: [hash] });
  await accounts.useTotpStep(id, 2);
  await accounts.useRecoveryCode(id, hash);
  await accounts.addPasskey(id, added);
  await accounts.addPasskey(id, added);
  await accounts.recordPasskeyUse(id, added.id, 1, laterMs);
  await accounts.removePasskey(id, added.id);
  await accounts.removeSignInMethods(id);
}

async function useSessions(accounts: Accounts, personId: string): Promise<void> {
  const [own] = await accounts.listSessions(personId);
  const { hash, id } = own ?? session(personId);
  await accounts.findSession(hash);
  await accounts.changeSession(hash, { lastSeenAtMs: laterMs });
  await accounts.endSession(personId, 'none');
  await accounts.endOtherSessions(personId, id);
  await accounts.endOtherSessions(personId, undefined);
  await accounts.expireSessions(laterMs - 1);
  await accounts.findOneTimeSecret('invitation', hash, laterMs);
  await accounts.takeOneTimeSecret('invitation', hash, laterMs);
  await accounts.listInvitations(acme.id, laterMs);
  await accounts.cancelLinks(acme.id, 'nobody@example.com');
  await accounts.expireOneTimeSecrets(laterMs - 1);
}
