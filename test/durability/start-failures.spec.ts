import { chmodSync, chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { dirname } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { reapAfterEach, spawnServe } from '../harness/spawn-serve.ts';
import { databasePath } from './aftermath.ts';
import { refusedStart } from './refused-start.ts';

const newPath = temporaryFolder();
const isRoot = process.getuid?.() === 0;
const nobody = 65_534;

reapAfterEach();

test('all invalid variables are reported together, without their secrets', async () => {
  const taken = await Promise.all([takePort(), takePort()]);
  const { exitCode, reason } = await refusedStart(newPath('data'), {
    env: {
      PORT: portOf(taken[0]),
      GRPC_PORT: portOf(taken[1]),
      DATABASE_URL: 'oracle://scott:tiger@db/jobs',
      EVENT_LOG_URL: 'rabbit://scott:tiger@mq',
      MAX_JOBS_PER_REQUEST: '10001',
      MAX_BODY_BYTES: '4 MiB',
      KEEP_ALIVE_TIMEOUT_MS: '-1',
      RECEIPT_RETENTION_DAYS: '1.5',
      SHUTDOWN_TIMEOUT_MS: '1e3',
      CREDENTIAL_PEPPER: 'tooshort',
      LOG_LEVEL: 'loud',
    },
  });
  taken.forEach((server) => server.close());
  expect(exitCode).toBe(2);
  const [heading, ...problems] = reason.trimEnd().split('\n');
  expect(heading).toBe('The configuration is not valid:');
  expect(problems.map((line) => line.split(':')[0]?.trim()).sort()).toEqual([
    'CREDENTIAL_PEPPER',
    'DATABASE_URL',
    'EVENT_LOG_URL',
    'GRPC_PORT',
    'KEEP_ALIVE_TIMEOUT_MS',
    'LOG_LEVEL',
    'MAX_BODY_BYTES',
    'MAX_JOBS_PER_REQUEST',
    'PORT',
    'RECEIPT_RETENTION_DAYS',
    'SHUTDOWN_TIMEOUT_MS',
  ]);
  expect(reason).not.toContain('tiger');
  expect(reason).not.toContain('tooshort');
});

test.each([
  ['DATABASE_URL', 'mongodb://user:QZ57/XJ90@127.0.0.1:1/jobs'],
  ['DATABASE_URL', 'mongodb://user:QZ57@XJ90@127.0.0.1:1/jobs'],
  ['DATABASE_URL', 'mongodb://user:9057?XJ90@127.0.0.1:1/jobs'],
  ['EVENT_LOG_URL', 'kafka://user:QZ57/XJ90@127.0.0.1:1'],
  ['EVENT_LOG_URL', 'kafka://user:QZ57@XJ90@127.0.0.1:1'],
])('%s=%s is refused without printing the password', async (name, url) => {
  const { exitCode, reason } = await refusedStart(newPath('data'), { env: { [name]: url } });
  expect(exitCode).toBe(2);
  expect(reason).toContain(`${name}: must be `);
  expect(reason).toContain('with %40 for @, %2F for / and %3A for :');
  expect(reason).not.toMatch(/QZ57|XJ90|9057/);
});

test('the same port for both listeners is refused', async () => {
  const taken = await takePort();
  const port = portOf(taken);
  await new Promise((resolve) => taken.close(resolve));
  const { exitCode, reason } = await refusedStart(newPath('data'), { env: { PORT: port, GRPC_PORT: port } });
  expect(exitCode).toBe(2);
  expect(reason).toContain(`GRPC_PORT: port ${port} cannot be used (it is in use)`);
});

test('a HOST that is not an address of this machine is reported, whatever the port', async () => {
  const { exitCode, reason } = await refusedStart(newPath('data'), { env: { HOST: '192.0.2.1' } });
  expect(exitCode).toBe(2);
  expect(reason).toContain('192.0.2.1');
  expect(reason).toContain('HOST must be an address of this machine');
});

test.each(['sqlite:', 'sqlite::memory:', 'sqlite:file:jobs?mode=memory', 'sqlite:http://127.0.0.1:1/jobs'])(
  'DATABASE_URL=%s, which names no file, is refused',
  async (url) => {
    const { exitCode, reason } = await refusedStart(newPath('data'), { env: { DATABASE_URL: url } });
    expect(exitCode).toBe(2);
    expect(reason).toContain('DATABASE_URL: must be sqlite:PATH');
  },
);

test('an empty variable counts as absent', async () => {
  const serve = spawnServe(newPath('data'), {
    env: { DATABASE_URL: '', EVENT_LOG_URL: '', CREDENTIAL_PEPPER: '', MAX_BODY_BYTES: '', BASE_PATH: '' },
  });
  await serve.ready;
});

test('the error names a DATA_DIR that is a file', async () => {
  const file = newPath('a-file');
  mkdirSync(dirname(file));
  writeFileSync(file, 'not a folder');
  for (const dataDir of [file, `${file}/data`]) {
    const { exitCode, reason } = await refusedStart(dataDir);
    expect(exitCode).toBe(1);
    expect(reason).toContain(dataDir);
    expect(reason).toContain('DATA_DIR must name a folder that can be written');
  }
});

test('the error names a DATABASE_URL that is a directory', async () => {
  const folder = newPath('a-folder');
  mkdirSync(folder, { recursive: true });
  const { exitCode, reason } = await refusedStart(newPath('data'), {
    env: { DATABASE_URL: `sqlite:${folder}` },
  });
  expect(exitCode).toBe(1);
  expect(reason).toContain(`Cannot open the database ${folder}`);
});

test('a read-only data folder is refused, empty or not', async () => {
  const used = newPath('used');
  await serveOnce(used);
  const empty = newPath('empty');
  mkdirSync(empty, { recursive: true });
  for (const dataDir of [used, empty]) {
    const { exitCode, reason } = await refusedStart(readOnly(dataDir), asNobody());
    expect(exitCode).toBe(1);
    expect(reason).toContain(dataDir);
    expect(reason).toContain('cannot be');
  }
});

test('a database in a read-only folder is refused', async () => {
  const dataDir = newPath('used');
  await serveOnce(dataDir);
  const elsewhere = newPath('data');
  mkdirSync(elsewhere, { recursive: true });
  chmodSync(dirname(dirname(elsewhere)), 0o755);
  if (isRoot) chownSync(elsewhere, nobody, nobody);
  chmodSync(databasePath(dataDir), 0o644);
  const { exitCode, reason } = await refusedStart(elsewhere, {
    ...asNobody(),
    env: { DATABASE_URL: `sqlite:${databasePath(readOnly(dataDir))}` },
  });
  expect(exitCode).toBe(1);
  expect(reason).toBe(
    `Cannot open the database ${databasePath(dataDir)}: the folder or the file cannot be written (SQLITE_READONLY)\n`,
  );
});

test('a data folder that others may write is refused', async () => {
  const dataDir = newPath('shared');
  mkdirSync(dataDir, { recursive: true });
  chmodSync(dataDir, 0o777);
  const { exitCode, reason } = await refusedStart(dataDir);
  expect(exitCode).toBe(1);
  expect(reason).toBe(
    `Other users of this machine may write to the data folder ${dataDir}. Run chmod o-w ${dataDir}, or set DATA_DIR.\n`,
  );
  expect(readdirSync(dataDir)).toEqual([]);
});

async function serveOnce(dataDir: string): Promise<void> {
  const serve = spawnServe(dataDir);
  await serve.ready;
  serve.kill('SIGTERM');
  await serve.exited;
}

/** Makes the folder read-only. Root may write anywhere, so the command must run as `nobody`. */
function readOnly(dataDir: string): string {
  for (const parent of [dirname(dirname(dataDir)), dirname(dataDir)]) chmodSync(parent, 0o755);
  chmodSync(dataDir, 0o555);
  return dataDir;
}

function asNobody() {
  return isRoot ? { uid: nobody, gid: nobody } : {};
}

function takePort(): Promise<Server> {
  return new Promise((resolve) => {
    const server: Server = createServer().listen(0, '127.0.0.1', () => resolve(server));
  });
}

function portOf(server: Server): string {
  return String((server.address() as AddressInfo).port);
}
