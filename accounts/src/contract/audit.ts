import { expect, test } from '@jest/globals';
import type { Accounts } from '../accounts.ts';
import { type AuditEntry, type AuditQuery, newAuditEntry } from '../people/audit-trail.ts';
import { type ContractContext, acme, credential, other } from './accounts.fixture.ts';
import { oneTimeSecret, passkey, person, session } from './people.fixture.ts';

export function auditCases(context: ContractContext): void {
  listingCases(context);
  recordingCases(context);
}

function entry(atMs: number, fields: Partial<AuditEntry> = {}): AuditEntry {
  return {
    ...newAuditEntry({ accountId: acme.id, action: 'signed-in', actor: 'ada@example.com' }, atMs),
    ...fields,
  };
}

function listingCases({ accounts, reopen }: ContractContext): void {
  const list = (accountId: string) => accounts().listActions({ accountId, pageSize: 100 });

  test('an account lists its own actions only, as they were recorded, newest first', async () => {
    for (const account of [acme, other]) await accounts().addAccount(account);
    const old = entry(1_000, { action: 'token.created', subject: '$id', network: '192.0.2.1' });
    const [recent, theirs] = [entry(2_000), entry(1_500, { accountId: other.id })];
    for (const each of [recent, old, theirs]) await accounts().recordAction(each);
    expect(await list(acme.id)).toEqual([recent, old]);
    expect(await list(other.id)).toEqual([theirs]);
    expect(await list('ACME')).toEqual([]);
    const again = await reopen();
    expect(await again.listActions({ accountId: acme.id, pageSize: 100 })).toEqual([recent, old]);
  });

  test('pages have every entry once, also when several have one time', async () => {
    await accounts().addAccount(acme);
    await accounts().addAccount(other);
    const entries = [3, 2, 2, 2, 2, 1, 1].map((atMs) => entry(atMs));
    for (const each of entries) await accounts().recordAction(each);
    await accounts().recordAction(entry(2, { accountId: other.id }));
    const all = entries.sort((a, b) => b.atMs - a.atMs || (a.id < b.id ? 1 : -1));
    const pages: (readonly AuditEntry[])[] = [];
    for (let page: readonly AuditEntry[] | undefined; page === undefined || page.length > 0;) {
      page = await accounts().listActions({ accountId: acme.id, pageSize: 2, after: page?.at(-1) });
      pages.push(page);
    }
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 2, 1, 0]);
    expect(pages.flat()).toEqual(all);
  });

  test('the entries of a range of time are listed, without its end, also in pages', async () => {
    for (const account of [acme, other]) await accounts().addAccount(account);
    const entries = [5, 4, 3, 3, 2, 1].map((atMs) => entry(atMs));
    for (const each of entries) await accounts().recordAction(each);
    await accounts().recordAction(entry(3, { accountId: other.id }));
    const timesOf = async (query: Partial<AuditQuery>) =>
      (await accounts().listActions({ accountId: acme.id, pageSize: 100, ...query })).map(({ atMs }) => atMs);
    expect(await timesOf({ fromMs: 3 })).toEqual([5, 4, 3, 3]);
    expect(await timesOf({ toMs: 3 })).toEqual([2, 1]);
    expect(await timesOf({ fromMs: 2, toMs: 5 })).toEqual([4, 3, 3, 2]);
    expect(await timesOf({ fromMs: 4, toMs: 4 })).toEqual([]);
    const range = { accountId: acme.id, pageSize: 2, fromMs: 2, toMs: 5 };
    const first = await accounts().listActions(range);
    const second = await accounts().listActions({ ...range, after: first.at(-1) });
    expect([...first, ...second].map(({ atMs }) => atMs)).toEqual([4, 3, 3, 2]);
    expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(4);
    // A cursor outside the range widens nothing.
    const [newest] = await accounts().listActions({ accountId: acme.id, pageSize: 1 });
    expect(await timesOf({ toMs: 3, after: newest })).toEqual([2, 1]);
  });

  test('an entry is recorded once by its id', async () => {
    await accounts().addAccount(acme);
    const first = entry(1);
    expect(await accounts().recordAction(first)).toBe('recorded');
    const twin = entry(2, { id: first.id });
    expect(await accounts().recordAction(twin)).toBe('exists');
    expect(await list(acme.id)).toEqual([first]);
    const { id } = first;
    expect(await accounts().hasAction(acme.id, id)).toBe(true);
    expect(await accounts().hasAction(other.id, id)).toBe(false);
    expect(await accounts().hasAction(acme.id, entry(3).id)).toBe(false);
  });
}

function recordingCases({ accounts }: ContractContext): void {
  const list = (accountId: string) => accounts().listActions({ accountId, pageSize: 100 });
  /** Each change, which changes nothing the second time. */
  const ada = person({ passkeys: [passkey(), passkey()] });
  const token = credential('token');
  const [added, ended] = [session(ada.id), session(ada.id)];
  const [created, taken] = [oneTimeSecret({ kind: 'sign-in' }), oneTimeSecret()];
  const newPasskey = passkey();
  type Change = (accounts: Accounts, recorded: AuditEntry) => Promise<unknown>;
  const changes: readonly [string, Change][] = [
    ['addCredential', (store, entry) => store.addCredential(token, entry)],
    ['revokeCredential', (store, entry) => store.revokeCredential(acme.id, stored, 1, entry)],
    ['allowDomain', (store, entry) => store.allowDomain(acme.id, 'new.example', entry)],
    ['removeDomain', (store, entry) => store.removeDomain(acme.id, 'old.example', entry)],
    ['addPasskey', (store, entry) => store.addPasskey(ada.id, newPasskey, entry)],
    [
      'removePasskey',
      (store, entry) => store.removePasskey(ada.id, ada.passkeys[0]?.id ?? '', ended.id, entry),
    ],
    ['addSession', (store, entry) => store.addSession(added, entry)],
    ['endSession', (store, entry) => store.endSession(ada.id, ended.id, entry)],
    ['endOtherSessions', (store, entry) => store.endOtherSessions(ada.id, 'none', entry)],
    ['addOneTimeSecret', (store, entry) => store.addOneTimeSecret(created, entry)],
    ['takeOneTimeSecret', (store, entry) => store.takeOneTimeSecret('invitation', taken.hash, 1, entry)],
    ['cancelInvitation', (store, entry) => store.cancelInvitation(acme.id, 'ada@example.com', entry)],
  ];
  const stored = credential('token');
  const prepare = async () => {
    for (const account of [acme, other]) await accounts().addAccount(account);
    await accounts().addCredential(stored);
    await accounts().allowDomain(acme.id, 'old.example');
    await accounts().addPerson(ada);
    await accounts().addSession(ended);
    await accounts().addOneTimeSecret(taken);
  };

  test.each(changes)('%s records its change once, and nothing if it changes nothing', async (_, change) => {
    await prepare();
    const first = entry(1);
    await change(accounts(), first);
    // An addition that exists already may be a fault.
    await change(accounts(), entry(2)).catch(() => undefined);
    expect(await list(acme.id)).toEqual([first]);
  });

  test.each(changes)('%s changes nothing if it cannot record the change', async (_, change) => {
    await prepare();
    const recorded = entry(1);
    await accounts().recordAction(recorded);
    await expect(change(accounts(), recorded)).rejects.toMatchObject({ name: 'Fault' });
    const next = entry(2);
    await change(accounts(), next);
    expect(await list(acme.id)).toEqual([next, recorded]);
  });
}
