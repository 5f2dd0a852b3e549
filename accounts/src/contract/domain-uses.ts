import { expect, test } from '@jest/globals';
import { acme, other, race, type ContractContext } from './accounts.fixture.ts';

export function domainUseCases(context: ContractContext): void {
  const { accounts, reopen } = context;
  const record = (accountId: string, domain: string, atMs: number) =>
    accounts().recordDomainUse([{ accountId, domain }], atMs);

  test('a use raises the time of its own domain and account only, and never lowers it', async () => {
    for (const { id } of [acme, other]) {
      await accounts().addAccount({ id, createdAtMs: 1 });
      for (const domain of ['a.example', '*.example.com', 'https://b.example:8443'])
        await accounts().allowDomain(id, domain);
    }
    for (const atMs of [2_000, 3_000, 1_000]) await record(acme.id, '*.example.com', atMs);
    await record(acme.id, 'https://b.example:8443', 5_000);
    expect(await accounts().listDomainUses(acme.id)).toEqual([
      { domain: '*.example.com', lastUsedAtMs: 3_000 },
      { domain: 'a.example' },
      { domain: 'https://b.example:8443', lastUsedAtMs: 5_000 },
    ]);
    const unused = ['*.example.com', 'a.example', 'https://b.example:8443'].map((domain) => ({ domain }));
    expect(await accounts().listDomainUses(other.id)).toEqual(unused);
    expect(await accounts().listDomainUses('nobody')).toEqual([]);
    const again = await reopen();
    expect(await again.listDomainUses(acme.id)).toContainEqual({
      domain: '*.example.com',
      lastUsedAtMs: 3_000,
    });
  });

  test('a use allows no domain, and a removed domain begins without a use', async () => {
    await accounts().addAccount(acme);
    await accounts().recordDomainUse([], 1_000);
    await record(acme.id, 'never.example', 1_000);
    await record('nobody', 'a.example', 1_000);
    expect(await accounts().listDomainUses(acme.id)).toEqual([]);
    expect(await accounts().listDomains(acme.id)).toEqual([]);
    await accounts().allowDomain(acme.id, 'never.example');
    expect(await accounts().listDomainUses(acme.id)).toEqual([{ domain: 'never.example' }]);
    await record(acme.id, 'never.example', 2_000);
    await accounts().allowDomain(acme.id, 'never.example');
    expect(await accounts().listDomainUses(acme.id)).toEqual([
      { domain: 'never.example', lastUsedAtMs: 2_000 },
    ]);
    await accounts().removeDomain(acme.id, 'never.example');

    await accounts().allowDomain(acme.id, 'a.example');
    await record(acme.id, 'a.example', 2_000);
    await accounts().removeDomain(acme.id, 'a.example');
    await accounts().allowDomain(acme.id, 'a.example');
    expect(await accounts().listDomainUses(acme.id)).toEqual([{ domain: 'a.example' }]);
  });

  test('the latest of concurrent uses stays', async () => {
    await accounts().addAccount(acme);
    await accounts().allowDomain(acme.id, 'a.example');
    await race(context, (store, index) =>
      store.recordDomainUse([{ accountId: acme.id, domain: 'a.example' }], 1_000 + ((index * 5) % 12)),
    );
    expect(await accounts().listDomainUses(acme.id)).toEqual([{ domain: 'a.example', lastUsedAtMs: 1_011 }]);
  });
}
