import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { CredentialKind } from '../accounts.ts';
import { createAuthenticator } from '../authenticator.ts';
import {
  fingerprintOf,
  hashCredential,
  issueCredential,
  newCredentialText,
  pepperIdOf,
} from '../credentials/credential.ts';
import { type SqliteAccounts, openSqliteAccounts } from '../sqlite/sqlite-accounts.ts';
import { examinePepper, loadPeppers } from './load-pepper.ts';
import { readOrCreatePepper } from './read-or-create-pepper.ts';

const [old, next, third] = ['o'.repeat(32), 'n'.repeat(32), 't'.repeat(32)];
const idOf = (pepper: string) => pepperIdOf(fingerprintOf(readOrCreatePepper('', pepper)));
let folder: string;
let accounts: SqliteAccounts;
let nowMs: number;
let errors: unknown[];
let moves: string[];
const now = () => nowMs;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rotation-'));
  accounts = openSqliteAccounts(join(folder, 'accounts.db'));
  nowMs = Date.now();
  errors = [];
  moves = [];
  await accounts.addAccount({ id: 'acme', createdAtMs: 1 });
});
afterEach(async () => {
  expect(errors).toEqual([]);
  await accounts.close();
  rmSync(folder, { recursive: true, force: true });
});

const sourceOf = (credentialPepper: string, previousCredentialPepper?: string) => ({
  database: { kind: 'mongodb', url: '' } as const,
  dataDir: folder,
  credentialPepper,
  previousCredentialPepper,
});

/** Starts a gateway with these peppers. Its cache is off, so it sees each move at once. */
async function start(current: string, previous?: string) {
  const peppers = await loadPeppers(accounts, sourceOf(current, previous));
  const onError = (error: unknown) => errors.push(error);
  const authenticator = createAuthenticator({
    accounts: {
      ...accounts,
      replaceHash: (credential, ...change) => {
        moves.push(credential.id);
        return accounts.replaceHash(credential, ...change);
      },
    },
    ...peppers,
    now,
    onError,
    cacheMs: 0,
  });
  return {
    check: async ({ kind, text }: Issued) => {
      const isToken = kind === 'token';
      return isToken ? authenticator.authenticateToken(text) : authenticator.verifySecretKey('acme', text);
    },
    issue: async (kind: CredentialKind, expiresAtMs?: number): Promise<Issued> => {
      const issued = await issueCredential(
        accounts,
        peppers.pepper,
        { kind, accountId: 'acme', expiresAtMs },
        now,
      );
      if (issued.kind !== 'issued') throw new Error(issued.kind);
      return { kind, id: issued.credential.id, text: issued.text };
    },
  };
}

type Issued = { readonly kind: CredentialKind; readonly id: string; readonly text: string };

const pepperIdNow = async (credential: Issued) => (await accounts.findCredential(credential))?.pepperId;
const invalid = /_invalid$/;

test('a rolling change in three steps refuses no valid credential, and ends with the new pepper only', async () => {
  const steps: [string, string?][] = [[old], [old, next], [next, old], [next]];
  const issued: Issued[] = [];
  let running: Awaited<ReturnType<typeof start>>[] = [await start(old), await start(old)];
  for (const peppers of steps.slice(1)) {
    // One replica at a time: both versions of the configuration issue and check.
    for (const index of running.keys()) {
      running = running.with(index, await start(...peppers));
      for (const replica of running)
        for (const kind of ['token', 'secret-key'] as const) issued.push(await replica.issue(kind));
      nowMs += 60_000;
      for (const replica of running)
        for (const credential of issued) expect(await replica.check(credential)).toEqual(expect.any(Object));
    }
    nowMs += 60_000;
    for (const credential of issued) await running[0]?.check(credential);
  }
  expect(await accounts.countByPepper(nowMs)).toEqual([{ pepperId: idOf(next), credentials: issued.length }]);
  expect(await accounts.findPepperFingerprints()).toEqual({
    first: fingerprintOf(readOrCreatePepper('', next)),
  });
  await expect(start(old)).rejects.toThrow('belong to another pepper');
});

