import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Accounts, CredentialKind, StoredCredential } from '../accounts.ts';
import { acme, count, credential, kinds, other, race, type ContractContext } from './accounts.fixture.ts';

/** A store accepts only the pepper that it was first used with. */
export function pepperCases(context: ContractContext): void {
  fingerprintCases(context);
  rotationCases(context);
  pepperCountCases(context);
}

const fingerprint = (text: string) => createHash('sha256').update(text).digest();

/** Resolves to whether the stored fingerprint is this one. */
async function keep(store: Accounts, first: Buffer): Promise<boolean> {
  await store.keepPepperFingerprint(first);
  return (await store.findPepperFingerprints())?.first.equals(first) === true;
}

function fingerprintCases(context: ContractContext): void {
  const { accounts, connect } = context;

  test('the first fingerprint is kept, and no other replaces it, over every connection', async () => {
    const stores = [accounts(), await connect()];
    expect(await accounts().findPepperFingerprints()).toBeUndefined();
    expect(await keep(accounts(), fingerprint('first'))).toBe(true);
    for (const store of stores) {
      expect(await keep(store, fingerprint('other'))).toBe(false);
      expect(await keep(store, fingerprint('first'))).toBe(true);
      expect(await store.findPepperFingerprints()).toEqual({ first: fingerprint('first') });
    }
  });

  test('exactly one of several concurrent fingerprints is kept', async () => {
    const kept = await race(context, (store, index) => keep(store, fingerprint(`racer ${index}`)));
    expect(count(kept, true)).toBe(1);
    for (const [index, isKept] of kept.entries())
      expect(await keep(accounts(), fingerprint(`racer ${index}`))).toBe(isKept);
  });

  test('the fingerprint does not affect accounts and credentials', async () => {
    const token = credential('token');
    expect(await keep(accounts(), fingerprint('first'))).toBe(true);
    await accounts().addAccount(acme);
    await accounts().addCredential(token);
    expect(await accounts().listAccounts()).toEqual([acme]);
    expect(await accounts().loadAccess(token.id)).toEqual({ token, allowedDomains: [] });
    expect(await keep(accounts(), fingerprint('first'))).toBe(true);
  });
}

/** Two peppers during a rotation, and their credentials. */
function rotationCases({ accounts, connect }: ContractContext): void {
  test('fingerprints change only from the stored ones, over every connection', async () => {
    const [one, two, three] = [fingerprint('one'), fingerprint('two'), fingerprint('three')];
    const stores = [accounts(), await connect()] as const;
    const change = (...args: Parameters<Accounts['changePepperFingerprints']>) =>
      stores[1].changePepperFingerprints(...args);
    expect(await change({ first: one }, { first: two })).toBe(false);
    await stores[0].keepPepperFingerprint(one);
    expect(await change({ first: two }, { first: three })).toBe(false);
    expect(await change({ first: one, second: two }, { first: three })).toBe(false);
    expect(await change({ first: one }, { first: one, second: two })).toBe(true);
    expect(await change({ first: one }, { first: three })).toBe(false);
    expect(await stores[0].findPepperFingerprints()).toEqual({ first: one, second: two });
    expect(await keep(stores[0], two)).toBe(false);
    expect(await change({ first: one, second: two }, { first: two })).toBe(true);
    expect(await stores[0].findPepperFingerprints()).toEqual({ first: two });
    expect(await keep(stores[0], two)).toBe(true);
  });

  test.each(kinds)('the hash of a %s is replaced once, with its pepper, and nothing else', async (kind) => {
    const stored = credential(kind, { name: 'CI', lastUsedAtMs: 5 });
    const twin = { ...stored, kind: kinds.find((other) => other !== kind) ?? kind };
    await accounts().addAccount(acme);
    for (const each of [stored, twin]) await accounts().addCredential(each);
    const to = { hash: fingerprint('new hash'), pepperId: '0123456789abcdef' };
    await accounts().replaceHash(stored, fingerprint('another hash'), to);
    expect(await accounts().findCredential(stored)).toEqual(stored);
    await accounts().replaceHash(stored, stored.hash, to);
    await accounts().replaceHash(stored, stored.hash, { hash: fingerprint('late'), pepperId: 'late' });
    await accounts().replaceHash({ kind, id: 'unknown' }, stored.hash, to);
    expect(await accounts().findCredential(stored)).toEqual({ ...stored, ...to });
    expect(await accounts().findCredential(twin)).toEqual(twin);
    const loaded = await accounts().loadAccess(stored.id);
    expect(loaded?.token).toEqual(kind === 'token' ? { ...stored, ...to } : twin);
  });
}

/** How far a rotation is. */
function pepperCountCases({ accounts }: ContractContext): void {
  test('live credentials of all accounts are counted by pepper', async () => {
    const atMs = 1_000;
    for (const account of [acme, other]) await accounts().addAccount(account);
    const add = (kind: CredentialKind, fields: Partial<StoredCredential>) =>
      accounts().addCredential(credential(kind, fields));
    expect(await accounts().countByPepper(atMs)).toEqual([]);
    for (const kind of kinds) {
      await add(kind, {});
      await add(kind, { pepperId: 'a', accountId: other.id, pausedAtMs: 1 });
      await add(kind, { pepperId: 'b', revokedAtMs: 1 });
    }
    await add('token', { pepperId: 'b', expiresAtMs: atMs + 1 });
    await add('token', { pepperId: 'b', expiresAtMs: atMs });
    await add('token', { expiresAtMs: atMs - 1 });
    const counts = await accounts().countByPepper(atMs);
    expect(counts).toHaveLength(3);
    expect(counts).toEqual(
      expect.arrayContaining([
        { credentials: 2 },
        { pepperId: 'a', credentials: 2 },
        { pepperId: 'b', credentials: 1 },
      ]),
    );
  });
}
