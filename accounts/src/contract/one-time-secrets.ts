import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { acme, other, race, type ContractContext } from './fixtures.ts';
import { laterMs, oneTimeSecret } from './people-fixtures.ts';

export function oneTimeSecretCases(context: ContractContext): void {
  takingCases(context);
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

function removalCases({ accounts }: ContractContext): void {
  test('cancelling removes the links of one address for one account', async () => {
    const data = { accountId: acme.id, email: 'ada@example.com' };
    const cancelled = [oneTimeSecret({ data }), oneTimeSecret({ kind: 'sign-in', data })];
    const kept = [
      oneTimeSecret({ data: { ...data, accountId: other.id } }),
      oneTimeSecret({ data: { ...data, email: 'bob@example.com' } }),
      oneTimeSecret({ kind: 'passkey-challenge', data }),
    ];
    for (const each of [...cancelled, ...kept]) await accounts().addOneTimeSecret(each);
    expect(await accounts().cancelLinks(acme.id, 'ada@example.com')).toBe(2);
    expect(await accounts().cancelLinks(acme.id, 'ada@example.com')).toBe(0);
    for (const { kind, hash } of cancelled)
      expect(await accounts().findOneTimeSecret(kind, hash, laterMs)).toBeUndefined();
    for (const each of kept)
      expect(await accounts().findOneTimeSecret(each.kind, each.hash, laterMs)).toEqual(each);
  });

  test('expired secrets are removed, and no others', async () => {
    const [expired, valid] = [oneTimeSecret({ expiresAtMs: laterMs }), oneTimeSecret()];
    for (const each of [expired, valid]) await accounts().addOneTimeSecret(each);
    await accounts().expireOneTimeSecrets(laterMs);
    expect(await accounts().findOneTimeSecret(expired.kind, expired.hash, laterMs - 1)).toBeUndefined();
    expect(await accounts().findOneTimeSecret(valid.kind, valid.hash, laterMs)).toEqual(valid);
  });
}
