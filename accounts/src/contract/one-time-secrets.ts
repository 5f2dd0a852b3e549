import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { OneTimeSecret } from '../people/one-time-secret.ts';
import { type ContractContext, acme, other, race } from './accounts.fixture.ts';
import { laterMs, oneTimeSecret } from './people.fixture.ts';

export function oneTimeSecretCases(context: ContractContext): void {
  takingCases(context);
  listingCases(context);
  removalCases(context);
}

function takingCases({ accounts, connect, reopen }: ContractContext): void {
  test('a one-time secret is found until it is taken, also after reopening', async () => {
    const secret = oneTimeSecret({ data: { accountId: acme.id, email: 'a@example.com', $note: '1.5' } });
    await accounts().addOneTimeSecret(secret);
    expect(await accounts().findOneTimeSecret(secret.kind, secret.hash, laterMs)).toEqual(secret);
    const again = await reopen();
    const taken = await again.takeOneTimeSecret(secret.kind, secret.hash, laterMs);
    expect(taken).toEqual(secret);
    expect(Buffer.isBuffer(taken?.hash)).toBe(true);
    expect(await again.findOneTimeSecret(secret.kind, secret.hash, laterMs)).toBeUndefined();
    expect(await again.takeOneTimeSecret(secret.kind, secret.hash, laterMs)).toBeUndefined();
  });

  test('a secret of another kind, or an unknown one, is neither found nor taken', async () => {
    const secret = oneTimeSecret();
    await accounts().addOneTimeSecret(secret);
    const wrong = [['sign-in', secret.hash] as const, [secret.kind, randomBytes(32)] as const];
    for (const [kind, hash] of wrong) {
      expect(await accounts().findOneTimeSecret(kind, hash, laterMs)).toBeUndefined();
      expect(await accounts().takeOneTimeSecret(kind, hash, laterMs)).toBeUndefined();
    }
    expect(await accounts().findOneTimeSecret(secret.kind, secret.hash, laterMs)).toEqual(secret);
  });

  test('a secret works before its expiry, and not at it', async () => {
    const secret = oneTimeSecret();
    await accounts().addOneTimeSecret(secret);
    const { kind, hash, expiresAtMs } = secret;
    expect(await accounts().findOneTimeSecret(kind, hash, expiresAtMs)).toBeUndefined();
    expect(await accounts().takeOneTimeSecret(kind, hash, expiresAtMs)).toBeUndefined();
    expect(await accounts().takeOneTimeSecret(kind, hash, expiresAtMs - 1)).toEqual(secret);
  });

  test('exactly one of several concurrent callers takes a secret', async () => {
    const secret = oneTimeSecret();
    await accounts().addOneTimeSecret(secret);
    const outcomes = await race({ accounts, connect }, (store) =>
      store.takeOneTimeSecret(secret.kind, secret.hash, laterMs),
    );
    expect(outcomes.filter((outcome) => outcome !== undefined)).toEqual([secret]);
  });

  test('an existing hash is a fault, and changes nothing', async () => {
    const first = oneTimeSecret();
    await accounts().addOneTimeSecret(first);
    const twin = oneTimeSecret({ hash: first.hash, data: {} });
    await expect(accounts().addOneTimeSecret(twin)).rejects.toMatchObject({
      name: 'Fault',
      code: 'internal',
    });
    expect(await accounts().findOneTimeSecret(first.kind, first.hash, laterMs)).toEqual(first);
  });
}

