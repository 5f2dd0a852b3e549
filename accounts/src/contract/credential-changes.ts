import { expect, test } from '@jest/globals';
import { newAuditEntry } from '../people/audit-trail.ts';
import {
  acme,
  count,
  credential,
  kinds,
  race,
  withoutHash,
  type ContractContext,
} from './accounts.fixture.ts';

export function credentialChangeCases(context: ContractContext): void {
  const { accounts, connect } = context;

  test.each(kinds)('a %s is renamed only in place of the name that the caller knows', async (kind) => {
    const [unnamed, untouched] = [credential(kind), credential(kind)];
    await accounts().addAccount(acme);
    for (const each of [unnamed, untouched]) await accounts().addCredential(each);
    const rename = (from: string | undefined, name: string) =>
      accounts().changeCredential(acme.id, unnamed, { from, name });
    expect(await rename('shop', '$shop 2')).toBe('unchanged');
    expect(await rename(undefined, 'shop')).toBe('changed');
    expect(await rename(undefined, 'other')).toBe('unchanged');
    expect(await accounts().findCredential(unnamed)).toEqual({ ...unnamed, name: 'shop' });
    expect(await rename('shop', '$shop 2')).toBe('changed');
    expect(await accounts().listCredentials(kind, acme.id)).toEqual(
      expect.arrayContaining([withoutHash({ ...unnamed, name: '$shop 2' }), withoutHash(untouched)]),
    );
  });

  test.each(kinds)('a %s is paused once, and valid again when it is resumed', async (kind) => {
    const [one, untouched] = [credential(kind), credential(kind)];
    await accounts().addAccount(acme);
    for (const each of [one, untouched]) await accounts().addCredential(each);
    const change = (pausedAtMs: number | null) => accounts().changeCredential(acme.id, one, { pausedAtMs });
    expect(await change(null)).toBe('unchanged');
    expect(await change(1_000)).toBe('changed');
    expect(await change(2_000)).toBe('unchanged');
    const paused = { ...one, pausedAtMs: 1_000 };
    expect(await accounts().findCredential(one)).toEqual(paused);
    expect(await accounts().listCredentials(kind, acme.id)).toContainEqual(withoutHash(paused));
    if (kind === 'token') expect((await accounts().loadAccess(one.id))?.token).toEqual(paused);
    expect(await change(null)).toBe('changed');
    expect(await accounts().findCredential(one)).toEqual(one);
    expect(await accounts().findCredential(untouched)).toEqual(untouched);
  });

  test('the next read of another connection sees a pause', async () => {
    const token = credential('token');
    const reader = await connect();
    await accounts().addAccount(acme);
    await accounts().addCredential(token);
    expect((await reader.loadAccess(token.id))?.token).toEqual(token);
    await accounts().changeCredential(acme.id, token, { pausedAtMs: 1_000 });
    expect((await reader.loadAccess(token.id))?.token.pausedAtMs).toBe(1_000);
  });

  test('exactly one of several concurrent pauses gets `changed`', async () => {
    const token = credential('token');
    await accounts().addAccount(acme);
    await accounts().addCredential(token);
    const outcomes = await race(context, (store, index) =>
      store.changeCredential(acme.id, token, { pausedAtMs: 1_000 + index }),
    );
    expect([count(outcomes, 'changed'), count(outcomes, 'unchanged')]).toEqual([1, 11]);
    const pausedAtMs = 1_000 + outcomes.indexOf('changed');
    expect(await accounts().findCredential(token)).toEqual({ ...token, pausedAtMs });
  });

  test('a revoked credential can be neither resumed, paused nor renamed', async () => {
    const token = credential('token');
    await accounts().addAccount(acme);
    await accounts().addCredential(token);
    await accounts().changeCredential(acme.id, token, { pausedAtMs: 1_000 });
    expect(await accounts().revokeCredential(acme.id, token, 2_000)).toBe('revoked');
    for (const change of [{ pausedAtMs: null }, { pausedAtMs: 3_000 }, { from: undefined, name: 'x' }])
      expect(await accounts().changeCredential(acme.id, token, change)).toBe('unchanged');
    expect(await accounts().findCredential(token)).toEqual({
      ...token,
      pausedAtMs: 1_000,
      revokedAtMs: 2_000,
    });
  });

  test('an unknown credential is not found, and only a change is recorded', async () => {
    const token = credential('token');
    await accounts().addAccount(acme);
    await accounts().addCredential(token);
    const change = (id: string) =>
      accounts().changeCredential(
        acme.id,
        { kind: 'token', id },
        { pausedAtMs: 1 },
        newAuditEntry({ accountId: acme.id, action: 'token.paused', actor: 'a', subject: id }, 1),
      );
    expect(await change('none')).toBe('not_found');
    expect(await change(token.id)).toBe('changed');
    expect(await change(token.id)).toBe('unchanged');
    const trail = await accounts().listActions({ accountId: acme.id, pageSize: 10 });
    expect(trail.map(({ subject }) => subject)).toEqual([token.id]);
  });
}
