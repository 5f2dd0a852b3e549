import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Accounts } from '@jobs-delete/accounts/accounts';
import { accountsContract } from '@jobs-delete/accounts/contract/accounts.contract';
import { acme, credential, kinds } from '@jobs-delete/accounts/contract/accounts.fixture';
import { connectMongoAccounts, type MongoAccounts } from '@jobs-delete/accounts/mongo/mongo-accounts';
import { accountsModels, mongoAccountsModels } from '@jobs-delete/accounts/mongo/mongo-accounts-schema';
import {
  entry,
  oneTimeSecret,
  passkey,
  person,
  session,
} from '@jobs-delete/accounts/contract/people.fixture';
import { createIndexes, reportIndexes } from '@jobs-delete/runtime/mongo/mongo-indexes';
import { databaseOf, openMongo, type Mongo } from '@jobs-delete/runtime/mongo/open-mongo';
import { describeWith } from '../servers/describe-with.ts';
import { useDashboard } from './use-dashboard.ts';
import { databaseUrl, uniqueName } from '../servers/unique-storage.ts';

describeWith('mongodb', 'accounts in MongoDB', (serverUrl) => {
  const url = databaseUrl(serverUrl, uniqueName('accounts'));
  let admin: Mongo;

  beforeAll(async () => {
    admin = await openMongo(url);
    await createIndexes(mongoAccountsModels(admin));
  });
  afterAll(async () => {
    await databaseOf(admin).dropDatabase();
    await admin.close();
  });

  const empty = async () => {
    for (const { collection } of mongoAccountsModels(admin)) await collection.deleteMany({});
  };
  const connect = () => connectMongoAccounts(url);
  accountsContract('MongoDB', { empty, connect });

  describe('the database', () => {
    let accounts: MongoAccounts;
    beforeEach(async () => {
      await empty();
      accounts = await connectMongoAccounts(url);
    });
    afterEach(() => accounts.close());

    test('stores a hash as exactly 32 bytes', async () => {
      await accounts.addAccount(acme);
      const counting = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 8));
      const hashes = [Buffer.alloc(32), Buffer.alloc(32, 0xff), counting, randomBytes(32)];
      for (const hash of hashes) {
        const stored = credential('token', { hash });
        await accounts.addCredential(stored);
        const found = await accounts.findCredential(stored);
        expect(Buffer.isBuffer(found?.hash)).toBe(true);
        expect(found?.hash.equals(hash)).toBe(true);
        expect((await accounts.loadAccess(stored.id))?.token.hash.equals(hash)).toBe(true);
      }
      const plain = { hash: { $type: 'binData' }, $expr: { $eq: [{ $binarySize: '$hash' }, 32] } };
      expect(await databaseOf(admin).collection('credentials').countDocuments(plain)).toBe(hashes.length);
    });

    test('rejects a second credential of the same kind and id', async () => {
      const token = credential('token');
      await accounts.addAccount(acme);
      await accounts.addCredential(token);
      const twin = { kind: token.kind, id: token.id, account_id: 'other' };
      const inserted = databaseOf(admin).collection('credentials').insertOne(twin);
      await expect(inserted).rejects.toMatchObject({ code: 11_000 });
    });

    test('stores a domain once when several connections allow it concurrently', async () => {
      await accounts.addAccount(acme);
      const others = await Promise.all([connect(), connect()]);
      const stores = [accounts, ...others];
      await Promise.all(
        stores.flatMap((store) => [1, 2, 3, 4].map(() => store.allowDomain(acme.id, 'example.com'))),
      );
      expect(await accounts.listDomains(acme.id)).toEqual(['example.com']);
      for (const other of others) await other.close();
    });

    test.each<[string, (store: MongoAccounts) => Promise<unknown>]>([
      ['an account id of other characters', (store) => store.addAccount({ ...acme, id: 'a/b' })],
      ['an account id of 65 characters', (store) => store.addAccount({ ...acme, id: 'a'.repeat(65) })],
      ['an empty domain', (store) => store.allowDomain(acme.id, '')],
      ['a domain of 301 characters', (store) => store.allowDomain(acme.id, 'a'.repeat(301))],
      ['a time that is none', (store) => store.addAccount({ id: 'b', createdAtMs: NaN })],
      [
        'a hash of another length',
        (store) => store.addCredential(credential('token', { hash: randomBytes(31) })),
      ],
      [
        'a new hash of another length',
        async (store) => {
          const token = credential('token');
          await store.addCredential(token);
          await store.replaceHash(token, token.hash, { hash: randomBytes(31), pepperId: 'id' });
        },
      ],
      ['a fingerprint of another length', (store) => store.keepPepperFingerprint(randomBytes(31))],
      [
        'an unknown role',
        (store) => store.addPerson(person({ memberships: [{ ...member, role: unknown }] })),
      ],
      [
        'a member without an address',
        (store) => store.addPerson(person({ memberships: [{ ...member, email: '' }] })),
      ],
      [
        'half an identity',
        (store) => store.addPerson(person({ openId: { issuer: 'https://login.example', subject: '' } })),
      ],
      [
        'a passkey with a negative counter',
        (store) => store.addPerson(person({ passkeys: [passkey({ counter: -1 })] })),
      ],
      ['a session of nobody', (store) => store.addSession(session(''))],
      ['an unknown kind of link', (store) => store.addOneTimeSecret(oneTimeSecret({ kind: unknown }))],
      [
        'a link with a number',
        (store) => store.addOneTimeSecret(oneTimeSecret({ data: { accountId: aNumber } })),
      ],
      ['an unknown action', (store) => store.recordAction(entry(unknown))],
    ])('cannot store %s', async (_, store) => {
      await accounts.addAccount(acme);
      await expect(store(accounts)).rejects.toMatchObject({
        name: 'Fault',
        code: 'internal',
        message: expect.stringMatching(/validation failed/i),
      });
    });

    test('refuses an unknown field', async () => {
      const unauthenticated = { _id: 'b', created_at: new Date(), allowed_domains: [], is_admin: true };
      await expect(accountsModels(admin).accounts.insertOne(unauthenticated)).rejects.toThrow(/is_admin/);
    });

    test('an operator in the place of a value is refused', async () => {
      const ada = person({ passkeys: [passkey()] });
      await accounts.addPerson(ada);
      // Casts: no caller has these types, but its own caller may have parsed JSON.
      const any = { $gt: '' } as unknown as string;
      await expect(accounts.findPerson(any)).rejects.toMatchObject({ name: 'Fault', code: 'internal' });
      await expect(accounts.findPersonByPasskey(any)).rejects.toMatchObject({ name: 'Fault' });
      await expect(accounts.endSession(any, any)).rejects.toMatchObject({ name: 'Fault' });
    });

    test('reads only the entries of a page of the audit trail that are in its range of time', async () => {
      await accounts.addAccount(acme);
      const entries = Array.from({ length: 20 }, (_, atMs) => entry('signed-in', { atMs }));
      for (const each of entries) await accounts.recordAction(each);
      const query = { accountId: acme.id, pageSize: 50, fromMs: 10, toMs: 15 };
      const finds = await profile(admin, async () => {
        await accounts.listActions(query);
        await accounts.listActions({ ...query, after: entries[12] });
      });
      // The second examines that of the cursor too.
      expect(finds.map(({ docsExamined }) => docsExamined)).toEqual([5, 3]);
    });

    test('uses an index for every query, and one round trip to load the access of a token', async () => {
      for (let index = 0; index < 20; index++)
        await accounts.addAccount({ id: `other-${String(index)}`, createdAtMs: index });
      await accounts.addAccount(acme);
      const [token] = kinds.map((kind) => credential(kind));
      if (token === undefined) throw new Error('no kind');
      await accounts.addCredential(token);

      const commands = await profile(admin, async () => {
        await useEverything(accounts, token.id);
        await useDashboard(accounts);
      });
      expect(commands.length).toBeGreaterThan(40);
      expect(commands.filter(({ planSummary }) => String(planSummary).includes('COLLSCAN'))).toEqual([]);
      expect(commands.filter(({ hasSortStage }) => hasSortStage === true)).toEqual([]);
      const loads = commands.filter(({ command }) => command.aggregate !== undefined);
      expect(loads).toEqual([expect.objectContaining({ keysExamined: 2, docsExamined: 2, nreturned: 1 })]);
    });
  });

  describe('the indexes', () => {
    let connection: Mongo;
    const indexesUrl = databaseUrl(serverUrl, uniqueName('accounts_indexes'));
    const create = () => createIndexes(mongoAccountsModels(connection));
    const states = async () =>
      (await reportIndexes(mongoAccountsModels(connection))).map(({ index, state }) => `${index} ${state}`);

    const names = [
      ...['accounts.created', 'credentials.kind_id', 'credentials.account_kind_created'],
      ...['people.passkey', 'people.open_id', 'people.account'],
      ...['sessions.session_id', 'sessions.person_seen', 'sessions.last_seen'],
      ...['one_time_secrets.expires', 'one_time_secrets.open_invitation'],
      ...['audit_entries.account_newest', 'refusal_counts.account_day_code', 'refusal_counts.day'],
      ...['refused_requests.account_newest', 'refused_requests.at'],
    ];

    beforeEach(async () => {
      connection = await openMongo(indexesUrl);
    });
    afterEach(async () => {
      await databaseOf(connection).dropDatabase();
      await connection.close();
    });

    test('are named in the error if missing, with the command that creates them', async () => {
      await expect(connectMongoAccounts(indexesUrl)).rejects.toMatchObject({
        name: 'StartupError',
        message: `The database lacks indexes: ${names.join(', ')}. Run: jobs-delete indexes create`,
      });
      await create();
      await databaseOf(connection).collection('credentials').dropIndex('kind_id');
      await expect(connectMongoAccounts(indexesUrl)).rejects.toThrow(
        /lacks indexes: credentials\.kind_id\. Run/,
      );
    });

    test('are created once, and creating them again changes nothing', async () => {
      await create();
      await create();
      expect(await states()).toEqual(names.map((name) => `${name.split('.')[1] ?? ''} present`));
      await (await connectMongoAccounts(indexesUrl)).close();
    });

    test('are recognized by their definition, not by their name', async () => {
      const credentials = databaseOf(connection).collection('credentials');
      await credentials.createIndex({ kind: 1, id: 1 }, { name: 'by_hand', unique: true }, {});
      expect(await states()).toContain('kind_id present');
    });

    test.each([
      ['isn’t unique', { kind: 1, id: 1 }, {}],
      ['has the keys in another order', { id: 1, kind: 1 }, { unique: true }],
      ['leaves documents out', { kind: 1, id: 1 }, { unique: true, partialFilterExpression: { name: 'x' } }],
      ['ignores case', { kind: 1, id: 1 }, { unique: true, collation: { locale: 'en', strength: 2 } }],
    ] as const)('one that %s doesn’t count', async (_, keys, options) => {
      await databaseOf(connection).collection('credentials').createIndex(keys, options, {});
      expect(await states()).toContain('kind_id missing');
    });

    test('are named with the reason when they cannot be created', async () => {
      const twins = [1, 2].map(() => ({ kind: 'token', id: 'twin' }));
      await databaseOf(connection).collection('credentials').insertMany(twins);
      await expect(create()).rejects.toMatchObject({
        name: 'StartupError',
        message: expect.stringMatching(/^Cannot create the indexes of credentials: .*duplicate key/),
      });
    });
  });
});