function listingCases({ accounts, reopen }: ContractContext): void {
  const invitation = (email: string, fields: Partial<OneTimeSecret> = {}) =>
    oneTimeSecret({ data: { accountId: acme.id, email, role: 'viewer' }, ...fields });

  test('the valid invitations of an account are listed by address, also after reopening', async () => {
    const early = invitation('carol@example.com', { expiresAtMs: laterMs + 1 });
    const late = ['bob', 'ada'].map((name) => invitation(`${name}@example.com`));
    for (const each of [early, ...late]) await accounts().addOneTimeSecret(each);
    const [bob, ada] = late;
    expect(await accounts().listInvitations(acme.id, laterMs)).toEqual([ada, bob, early]);
    expect(await accounts().listInvitations(acme.id, laterMs + 1)).toEqual([ada, bob]);
    const again = await reopen();
    expect(await again.listInvitations(acme.id, laterMs)).toEqual([ada, bob, early]);
  });

  test('several invitations of one address are all listed', async () => {
    const twins = [invitation('ada@example.com'), invitation('ada@example.com')];
    for (const each of twins) await accounts().addOneTimeSecret(each);
    const listed = await accounts().listInvitations(acme.id, laterMs);
    expect(listed).toHaveLength(2);
    expect(listed).toEqual(expect.arrayContaining(twins));
  });

  test('no other secret and no other account is in the list of invitations', async () => {
    const own = invitation('ada@example.com');
    const others = [
      invitation('ada@example.com', { kind: 'sign-in' }),
      invitation('', { data: { accountId: other.id, email: 'ada@example.com', role: 'owner' } }),
      invitation('', { data: {} }),
    ];
    for (const each of [own, ...others]) await accounts().addOneTimeSecret(each);
    expect(await accounts().listInvitations(acme.id, laterMs)).toEqual([own]);
    expect(await accounts().listInvitations('nobody', laterMs)).toEqual([]);
  });

  test('a taken invitation is not listed', async () => {
    const own = invitation('ada@example.com');
    await accounts().addOneTimeSecret(own);
    await accounts().takeOneTimeSecret(own.kind, own.hash, laterMs);
    expect(await accounts().listInvitations(acme.id, laterMs)).toEqual([]);
  });
}

function removalCases({ accounts, connect }: ContractContext): void {
  test('cancelling removes the invitations of one address to one account', async () => {
    const data = { accountId: acme.id, email: 'ada@example.com' };
    const cancelled = [oneTimeSecret({ data }), oneTimeSecret({ data })];
    const kept = [
      oneTimeSecret({ data: { ...data, accountId: other.id } }),
      oneTimeSecret({ data: { ...data, email: 'bob@example.com' } }),
      oneTimeSecret({ kind: 'sign-in', data }),
    ];
    for (const each of [...cancelled, ...kept]) await accounts().addOneTimeSecret(each);
    expect(await accounts().cancelInvitations(acme.id, 'ada@example.com')).toBe(2);
    expect(await accounts().cancelInvitations(acme.id, 'ada@example.com')).toBe(0);
    for (const { kind, hash } of cancelled)
      expect(await accounts().findOneTimeSecret(kind, hash, laterMs)).toBeUndefined();
    for (const each of kept)
      expect(await accounts().findOneTimeSecret(each.kind, each.hash, laterMs)).toEqual(each);
  });

  test('a hash is used once until it expires, by exactly one of several concurrent callers', async () => {
    const hash = randomBytes(32);
    const outcomes = await race({ accounts, connect }, (store) => store.useOnce(hash, laterMs));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    expect(await accounts().useOnce(randomBytes(32), laterMs)).toBe(true);
    await accounts().expireOneTimeSecrets(laterMs);
    expect(await accounts().useOnce(hash, laterMs)).toBe(true);
    expect(await accounts().listInvitations(acme.id, laterMs - 1)).toEqual([]);
  });

  test('expired secrets are removed, and no others', async () => {
    const [expired, valid] = [oneTimeSecret({ expiresAtMs: laterMs }), oneTimeSecret()];
    for (const each of [expired, valid]) await accounts().addOneTimeSecret(each);
    await accounts().expireOneTimeSecrets(laterMs);
    expect(await accounts().findOneTimeSecret(expired.kind, expired.hash, laterMs - 1)).toBeUndefined();
    expect(await accounts().findOneTimeSecret(valid.kind, valid.hash, laterMs)).toEqual(valid);
  });
}
