import { randomBytes } from 'node:crypto';
import { connect as connectSocket, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { acme, credential } from '@jobs-delete/gateway/accounts/accounts.contract-fixtures';
import { openMongoAccounts, type MongoAccounts } from '@jobs-delete/gateway/accounts/mongo-accounts';
import { mongoAccountsModels } from '@jobs-delete/gateway/accounts/mongo-accounts-schema';
import { createIndexes } from '@jobs-delete/runtime/mongo-indexes';
import { databaseOf, openMongo, type Mongo } from '@jobs-delete/runtime/open-mongo';
import { describeWith } from '../servers/describe-with.ts';

describeWith('mongodb', 'accounts in a MongoDB that fails', (serverUrl) => {
  const token = credential('token');
  let line: Line;
  let connection: Mongo;
  let accounts: MongoAccounts;

  beforeEach(async () => {
    line = await openLine(serverUrl, `accounts_faults_${randomBytes(6).toString('hex')}`);
    connection = await openMongo(line.url);
    await createIndexes(mongoAccountsModels(connection));
    accounts = await openMongoAccounts(connection);
    await accounts.addAccount(acme);
    await accounts.addCredential(token);
  });
  afterEach(async () => {
    line.mend();
    await databaseOf(connection).dropDatabase();
    await accounts.close();
    await line.close();
  });

  const reads = {
    findAccount: () => accounts.findAccount(acme.id),
    listAccounts: () => accounts.listAccounts(),
    findCredential: () => accounts.findCredential(token),
    listCredentials: () => accounts.listCredentials('token', acme.id),
    listDomains: () => accounts.listDomains(acme.id),
    loadAccess: () => accounts.loadAccess(token.id),
  };
  const writes = {
    addAccount: () => accounts.addAccount({ ...acme, id: 'late' }),
    addCredential: () => accounts.addCredential(credential('token')),
    revokeCredential: () => accounts.revokeCredential(acme.id, token, 1),
    recordUse: () => accounts.recordUse([token], 1),
    allowDomain: () => accounts.allowDomain(acme.id, 'late.example'),
    removeDomain: () => accounts.removeDomain(acme.id, 'late.example'),
    keepPepperFingerprint: () => accounts.keepPepperFingerprint(Buffer.alloc(32)),
  };
  const faultsOf = async (uses: Record<string, () => Promise<unknown>>) => {
    const entries = Object.entries(uses).map(async ([name, use]) => [name, await faultOf(use())] as const);
    return Object.fromEntries(await Promise.all(entries));
  };
  const all = (uses: Record<string, unknown>, code: string) =>
    Object.fromEntries(Object.keys(uses).map((name) => [name, code]));

  test('a server that is away makes reads unavailable and writes unknown, and serves again once it is back', async () => {
    line.cut();
    const [read, written] = await Promise.all([faultsOf(reads), faultsOf(writes)]);
    expect(read).toEqual(all(reads, 'unavailable'));
    expect(written).toEqual(all(writes, 'unknown-outcome'));
    line.mend();
    expect(await accounts.findAccount('late')).toBeUndefined();
    expect((await accounts.loadAccess(token.id))?.token).toEqual(token);
  }, 30_000);

  test('a server that falls silent is given up in time', async () => {
    line.swallow();
    const startedAtMs = performance.now();
    const [read, written] = await Promise.all([faultsOf(reads), faultsOf(writes)]);
    expect(performance.now() - startedAtMs).toBeLessThan(8_000);
    expect(read).toEqual(all(reads, 'unavailable'));
    expect(written).toEqual(all(writes, 'unknown-outcome'));
  }, 30_000);

  test('a write that was done but not answered is not told as one that did nothing', async () => {
    line.cutBeforeAnswerTo('insert');
    expect(await faultOf(writes.addAccount())).toBe('unknown-outcome');
    line.mend();
    expect(await accounts.findAccount('late')).toEqual({ ...acme, id: 'late' });
    expect(await writes.addAccount()).toBe('exists');
  }, 30_000);

  test('accounts that are closed are used no more', async () => {
    const other = await openMongoAccounts(await openMongo(line.url));
    await other.close();
    expect(await faultOf(other.findAccount(acme.id))).toBe('unavailable');
    expect(await faultOf(other.addAccount({ ...acme, id: 'late' }))).toBe('unknown-outcome');
  });
});

async function faultOf(use: Promise<unknown>): Promise<unknown> {
  try {
    return { answered: await use };
  } catch (error) {
    return error instanceof Error && error.name === 'Fault' && 'code' in error ? error.code : error;
  }
}

/** The way to the server, which can fail while the server does not. */
interface Line {
  readonly url: string;
  /** As if nobody were there. */
  cut(): void;
  /** Connections stay, and nothing gets through. */
  swallow(): void;
  /** The command still gets to the server; the line is cut when that answers. */
  cutBeforeAnswerTo(command: string): void;
  mend(): void;
  close(): Promise<void>;
}

async function openLine(serverUrl: string, database: string): Promise<Line> {
  const to = await primaryOf(serverUrl);
  const sockets = new Set<Socket>();
  let state: 'open' | 'silent' | 'cut' = 'open';
  let lastCommand: string | undefined;

  const drop = (next: typeof state) => {
    state = next;
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    if (state === 'cut') {
      client.destroy();
      return;
    }
    const upstream = connectSocket(to.port, to.host);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (data) => {
      if (state !== 'open') return;
      if (lastCommand !== undefined && data.includes(lastCommand)) {
        lastCommand = undefined;
        state = 'silent';
        upstream.once('data', () => drop('cut'));
      }
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (state === 'open') client.write(data);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: throughLine(serverUrl, port, database),
    cut: () => drop('cut'),
    swallow: () => {
      state = 'silent';
    },
    cutBeforeAnswerTo: (command) => {
      lastCommand = command;
    },
    mend: () => {
      // What was swallowed is missing from the connections that are there.
      if (state === 'silent') drop('open');
      state = 'open';
    },
    close: async () => {
      drop('cut');
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The one server that takes writes, where the URL names several. */
async function primaryOf(serverUrl: string): Promise<{ host: string; port: number }> {
  const named = /^mongodb:\/\/(?:[^@/]*@)?([^/?]*)/.exec(serverUrl)?.[1] ?? '';
  const connection = await openMongo(serverUrl);
  const hello = await databaseOf(connection).admin().command({ hello: 1 });
  await connection.close();
  const [host = '', port = '27017'] = (named.includes(',') ? String(hello['primary']) : named).split(':');
  return { host, port: Number(port) };
}

function throughLine(serverUrl: string, port: number, database: string): string {
  const [, login = '', given = ''] = /^mongodb:\/\/([^@/]*@)?[^?]*(?:\?(.*))?$/.exec(serverUrl) ?? [];
  const kept = given
    .split('&')
    .filter((option) => option !== '' && !/^(replicaSet|directConnection)=/i.test(option));
  const options = [...kept, 'directConnection=true'].join('&');
  return `mongodb://${login}127.0.0.1:${String(port)}/${database}?${options}`;
}
