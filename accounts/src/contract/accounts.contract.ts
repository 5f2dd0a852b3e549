import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { within } from '@jobs-delete/runtime/testing/within';
import { auditCases } from './audit.ts';
import { oneTimeSecretCases } from './one-time-secrets.ts';
import { passkeyCases } from './passkeys.ts';
import { earlierInvitationCases } from './earlier-invitations.ts';
import { joiningCases } from './joining.ts';
import { peopleCases } from './people.ts';
import { refusalCases, refusedRequestCases } from './refusals.ts';
import { sessionCases } from './sessions.ts';
import { credentialChangeCases } from './credential-changes.ts';
import { domainUseCases } from './domain-uses.ts';
import {
  acme,
  count,
  credential,
  kinds,
  other,
  withoutHash,
  type ContractContext,
} from './accounts.fixture.ts';
import { accessCases, isolationCases } from './isolation.ts';
import { pepperCases } from './pepper.ts';
import type { Accounts } from '../accounts.ts';
import type { OpenAccounts } from '../open-accounts.ts';

export interface AccountsOpener {
  /** Removes everything from the store, and creates it if there is none. */
  readonly empty: () => Promise<void>;
  /** Opens a connection to the store, as another process would. */
  readonly connect: () => Promise<OpenAccounts>;
}

/** The tests that every adapter of the port passes. */
export function accountsContract(name: string, { empty, connect: open }: AccountsOpener): void {
  describe(`accounts in ${name}`, () => {
    let accounts: Accounts;
    /** Kept for the next test: many adapters take longer to open than a test does. */
    const connections: OpenAccounts[] = [];
    let used = 0;
    const connect = async () => (connections[used++] ??= await open());
    const closeAll = async () => {
      for (const each of connections.splice(0)) await within(each.close(), () => 'the accounts close');
      used = 0;
    };

    beforeEach(async () => {
      await empty();
      used = 0;
      accounts = await connect();
    });
    afterAll(closeAll);

    const reopen = async () => {
      await closeAll();
      return connect();
    };
    const context: ContractContext = { accounts: () => accounts, connect, reopen };
    accountCases(context);
    changeCases(context);
    credentialCases(context);
    revocationCases(context);
    credentialChangeCases(context);
    useCases(context);
    domainCases(context);
    domainUseCases(context);
    accessCases(context);
    isolationCases(context);
    pepperCases(context);
    peopleCases(context);
    joiningCases(context);
    earlierInvitationCases(context);
    passkeyCases(context);
    sessionCases(context);
    oneTimeSecretCases(context);
    auditCases(context);
    refusalCases(context);
    refusedRequestCases(context);

    const allTimes = { expiresAtMs: 9, revokedAtMs: 8, pausedAtMs: 5, lastUsedAtMs: 7, lastRefusedAtMs: 6 };
    const given = { name: 'CI', replacesId: 'old', environment: 'sandbox' } as const;
    test('all data is there after closing and reopening', async () => {
      const token = credential('token', { ...given, ...allTimes });
      await accounts.addAccount(acme);
      await accounts.addCredential(token);
      await accounts.allowDomain(acme.id, 'example.com');
      const again = await reopen();
      expect(await again.listAccounts()).toEqual([acme]);
      expect(await again.loadAccess(token.id)).toEqual({ token, allowedDomains: ['example.com'] });
    });
  });
}

function accountCases({ accounts, connect }: ContractContext): void {
  test('an account is found as it was added', async () => {
    expect(await accounts().addAccount(acme)).toBe('added');
    expect(await accounts().addAccount(other)).toBe('added');
    expect(await accounts().findAccount(acme.id)).toEqual(acme);
    expect(await accounts().findAccount(other.id)).toEqual(other);
    expect(await accounts().findAccount('nobody')).toBeUndefined();
    const found = await accounts().findAccounts([acme.id, 'nobody', other.id]);
    expect(new Set(found)).toEqual(new Set([acme, other]));
  });

  test('an existing id is refused, and its account does not change', async () => {
    await accounts().addAccount(acme);
    expect(await accounts().addAccount({ id: acme.id, name: 'Impostor', createdAtMs: 1 })).toBe('exists');
    expect(await accounts().listAccounts()).toEqual([acme]);
  });

  test('exactly one of several concurrent additions of an id succeeds, over several connections', async () => {
    const stores = [accounts(), await connect(), await connect()];
    const named = Array.from({ length: 12 }, (_, index) => ({ ...acme, name: `racer ${index}` }));
    const outcomes = await Promise.all(
      named.map((account, index) => (stores[index % stores.length] ?? accounts()).addAccount(account)),
    );
    expect(count(outcomes, 'added')).toBe(1);
    expect(count(outcomes, 'exists')).toBe(11);
    expect(await accounts().listAccounts()).toEqual([named[outcomes.indexOf('added')]]);
  });

  test('accounts are listed by creation, then id', async () => {
    const at = (id: string, createdAtMs: number) => ({ id, createdAtMs });
    for (const account of [at('b', 2), at('c', 1), at('a', 2)]) await accounts().addAccount(account);
    expect((await accounts().listAccounts()).map(({ id }) => id)).toEqual(['c', 'a', 'b']);
  });

  test('a list of several hundred accounts is complete', async () => {
    const ids = Array.from({ length: 301 }, (_, index) => `account-${index}`);
    for (const [index, id] of ids.entries()) await accounts().addAccount({ id, createdAtMs: index });
    expect((await accounts().listAccounts()).map(({ id }) => id)).toEqual(ids);
  });
}

