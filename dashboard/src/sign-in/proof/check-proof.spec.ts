import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openAccounts, type OpenAccounts } from '@jobs-delete/accounts/open-accounts';
import type { Person } from '@jobs-delete/accounts/people/people';
import { createLogger } from '@jobs-delete/runtime/telemetry/logger';
import type { Visit } from '../../web/route.ts';
import { createProofs } from './check-proof.ts';
import { seal, totpOf, unseal } from './totp.ts';

let folder: string;
let accounts: OpenAccounts;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'proofs-'));
  accounts = await openAccounts({ kind: 'sqlite', path: join(folder, 'accounts.db') });
});
afterEach(async () => {
  await accounts.close();
  rmSync(folder, { recursive: true });
});

const nowMs = 1_800_000_000_000;
const key = randomBytes(32);
const log = createLogger('silent', 'test');
const visitFrom = (network: string): Visit => ({
  language: 'en',
  url: '/sign-in',
  params: {},
  query: new URLSearchParams(),
  form: new URLSearchParams(),
  csrf: '',
  browserSecret: 'browser',
  browserMarks: '',
  signedIn: undefined,
  network,
  userAgent: '',
  nowMs,
  signal: new AbortController().signal,
});
const ada: Person = {
  id: 'a'.repeat(24),
  email: 'ada@acme.example',
  createdAtMs: 0,
  memberships: [],
  recoveryCodes: [Buffer.alloc(32, 1)],
  passkeys: [],
};
const proofsWith = (totp: readonly [Buffer, ...Buffer[]], waits: number[] = []) =>
  createProofs(
    { accounts, keys: { csrf: key, totp, knownBrowsers: key }, now: () => nowMs, log },
    { wait: (ms) => Promise.resolve(waits.push(ms)) },
  );

test('a code from before a rotation is right, and its secret is encrypted with the new key', async () => {
  const [current, previous] = [randomBytes(32), randomBytes(32)];
  const secret = randomBytes(20);
  const person = { ...ada, totp: { secret: seal(previous, secret, ada.id), lastStep: 0 } };
  await accounts.addPerson(person);
  const code = totpOf(secret, '').generate({ timestamp: nowMs });

  expect(await proofsWith([current]).checkCode(visitFrom('a'), person, code)).toEqual({ kind: 'wrong' });
  expect(await proofsWith([current, previous]).checkCode(visitFrom('a'), person, code)).toEqual({
    kind: 'right',
  });

  const stored = await accounts.findPerson(ada.id);
  expect(unseal([current], stored?.totp?.secret ?? Buffer.alloc(0), ada.id)).toEqual(secret);
  expect(stored).toMatchObject({ totp: { lastStep: nowMs / 30_000 }, recoveryCodes: ada.recoveryCodes });
});

test('after fifty failures from many networks, an unknown browser waits before the check', async () => {
  const waits: number[] = [];
  const proofs = proofsWith([key], waits);
  for (let count = 0; count < 51; count += 1)
    await proofs.checkPassword(visitFrom(`192.0.2.${count}`), 'nobody@acme.example', undefined, 'wrong');
  expect(waits).toEqual([2_000]);
});

test('right passwords count as no failures', async () => {
  const proofs = proofsWith([key]);
  const person = { ...ada, passwordHash: await proofs.passwords.hash('four boats under a bridge') };
  const check = () => proofs.checkPassword(visitFrom('a'), ada.email, person, 'four boats under a bridge');
  for (let count = 0; count < 12; count += 1) expect(await check()).toEqual({ kind: 'right' });
});

test('a check that fails for another reason than the password locks nobody out', async () => {
  const results: (() => Promise<boolean>)[] = Array.from(
    { length: 10 },
    () => () => Promise.reject(new Error('busy')),
  );
  const verify = () => (results.pop() ?? (() => Promise.resolve(true)))();
  const proofs = createProofs(
    { accounts, keys: { csrf: key, totp: [key], knownBrowsers: key }, now: () => nowMs, log },
    { passwords: { hash: () => Promise.resolve('hash'), verify } },
  );
  const check = () => proofs.checkPassword(visitFrom('a'), ada.email, ada, 'four boats under a bridge');
  for (let count = 0; count < 10; count += 1) await expect(check()).rejects.toThrow('busy');
  expect(await check()).toEqual({ kind: 'right' });
});
