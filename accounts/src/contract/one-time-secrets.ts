import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { OneTimeSecret } from '../people/one-time-secret.ts';
import { type ContractContext, acme, count, other, race } from './accounts.fixture.ts';
import { newId } from '../people/people.ts';
import { entry, laterMs, oneTimeSecret } from './people.fixture.ts';

export function oneTimeSecretCases(context: ContractContext): void {
  takingCases(context);
  replacingCases(context);
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

function replacingCases(context: ContractContext): void {
  const { accounts } = context;
  const open = () => accounts().listInvitations(acme.id, laterMs);
  const trail = async () =>
    (await accounts().listActions({ accountId: acme.id, pageSize: 20 })).map(({ action }) => action);

  test.each([
    ['a valid', laterMs + 1_000],
    ['an expired', laterMs - 1_000],
  ])(
    'an invitation replaces %s one of its address to its account, which is recorded',
    async (_, expiresAtMs) => {
      for (const account of [acme, other]) await accounts().addAccount(account);
      const [first, second] = [oneTimeSecret({ expiresAtMs }), oneTimeSecret()];
      const { data } = first;
      const kept = [
        oneTimeSecret({ data: { ...data, accountId: other.id } }),
        oneTimeSecret({ data: { ...data, email: 'bob@example.com' } }),
        oneTimeSecret({ kind: 'sign-in', data }),
      ];
      for (const each of kept) await accounts().addOneTimeSecret(each);
      expect(await accounts().addOneTimeSecret(first, entry('person.invited'))).toBe('added');
      expect(await accounts().addOneTimeSecret(second, entry('person.invited'))).toBe('replaced');
      expect(await accounts().findOneTimeSecret('invitation', first.hash, expiresAtMs - 1)).toBeUndefined();
      for (const each of [second, ...kept])
        expect(await accounts().findOneTimeSecret(each.kind, each.hash, laterMs)).toEqual(each);
      expect((await trail()).toSorted()).toEqual(['invitation.replaced', 'person.invited']);
    },
  );

  test.each(['used', 'cancelled'])('nothing is replaced after an invitation was %s', async (how) => {
    const { hash, data } = oneTimeSecret();
    await accounts().addOneTimeSecret(oneTimeSecret({ hash }));
    if (how === 'used') await accounts().takeOneTimeSecret('invitation', hash, laterMs);
    else await accounts().cancelInvitation(acme.id, data.email ?? '');
    expect(await accounts().addOneTimeSecret(oneTimeSecret())).toBe('added');
  });

  test('an open invitation stays when the one that replaces it cannot be recorded', async () => {
    await accounts().addAccount(acme);
    const [first, recorded] = [oneTimeSecret(), entry('person.invited')];
    await accounts().addOneTimeSecret(first, recorded);
    await expect(accounts().addOneTimeSecret(oneTimeSecret(), recorded)).rejects.toMatchObject({
      name: 'Fault',
    });
    expect(await open()).toEqual([first]);
  });

  test('of several concurrent invitations of an address, exactly one stays, and all are recorded', async () => {
    await accounts().addAccount(acme);
    const sent = Array.from({ length: 12 }, () => oneTimeSecret());
    const outcomes = await race(context, (store, index) =>
      store.addOneTimeSecret(sent[index] ?? oneTimeSecret(), entry('person.invited')),
    );
    expect(count<string>(outcomes, 'replaced')).toBe(11);
    const [left, ...more] = await open();
    expect(more).toEqual([]);
    expect(sent).toContainEqual(left);
    expect(count<string>(await trail(), 'invitation.replaced')).toBe(11);
  });

  test('an invitation that is used while it is replaced joins at most one person', async () => {
    for (const account of [acme, other]) await accounts().addAccount(account);
    const first = oneTimeSecret();
    await accounts().addOneTimeSecret(first);
    const outcomes = await race<string>(context, async (store, index) => {
      if (index % 2 === 0) return store.addOneTimeSecret(oneTimeSecret());
      const action = { id: newId(), atMs: laterMs };
      const newPerson = { id: newId(), createdAtMs: laterMs, passkeys: [] };
      return (await store.acceptInvitation(first.hash, { newPerson }, action)).kind;
    });
    const joined = count(outcomes, 'joined');
    expect(count(outcomes, 'replaced')).toBe(6 - joined);
    expect(await accounts().listPeople(acme.id)).toHaveLength(joined);
    expect(await open()).toHaveLength(1);
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
  test('cancelling removes the invitation of one address to one account', async () => {
    const data = { accountId: acme.id, email: 'ada@example.com' };
    const cancelled = oneTimeSecret({ data });
    const kept = [
      oneTimeSecret({ data: { ...data, accountId: other.id } }),
      oneTimeSecret({ data: { ...data, email: 'bob@example.com' } }),
      oneTimeSecret({ kind: 'sign-in', data }),
    ];
    for (const each of [cancelled, ...kept]) await accounts().addOneTimeSecret(each);
    expect(await accounts().cancelInvitation(acme.id, 'ada@example.com')).toBe(true);
    expect(await accounts().cancelInvitation(acme.id, 'ada@example.com')).toBe(false);
    expect(await accounts().findOneTimeSecret('invitation', cancelled.hash, laterMs)).toBeUndefined();
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
    const valid = oneTimeSecret();
    const expired = oneTimeSecret({
      expiresAtMs: laterMs,
      data: { ...valid.data, email: 'bob@example.com' },
    });
    for (const each of [expired, valid]) await accounts().addOneTimeSecret(each);
    await accounts().expireOneTimeSecrets(laterMs);
    expect(await accounts().findOneTimeSecret(expired.kind, expired.hash, laterMs - 1)).toBeUndefined();
    expect(await accounts().findOneTimeSecret(valid.kind, valid.hash, laterMs)).toEqual(valid);
  });
}