const member = { accountId: acme.id, role: 'owner', email: 'ada@example.com' } as const;
// Casts: values that no caller has, by its types.
const unknown = 'unknown' as never;
const aNumber = 1 as never;

/** Calls every read, and every write with a filter. */
async function useEverything(accounts: Accounts, tokenId: string): Promise<void> {
  await accounts.loadAccess(tokenId);
  await accounts.findAccount(acme.id);
  await accounts.listAccounts();
  await accounts.findCredential({ kind: 'token', id: tokenId });
  await accounts.listCredentials('token', acme.id);
  await accounts.addCredential(credential('token'));
  await accounts.recordUse(
    kinds.map((kind) => ({ kind, id: tokenId })),
    1,
  );
  await accounts.revokeCredential(acme.id, { kind: 'token', id: tokenId }, 1);
  await accounts.allowDomain(acme.id, 'example.com');
  await accounts.listDomains(acme.id);
  await accounts.removeDomain(acme.id, 'example.com');
  await accounts.keepPepperFingerprint(Buffer.alloc(32));
  const to = { hash: Buffer.alloc(32), pepperId: 'id' };
  await accounts.replaceHash({ kind: 'token', id: tokenId }, Buffer.alloc(32), to);
}

interface ProfiledCommand {
  readonly command: Readonly<Record<string, unknown>>;
  readonly planSummary?: string;
  readonly hasSortStage?: boolean;
  readonly docsExamined?: number;
}

/** Returns the commands that the server recorded during `use`. */
async function profile(connection: Mongo, use: () => Promise<void>): Promise<ProfiledCommand[]> {
  const database = databaseOf(connection);
  await database.setProfilingLevel('all');
  try {
    await use();
  } finally {
    await database.setProfilingLevel('off');
  }
  const names = mongoAccountsModels(connection).map(({ collection }) => collection.collectionName);
  const ours = { ns: { $in: names.map((name) => `${database.databaseName}.${name}`) } };
  return database.collection('system.profile').find<ProfiledCommand>(ours).toArray();
}