function changeCases({ accounts }: ContractContext): void {
  test('an account is renamed, disabled and enabled, and its token shows the state', async () => {
    const token = credential('token');
    await accounts().addAccount(acme);
    await accounts().addAccount(other);
    await accounts().addCredential(token);
    const renamed = { ...acme, name: '$Acme 2' };
    expect(await accounts().changeAccount(acme.id, { name: '$Acme 2' })).toEqual(renamed);
    const disabled = { ...renamed, disabledAtMs: 500 };
    expect(await accounts().changeAccount(acme.id, { disabledAtMs: 500 })).toEqual(disabled);
    expect(await accounts().changeAccount(acme.id, { disabledAtMs: 600 })).toEqual(disabled);
    expect(await accounts().findAccount(acme.id)).toEqual(disabled);
    expect(await accounts().listAccounts()).toContainEqual(disabled);
    expect(await accounts().loadAccess(token.id)).toEqual({
      token,
      allowedDomains: [],
      isAccountDisabled: true,
    });
    expect(await accounts().changeAccount(acme.id, { disabledAtMs: null })).toEqual(renamed);
    expect(await accounts().loadAccess(token.id)).toEqual({ token, allowedDomains: [] });
    expect(await accounts().findAccount(other.id)).toEqual(other);
    expect(await accounts().changeAccount('nobody', { name: 'x' })).toBeUndefined();
    expect(await accounts().findAccount('nobody')).toBeUndefined();
  });
}

function credentialCases({ accounts }: ContractContext): void {
  test.each(kinds)('a %s is found with its hash, and listed without it', async (kind) => {
    const plain = credential(kind);
    const full = credential(kind, { createdAtMs: 1, name: 'CI', expiresAtMs: 2 });
    await accounts().addAccount(acme);
    expect(await accounts().addCredential(plain)).toBe('added');
    expect(await accounts().addCredential(full)).toBe('added');
    expect(await accounts().findCredential(plain)).toEqual(plain);
    expect(await accounts().findCredential(full)).toEqual(full);
    expect(await accounts().listCredentials(kind, acme.id)).toEqual([withoutHash(full), withoutHash(plain)]);
  });

  test('a token and a secret key may have the same id', async () => {
    const token = credential('token');
    const secretKey = credential('secret-key', { id: token.id });
    await accounts().addAccount(acme);
    await accounts().addCredential(token);
    expect(await accounts().findCredential({ kind: 'secret-key', id: token.id })).toBeUndefined();
    expect(await accounts().revokeCredential(acme.id, secretKey, 5)).toBe('not_found');
    await accounts().addCredential(secretKey);
    expect(await accounts().revokeCredential(acme.id, secretKey, 5)).toBe('revoked');
    expect(await accounts().findCredential(token)).toEqual(token);
    expect(await accounts().listCredentials('token', acme.id)).toEqual([withoutHash(token)]);
  });

  test('a credential of an unknown account is not stored', async () => {
    const orphan = credential('token');
    expect(await accounts().addCredential(orphan)).toBe('no_account');
    expect(await accounts().findCredential(orphan)).toBeUndefined();
  });

  test('an existing credential id is a fault, and changes nothing', async () => {
    const first = credential('token');
    await accounts().addAccount(acme);
    await accounts().addAccount(other);
    await accounts().addCredential(first);
    const second = credential('token', { id: first.id, accountId: other.id });
    await expect(accounts().addCredential(second)).rejects.toMatchObject({ name: 'Fault', code: 'internal' });
    expect(await accounts().findCredential(first)).toEqual(first);
    expect(await accounts().listCredentials('token', other.id)).toEqual([]);
  });
}