test('a credential of a release without pepper ids moves when it is used in a rotation', async () => {
  const oldReplica = await start(old);
  const { id, text } = newCredentialText('token');
  const hash = hashCredential(readOrCreatePepper('', old), text);
  await accounts.addCredential({ kind: 'token', id, accountId: 'acme', createdAtMs: 1, hash });
  const credential = { kind: 'token', id, text } as const;
  expect(await oldReplica.check(credential)).toMatchObject({ accountId: 'acme' });
  expect(moves).toEqual([]);
  const replica = await start(next, old);
  await expect(start(next)).rejects.toThrow(`The pepper ${idOf(old)} is missing, and 1 credentials`);
  expect(await replica.check(credential)).toMatchObject({ accountId: 'acme' });
  expect(await pepperIdNow(credential)).toBe(idOf(next));
  expect(await (await start(next)).check(credential)).toMatchObject({ accountId: 'acme' });
});

describe('during a rotation', () => {
  let oldReplica: Awaited<ReturnType<typeof start>>;
  let replica: Awaited<ReturnType<typeof start>>;
  let token: Issued;
  beforeEach(async () => {
    oldReplica = await start(old);
    token = await oldReplica.issue('token');
    replica = await start(next, old);
  });

  test('a refused request moves no credential', async () => {
    const wrong = { ...token, text: token.text.slice(0, -8) + '00000000' };
    expect(await replica.check(wrong)).toMatch(invalid);
    await accounts.changeAccount('acme', { disabledAtMs: nowMs });
    expect(await replica.check(token)).toMatch(invalid);
    expect(await pepperIdNow(token)).toBe(idOf(old));
    expect(await oldReplica.check({ ...token, kind: 'secret-key' })).toMatch(invalid);
  });

  test('a credential moves once, however often it is used', async () => {
    for (let minute = 0; minute < 3; minute++) {
      await replica.check(token);
      nowMs += 60_000;
    }
    expect(moves).toEqual([token.id]);
  });

  test('a replica with the old pepper alone starts until a credential has moved', async () => {
    await start(old);
    await start(next, old);
    await replica.check(token);
    await expect(start(old)).rejects.toMatchObject({
      name: 'StartupError',
      message: expect.stringContaining(`The pepper ${idOf(next)} is missing`),
    });
    await expect(examinePepper(accounts, sourceOf(old))).rejects.toThrow('is missing');
    expect(await examinePepper(accounts, sourceOf(old, next))).toBe('fits');
  });

  test('a running replica without the new pepper calls a moved credential unavailable, never invalid', async () => {
    await replica.check(token);
    const wrong = { ...token, text: token.text.slice(0, -8) + '00000000' };
    for (const each of [token, wrong])
      await expect(oldReplica.check(each)).rejects.toMatchObject({
        name: 'Fault',
        code: 'unavailable',
        message: expect.stringMatching(
          `${idOf(next)}, .*: set CREDENTIAL_PEPPER and CREDENTIAL_PEPPER_PREVIOUS to`,
        ),
      });
  });

  test('credentials that are revoked or expired keep no pepper, and are refused without it', async () => {
    const expiring = await oldReplica.issue('token', nowMs - 1);
    const revoked = await oldReplica.issue('secret-key');
    await accounts.revokeCredential('acme', revoked, nowMs);
    await replica.check(token);
    const last = await start(next);
    for (const each of [expiring, revoked]) expect(await last.check(each)).toMatch(invalid);
    expect(await last.check(token)).toMatchObject({ accountId: 'acme' });
  });

  test('a third pepper is refused until the first has no credential', async () => {
    await expect(start(third, next)).rejects.toThrow(`The pepper ${idOf(old)} is missing`);
    await expect(start(third)).rejects.toThrow('belong to another pepper');
    await replica.check(token);
    const replaced = await start(third, next);
    nowMs += 60_000;
    await replaced.check(token);
    expect(await pepperIdNow(token)).toBe(idOf(third));
  });

  test('a rotation that has moved nothing can be ended', async () => {
    await start(old);
    await expect(start(next)).rejects.toThrow('belong to another pepper');
    expect(await oldReplica.check(token)).toMatchObject({ accountId: 'acme' });
  });
});

test('the previous pepper must differ from the current one', async () => {
  await expect(loadPeppers(accounts, sourceOf(old, old))).rejects.toThrow(
    'CREDENTIAL_PEPPER_PREVIOUS: must differ from CREDENTIAL_PEPPER',
  );
});
