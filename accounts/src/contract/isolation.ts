import { expect, test } from '@jest/globals';
import { acme, credential, kinds, withoutHash, type ContractContext } from './accounts.fixture.ts';
import type { StoredCredential } from '../accounts.ts';

/** No account can read or change the data of another. */
export function isolationCases({ accounts }: ContractContext): void {
  // Each account has its own credentials and domain. All share one domain.
  const ids = ['acme', 'ACME', 'acme-2'];

  test.each(['Acme', 'acme ', 'acm', 'acme%', '', "acme' OR '1'='1", 'acme\0', 'acme\0x', 'ａcme'])(
    'the look-alike id %j is no account',
    async (lookAlike) => {
      const token = credential('token');
      await accounts().addAccount(acme);
      await accounts().addCredential(token);
      await accounts().allowDomain(acme.id, 'example.com');
      expect(await accounts().findAccount(lookAlike)).toBeUndefined();
      expect(await accounts().listCredentials('token', lookAlike)).toEqual([]);
      expect(await accounts().listDomains(lookAlike)).toEqual([]);
      expect(await accounts().allowDomain(lookAlike, 'evil.example')).toBe('no_account');
      expect(await accounts().removeDomain(lookAlike, 'example.com')).toBe(false);
      expect(await accounts().addCredential(credential('token', { accountId: lookAlike }))).toBe(
        'no_account',
      );
      expect(await accounts().revokeCredential(lookAlike, token, 5)).toBe('not_found');
      expect(await accounts().changeCredential(lookAlike, token, { pausedAtMs: 5 })).toBe('not_found');
    },
  );

  test.each(ids)('the account %s can neither read nor change other accounts', async (mine) => {
    const owned = new Map<string, StoredCredential[]>();
    for (const accountId of ids) {
      await accounts().addAccount({ id: accountId, createdAtMs: 1 });
      owned.set(
        accountId,
        kinds.map((kind) => credential(kind, { accountId })),
      );
      for (const each of owned.get(accountId) ?? []) await accounts().addCredential(each);
      for (const domain of [`${accountId}.example`, 'shared.example'])
        await accounts().allowDomain(accountId, domain);
    }
    const others = ids.filter((id) => id !== mine);

    for (const each of others.flatMap((id) => owned.get(id) ?? [])) {
      expect(await accounts().revokeCredential(mine, each, 5)).toBe('not_found');
      for (const change of [{ pausedAtMs: 5 }, { pausedAtMs: null }, { name: 'x', from: undefined }])
        expect(await accounts().changeCredential(mine, each, change)).toBe('not_found');
      expect(await accounts().findCredential(each)).toEqual(each);
    }
    for (const id of others) expect(await accounts().removeDomain(mine, `${id}.example`)).toBe(false);
    expect(await accounts().removeDomain(mine, 'shared.example')).toBe(true);

    for (const id of ids) {
      const domains = id === mine ? [`${id}.example`] : [`${id}.example`, 'shared.example'];
      expect(await accounts().listDomains(id)).toEqual(domains);
      for (const each of owned.get(id) ?? []) {
        expect(await accounts().listCredentials(each.kind, id)).toEqual([withoutHash(each)]);
        if (each.kind === 'token')
          expect((await accounts().loadAccess(each.id))?.allowedDomains).toEqual(domains);
      }
    }
  });
}

export function accessCases({ accounts }: ContractContext): void {
  test('the access of a token is the token and its account’s domains', async () => {
    const token = credential('token', { name: 'CI', expiresAtMs: 9 });
    await accounts().addAccount(acme);
    await accounts().addCredential(token);
    expect(await accounts().loadAccess(token.id)).toEqual({ token, allowedDomains: [] });
    for (const domain of ['b.example', 'a.example']) await accounts().allowDomain(acme.id, domain);
    expect(await accounts().loadAccess(token.id)).toEqual({
      token,
      allowedDomains: ['a.example', 'b.example'],
    });
  });

  test('neither an unknown id nor the id of a secret key gives access', async () => {
    const secretKey = credential('secret-key');
    await accounts().addAccount(acme);
    await accounts().addCredential(secretKey);
    expect(await accounts().loadAccess('none')).toBeUndefined();
    expect(await accounts().loadAccess(secretKey.id)).toBeUndefined();
  });
}
