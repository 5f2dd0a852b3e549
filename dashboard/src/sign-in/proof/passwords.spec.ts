import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { createPasswords } from './passwords.ts';

test('a password is stored as a hash of argon2id, and only the same one is right', async () => {
  const passwords = createPasswords();
  const hash = await passwords.hash('four boats under a bridge');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await passwords.verify(hash, 'four boats under a bridge')).toBe(true);
  expect(await passwords.verify(hash, 'Four boats under a bridge')).toBe(false);
});

test('every spelling of a character is the same password', async () => {
  const passwords = createPasswords();
  const hash = await passwords.hash('caf\u00e9 \ufb01ne and wide');
  expect(await passwords.verify(hash, 'cafe\u0301 fine and wide')).toBe(true);
});

test('without a hash, a password is compared with another one of the same cost', async () => {
  const compared: string[] = [];
  const passwords = createPasswords(async () => {
    const argon2 = await import('@node-rs/argon2');
    return {
      hash: argon2.hash,
      verify: (hash, password) => {
        compared.push(hash);
        return argon2.verify(hash, password);
      },
    };
  });
  expect(await passwords.verify(undefined, 'four boats under a bridge')).toBe(false);
  // Even the password of that other hash is wrong.
  expect(await passwords.verify(undefined, 'no password')).toBe(false);
  await passwords.verify(await passwords.hash('four boats under a bridge'), 'x');
  expect(compared.map((hash) => hash.split('$').slice(0, 4))).toEqual(
    compared.map(() => ['', 'argon2id', 'v=19', 'm=19456,t=2,p=1']),
  );
  expect(compared).toHaveLength(3);
});

test('a flood of passwords is refused, and two are compared at a time', async () => {
  const gate = new AbortController();
  const opened = once(gate.signal, 'abort');
  let [running, most] = [0, 0];
  const passwords = createPasswords(() =>
    Promise.resolve({
      hash: () => Promise.resolve('hash'),
      verify: async () => {
        most = Math.max(most, ++running);
        await opened;
        running -= 1;
        return true;
      },
    }),
  );
  const accepted = Array.from({ length: 66 }, () => passwords.verify('hash', 'x'));
  await expect(passwords.verify('hash', 'x')).rejects.toMatchObject({ code: 'unavailable' });
  gate.abort();
  expect(new Set(await Promise.all(accepted))).toEqual(new Set([true]));
  expect(most).toBe(2);
  expect(await passwords.verify('hash', 'x')).toBe(true);
});
