import { expect, test } from '@jest/globals';
import type { Credential } from '@jobs-delete/accounts/accounts';
import { credentialNames, pairKeys, stateOf } from './key-state.ts';

const dayMs = 86_400_000;
const keyOf = (id: string, fields: Partial<Credential> = {}): Credential => ({
  kind: 'token',
  id,
  accountId: 'acme',
  createdAtMs: 0,
  ...fields,
});

test('a valid key with a valid replacement is replaced, also if it expires soon', () => {
  const nowMs = 100 * dayMs;
  const old = keyOf('1', { expiresAtMs: nowMs + dayMs });
  const stateWith = (fields: Partial<Credential>, changed = old) =>
    stateOf(changed, [changed, keyOf('2', { replacesId: '1', ...fields })], nowMs);
  expect(stateWith({})).toBe('replaced');
  expect(stateWith({ revokedAtMs: nowMs - 1 })).toBe('expires-soon');
  expect(stateWith({}, { ...old, pausedAtMs: 1 })).toBe('paused');
  expect(stateWith({}, { ...old, revokedAtMs: 1 })).toBe('revoked');
});

test('a name that several keys have is followed by the id', () => {
  const ids = ['a15addd3df4e47b0945c88e1', 'eac3c3e2d5e9abc70c621b6b', '1', '2'] as const;
  const [old, added, other, unnamed] = ids;
  const names = credentialNames([
    keyOf(old, { name: 'shop' }),
    keyOf(added, { name: 'shop' }),
    keyOf(other, { name: 'site' }),
    keyOf(unnamed),
  ]);
  expect([...names]).toEqual([
    [old, 'shop (a15addd3…88e1)'],
    [added, 'shop (eac3c3e2…1b6b)'],
    [other, 'site'],
  ]);
});

test('the sort of many keys of one name looks up the replacement of each once', () => {
  let reads = 0;
  const keys = Array.from({ length: 64 }, (_, index) =>
    Object.defineProperty(keyOf(String(index), { name: 'shop' }), 'replacesId', {
      get() {
        reads += 1;
        return String(index + 32);
      },
    }),
  );
  const ids = pairKeys(keys, 1).map(({ id }) => Number(id));
  expect(ids.slice(0, 32).every((id) => id < 32)).toBe(true);
  expect(reads).toBe(keys.length);
});
