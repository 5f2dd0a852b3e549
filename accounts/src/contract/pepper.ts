import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { acme, count, credential, type ContractContext } from './fixtures.ts';

/** A store accepts only the pepper that it was first used with. */
export function pepperCases({ accounts, connect }: ContractContext): void {
  const fingerprint = (text: string) => createHash('sha256').update(text).digest();

  test('the first fingerprint is kept, and any other is different, over every connection', async () => {
    const stores = [accounts(), await connect()];
    expect(await accounts().findPepperFingerprint()).toBeUndefined();
    expect(await accounts().keepPepperFingerprint(fingerprint('first'))).toBe('same');
    for (const store of stores) {
      expect(await store.keepPepperFingerprint(fingerprint('other'))).toBe('different');
      expect(await store.keepPepperFingerprint(fingerprint('first'))).toBe('same');
      expect(await store.findPepperFingerprint()).toEqual(fingerprint('first'));
    }
  });

  test('a fingerprint that differs by its last bit is different', async () => {
    const first = fingerprint('first');
    const near = Buffer.from(first);
    near.writeUInt8(near.readUInt8(31) ^ 1, 31);
    await accounts().keepPepperFingerprint(first);
    expect(await accounts().keepPepperFingerprint(near)).toBe('different');
  });

  test('exactly one of several concurrent fingerprints is kept', async () => {
    const stores = [accounts(), await connect(), await connect()];
    const racers = Array.from({ length: 12 }, (_, index) => fingerprint(`racer ${index}`));
    const outcomes = await Promise.all(
      racers.map((racer, index) =>
        (stores[index % stores.length] ?? accounts()).keepPepperFingerprint(racer),
      ),
    );
    expect(count(outcomes, 'same')).toBe(1);
    for (const [index, racer] of racers.entries())
      expect(await accounts().keepPepperFingerprint(racer)).toBe(outcomes[index]);
  });

  test('processes that start at the same time with one pepper all get `same`', async () => {
    const stores = [accounts(), await connect(), await connect()];
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        (stores[index % stores.length] ?? accounts()).keepPepperFingerprint(fingerprint('one')),
      ),
    );
    expect(count(outcomes, 'same')).toBe(12);
  });

  test('the fingerprint does not affect accounts and credentials', async () => {
    const token = credential('token');
    await accounts().keepPepperFingerprint(fingerprint('first'));
    await accounts().addAccount(acme);
    await accounts().addCredential(token);
    expect(await accounts().listAccounts()).toEqual([acme]);
    expect(await accounts().loadAccess(token.id)).toEqual({ token, allowedDomains: [] });
    expect(await accounts().keepPepperFingerprint(fingerprint('first'))).toBe('same');
  });
}
