import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { acme, credential } from '@jobs-delete/accounts/contract/accounts.fixture';
import {
  entry,
  oneTimeSecret,
  passkey,
  person,
  session,
} from '@jobs-delete/accounts/contract/people.fixture';
import { refusedRequest } from '@jobs-delete/accounts/contract/refusals';
import { connectMongoAccounts, type MongoAccounts } from '@jobs-delete/accounts/mongo/mongo-accounts';
import { mongoAccountsModels } from '@jobs-delete/accounts/mongo/mongo-accounts-schema';
import { createIndexes } from '@jobs-delete/runtime/mongo/mongo-indexes';
import { databaseOf, openMongo, type Mongo } from '@jobs-delete/runtime/mongo/open-mongo';
import { describeWith } from '../servers/describe-with.ts';
import { openMongoLine, type MongoLine } from '../servers/line.ts';
import { databaseUrl, uniqueName } from '../servers/unique-storage.ts';

describeWith('mongodb', 'accounts in a MongoDB that fails', (serverUrl) => {
  const token = credential('token');
  const hash = Buffer.alloc(32);
  const url = databaseUrl(serverUrl, uniqueName('accounts_faults'));
  let admin: Mongo;
  let line: MongoLine;
  let accounts: MongoAccounts;

  beforeAll(async () => {
    admin = await openMongo(url);
    await createIndexes(mongoAccountsModels(admin));
  });
  afterAll(async () => {
    await databaseOf(admin).dropDatabase();
    await admin.close();
  });
  beforeEach(async () => {
    for (const { collection } of mongoAccountsModels(admin)) await collection.deleteMany({});
    line = await openMongoLine(url);
    accounts = await connectMongoAccounts(line.url);
    await accounts.addAccount(acme);
    await accounts.addCredential(token);
  });
  afterEach(async () => {
    // Closes the line first: a closing client waits for a reply, and a silent server sends none.
    await line.close();
    await accounts.close();
  });

  const reads = {
    findAccount: () => accounts.findAccount(acme.id),
    findAccounts: () => accounts.findAccounts([acme.id]),
    listAccounts: () => accounts.listAccounts(),
    findCredential: () => accounts.findCredential(token),
    listCredentials: () => accounts.listCredentials('token', acme.id),
    listDomains: () => accounts.listDomains(acme.id),
    listDomainUses: () => accounts.listDomainUses(acme.id),
    loadAccess: () => accounts.loadAccess(token.id),
    findPepperFingerprints: () => accounts.findPepperFingerprints(),
    findPerson: () => accounts.findPerson('none'),
    findPersonByOpenId: () => accounts.findPersonByOpenId({ issuer: 'none', subject: 'none' }),
    findPersonByPasskey: () => accounts.findPersonByPasskey('none'),
    listPeople: () => accounts.listPeople(acme.id),
    findSession: () => accounts.findSession(hash),
    listSessions: () => accounts.listSessions('none'),
    findOneTimeSecret: () => accounts.findOneTimeSecret('invitation', hash, 1),
    listInvitations: () => accounts.listInvitations(acme.id, 1),
    listActions: () => accounts.listActions({ accountId: acme.id, pageSize: 1 }),
    listRefusals: () => accounts.listRefusals(acme.id, '2090-01-01'),
    listRefusedRequests: () => accounts.listRefusedRequests({ accountId: acme.id, fromMs: 0, pageSize: 1 }),
  };
  const writes = {
    addAccount: () => accounts.addAccount({ ...acme, id: 'late' }),
    addCredential: () => accounts.addCredential(credential('token')),
    revokeCredential: () => accounts.revokeCredential(acme.id, token, 1),
    changeCredential: () => accounts.changeCredential(acme.id, token, { pausedAtMs: 1 }),
    recordUse: () => accounts.recordUse([token], 1),
    allowDomain: () => accounts.allowDomain(acme.id, 'late.example'),
    recordDomainUse: () => accounts.recordDomainUse([{ accountId: acme.id, domain: 'a.example' }], 1),
    removeDomain: () => accounts.removeDomain(acme.id, 'late.example'),
    keepPepperFingerprint: () => accounts.keepPepperFingerprint(Buffer.alloc(32)),
    replaceHash: () => accounts.replaceHash(token, token.hash, { hash: token.hash, pepperId: 'same' }),
    changePepperFingerprints: () =>
      accounts.changePepperFingerprints({ first: Buffer.alloc(32) }, { first: Buffer.alloc(32) }),
    addPerson: () => accounts.addPerson(person()),
    acceptInvitation: () => accounts.acceptInvitation(hash, { personId: 'none' }, { id: 'joined', atMs: 1 }),
    changeRole: () => accounts.changeRole(acme.id, 'none', 'owner', entry('person.role-changed')),
    removeMember: () => accounts.removeMember(acme.id, 'none', entry('person.removed')),
    recordMemberSeen: () => accounts.recordMemberSeen(acme.id, 'none', 1),
    addPasskey: () => accounts.addPasskey('none', passkey()),
    recordPasskeyUse: () => accounts.recordPasskeyUse('none', 'none', 1, 1),
    addSession: () => accounts.addSession(session('none')),
    changeSession: () => accounts.changeSession(hash, { lastSeenAtMs: 1 }),
    endSession: () => accounts.endSession('none', 'none'),
    endOtherSessions: () => accounts.endOtherSessions('none', 'none'),
    addOneTimeSecret: () => accounts.addOneTimeSecret(oneTimeSecret()),
    takeOneTimeSecret: () => accounts.takeOneTimeSecret('invitation', hash, 1),
    cancelInvitation: () => accounts.cancelInvitation(acme.id, 'none@example.com'),
    useOnce: () => accounts.useOnce(hash, 1),
    recordAction: () =>
      accounts.recordAction({
        id: 'late',
        accountId: acme.id,
        atMs: 1,
        action: 'signed-in',
        actor: 'none@example.com',
      }),
    addRefusals: () =>
      accounts.addRefusals([{ accountId: acme.id, day: '2090-01-01', code: 'token_invalid', count: 1 }]),
    addRefusedRequests: () => accounts.addRefusedRequests([refusedRequest(1)]),
  };
  const faultsOf = async (uses: Record<string, () => Promise<unknown>>) => {
    const entries = Object.entries(uses).map(async ([name, use]) => [name, await faultOf(use())] as const);
    return Object.fromEntries(await Promise.all(entries));
  };
  const all = (uses: Record<string, unknown>, code: string) =>
    Object.fromEntries(Object.keys(uses).map((name) => [name, code]));

  test('reads are unavailable and writes unknown during an outage, and both work after it', async () => {
    line.cut();
    const [read, written] = await Promise.all([faultsOf(reads), faultsOf(writes)]);
    expect(read).toEqual(all(reads, 'unavailable'));
    expect(written).toEqual(all(writes, 'unknown-outcome'));
    line.mend();
    expect(await accounts.findAccount('late')).toBeUndefined();
    expect((await accounts.loadAccess(token.id))?.token).toEqual(token);
  });

  test('calls to a silent server time out', async () => {
    line.swallow();
    const startedAtMs = performance.now();
    const [read, written] = await Promise.all([faultsOf(reads), faultsOf(writes)]);
    expect(performance.now() - startedAtMs).toBeLessThan(8_000);
    expect(read).toEqual(all(reads, 'unavailable'));
    expect(written).toEqual(all(writes, 'unknown-outcome'));
  });

  test('a write whose reply was lost has an unknown outcome', async () => {
    line.cutBeforeAnswerTo('insert');
    expect(await faultOf(writes.addAccount())).toBe('unknown-outcome');
    line.mend();
    expect(await accounts.findAccount('late')).toEqual({ ...acme, id: 'late' });
    expect(await writes.addAccount()).toBe('exists');
  });

  test('calls after close are refused', async () => {
    const other = await connectMongoAccounts(line.url);
    await other.close();
    expect(await faultOf(other.findAccount(acme.id))).toBe('unavailable');
    expect(await faultOf(other.addAccount({ ...acme, id: 'late' }))).toBe('unknown-outcome');
  });
});

async function faultOf(use: Promise<unknown>): Promise<unknown> {
  try {
    return { answered: await use };
  } catch (error) {
    return error instanceof Error && error.name === 'Fault' && 'code' in error ? error.code : error;
  }
}