function revocationCases({ accounts, connect }: ContractContext): void {
  test.each(kinds)('revoking a %s twice keeps the first time', async (kind) => {
    const one = credential(kind);
    await accounts().addAccount(acme);
    await accounts().addCredential(one);
    expect(await accounts().revokeCredential(acme.id, one, 1_000)).toBe('revoked');
    expect(await accounts().revokeCredential(acme.id, one, 2_000)).toBe('already_revoked');
    expect(await accounts().findCredential(one)).toEqual({ ...one, revokedAtMs: 1_000 });
    expect(await accounts().revokeCredential(acme.id, { kind, id: 'none' }, 1_000)).toBe('not_found');
  });

  test('exactly one of several concurrent revocations gets `revoked`', async () => {
    const token = credential('token');
    await accounts().addAccount(acme);
    await accounts().addCredential(token);
    const stores = [accounts(), await connect(), await connect()];
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        (stores[index % stores.length] ?? accounts()).revokeCredential(acme.id, token, 1_000 + index),
      ),
    );
    expect(count(outcomes, 'revoked')).toBe(1);
    expect(count(outcomes, 'already_revoked')).toBe(11);
    const revokedAtMs = 1_000 + outcomes.indexOf('revoked');
    expect(await accounts().findCredential(token)).toEqual({ ...token, revokedAtMs });
  });

  test('the next read of another connection sees a revocation', async () => {
    const token = credential('token');
    const reader = await connect();
    await accounts().addAccount(acme);
    await accounts().addCredential(token);
    expect((await reader.loadAccess(token.id))?.token).toEqual(token);
    await accounts().revokeCredential(acme.id, token, 1_000);
    expect((await reader.loadAccess(token.id))?.token.revokedAtMs).toBe(1_000);
  });
}

function useCases({ accounts }: ContractContext): void {
  test('recording a use raises the time of the named credentials only, and never lowers it', async () => {
    const [token, secretKey, unused] = [credential('token'), credential('secret-key'), credential('token')];
    await accounts().addAccount(acme);
    for (const each of [token, secretKey, unused]) await accounts().addCredential(each);
    await accounts().recordUse([token, secretKey], 2_000);
    await accounts().recordUse([token], 3_000);
    await accounts().recordUse([token, secretKey], 1_000);
    expect(await accounts().findCredential(token)).toEqual({ ...token, lastUsedAtMs: 3_000 });
    expect(await accounts().findCredential(secretKey)).toEqual({ ...secretKey, lastUsedAtMs: 2_000 });
    expect(await accounts().findCredential(unused)).toEqual(unused);
  });

  test('recording a refusal raises its own time of the named credentials only', async () => {
    const [token, untouched] = [credential('token'), credential('token')];
    await accounts().addAccount(acme);
    for (const each of [token, untouched]) await accounts().addCredential(each);
    for (const atMs of [2_000, 3_000, 1_000]) await accounts().recordRefusal([token], atMs);
    await accounts().recordUse([token], 500);
    await accounts().recordRefusal([{ kind: 'secret-key', id: 'none' }], 2_000);
    const raised = { ...token, lastRefusedAtMs: 3_000, lastUsedAtMs: 500 };
    expect(await accounts().findCredential(token)).toEqual(raised);
    expect(await accounts().listCredentials('token', acme.id)).toContainEqual(
      expect.objectContaining({ id: token.id, lastRefusedAtMs: 3_000 }),
    );
    expect(await accounts().findCredential(untouched)).toEqual(untouched);
  });

  test('recording ignores unknown credentials and an empty list', async () => {
    const token = credential('token');
    await accounts().addAccount(acme);
    await accounts().addCredential(token);
    await accounts().recordUse([{ kind: 'secret-key', id: 'none' }, token], 2_000);
    await accounts().recordUse([], 3_000);
    expect(await accounts().findCredential(token)).toEqual({ ...token, lastUsedAtMs: 2_000 });
  });
}

function domainCases({ accounts }: ContractContext): void {
  test('a domain that is allowed twice is listed once, and domains are sorted by text', async () => {
    await accounts().addAccount(acme);
    const given = ['example.com', '*.example.com', 'https://example.com:8443', 'example.com'];
    for (const domain of given) expect(await accounts().allowDomain(acme.id, domain)).toBe('allowed');
    expect(await accounts().listDomains(acme.id)).toEqual([
      '*.example.com',
      'example.com',
      'https://example.com:8443',
    ]);
  });

  test('a removed domain is not listed, and cannot be removed again', async () => {
    await accounts().addAccount(acme);
    await accounts().allowDomain(acme.id, 'example.com');
    expect(await accounts().removeDomain(acme.id, 'Example.com')).toBe(false);
    expect(await accounts().removeDomain(acme.id, 'example.com')).toBe(true);
    expect(await accounts().removeDomain(acme.id, 'example.com')).toBe(false);
    expect(await accounts().listDomains(acme.id)).toEqual([]);
  });
}
