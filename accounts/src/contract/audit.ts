import { expect, test } from '@jest/globals';
import type { AuditEntry } from '../people/audit-trail.ts';
import { newAuditEntry } from '../people/new-audit-entry.ts';
import { acme, other, type ContractContext } from './fixtures.ts';

export function auditCases({ accounts, reopen }: ContractContext): void {
  const entry = (atMs: number, fields: Partial<AuditEntry> = {}): AuditEntry => ({
    ...newAuditEntry({ accountId: acme.id, action: 'signed-in', actor: 'ada@example.com' }, atMs),
    ...fields,
  });
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

  test('an existing id is a fault, and changes nothing', async () => {
    await accounts().addAccount(acme);
    const first = entry(1);
    await accounts().recordAction(first);
    const twin = entry(2, { id: first.id });
    await expect(accounts().recordAction(twin)).rejects.toMatchObject({ name: 'Fault', code: 'internal' });
    expect(await list(acme.id)).toEqual([first]);
  });
}
