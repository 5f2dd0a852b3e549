import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventLogAdapter } from '@jobs-delete/deleter-service/event-log/open-event-log';
import { openSqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { createAuthority, mountSecret, type Secret } from '@jobs-delete/runtime/testing/certificates';
import { useCommandLine } from '../program.fixture.ts';

interface Report {
  readonly healthy: boolean;
  readonly findings: readonly { subject: string; state: string; message: string; advice: string | null }[];
}

const cli = useCommandLine();
const database = () => join(cli.dataDir(), 'jobs-delete.db');

beforeEach(() => cli.setNow(Date.now()));

/** As `serve` leaves it. */
async function setUp() {
  await cli.json('accounts', 'create', 'acme');
  const eventLog = await eventLogAdapter({ kind: 'embedded', path: join(cli.dataDir(), 'events.db') }).open();
  await eventLog.close();
}

async function examine(env: NodeJS.ProcessEnv = {}, ...options: string[]) {
  const { exitCode, stdout, stderr } = await cli.runWith({ env }, 'doctor', '--json', ...options);
  expect(stderr).toBe('');
  const { healthy, findings } = JSON.parse(stdout) as Report;
  expect(exitCode).toBe(healthy ? 0 : 1);
  expect(findings.filter(({ state, advice }) => (advice === null) !== (state === 'ok'))).toEqual([]);
  const states = findings.map(({ subject, state }) => `${subject} ${state}`);
  const ofState = (wanted: string) =>
    findings.filter(({ state }) => state === wanted).map(({ message }) => message);
  return { states, problems: ofState('problem'), warnings: ofState('warning') };
}

describe('with embedded storage', () => {
  test('a healthy deployment exits with 0', async () => {
    await setUp();
    const { exitCode, stdout } = await cli.run('doctor');
    expect(stdout).toBe(
      [
        'ok       configuration: is valid',
        `ok       data_folder: only the owner can access ${cli.dataDir()}`,
        `ok       database: ${database()} is intact and durable: WAL with synchronous=FULL`,
        `ok       event_log: ${join(cli.dataDir(), 'events.db')} is intact and durable: WAL with synchronous=FULL`,
        '',
      ].join('\n'),
    );
    expect(exitCode).toBe(0);
    expect((await examine()).states).toEqual([
      'configuration ok',
      'data_folder ok',
      'database ok',
      'event_log ok',
    ]);
  });

  test('a variable that looks misspelt is a warning', async () => {
    await setUp();
    expect((await examine({ DATABASE_ULR: 'sqlite:jobs.db', OPENID_GROUP: '' })).warnings).toEqual([
      'Nothing reads the variable DATABASE_ULR. Did you mean DATABASE_URL?',
    ]);
  });

  test('missing files are reported with advice, and not created', async () => {
    const { exitCode, stdout } = await cli.run('doctor');
    expect(stdout).toContain(
      `problem  database: There is no database at ${database()}.\n         Run jobs-delete serve to create it`,
    );
    expect(exitCode).toBe(1);
    expect((await examine()).states).toEqual([
      'configuration ok',
      'data_folder ok',
      'database problem',
      'event_log problem',
    ]);
  });

  test.each([
    ['the folder', 0o710, () => cli.dataDir()],
    ['the database', 0o640, database],
    ['a journal', 0o604, () => `${database()}-wal`],
    ['the event log', 0o602, () => join(cli.dataDir(), 'events.db')],
    ['the pepper', 0o644, () => join(cli.dataDir(), 'credential-pepper')],
    ['the demo', 0o620, () => join(cli.dataDir(), 'demo.json')],
    ['the lock', 0o666, () => join(cli.dataDir(), 'serve.lock')],
  ])('files that other users can access are a warning with advice: %s', async (_, mode, pathOf) => {
    await setUp();
    const path = pathOf();
    if (path !== cli.dataDir()) writeFileSync(path, '', { flag: 'a' });
    chmodSync(path, mode);
    const { exitCode, stdout } = await cli.run('doctor');
    expect(stdout).toContain(
      `warning  data_folder: Other users of this machine can access ${path}\n         Run chmod go= ${path}\n`,
    );
    expect(exitCode).toBe(0);
  });

  test('a database outside the data folder is checked too', async () => {
    const path = join(cli.dataDir(), 'it is elsewhere', 'jobs.db');
    const env = { DATABASE_URL: `sqlite:${path}` };
    await cli.runWith({ env }, 'accounts', 'create', 'acme');
    chmodSync(path, 0o644);
    const { stdout } = await cli.runWith({ env }, 'doctor');
    expect(stdout).toContain(`Run chmod go= '${path}'\n`);
  });

  test('a file with only the accounts is checked too, and gets no tables of jobs', async () => {
    await setUp();
    const path = join(cli.dataDir(), 'accounts.db');
    const env = { ACCOUNTS_DATABASE_URL: `sqlite:${path}` };
    await cli.runWith({ env }, 'accounts', 'create', 'acme');
    expect((await examine(env)).states).toEqual([
      'configuration ok',
      'data_folder ok',
      'database ok',
      'database ok',
      'event_log ok',
    ]);
    const database = openSqlite(path, { name: 'test', migrations: [] });
    expect(database.prepare("SELECT name FROM sqlite_schema WHERE name = 'deletions'").get()).toBeUndefined();
    database.close();
    chmodSync(path, 0o644);
    expect((await examine(env)).warnings).toEqual([`Other users of this machine can access ${path}`]);
  });

  test('a lost pepper is a problem, and is not created', async () => {
    await setUp();
    await cli.json('tokens', 'issue', '--account', 'acme');
    expect((await examine()).states).toContain('pepper ok');
    const pepper = join(cli.dataDir(), 'credential-pepper');
    rmSync(pepper);
    const { states, problems } = await examine();
    expect(states).toContain('pepper problem');
    expect(problems).toEqual([
      expect.stringMatching(/^The pepper is missing: there is no file .*credential-pepper/),
    ]);
    expect(existsSync(pepper)).toBe(false);
    expect((await cli.run('tokens', 'issue', '--account', 'acme')).stderr).toMatch(
      /^The pepper is missing: /,
    );
    expect(existsSync(pepper)).toBe(false);
  });

  test('a damaged database is reported, and the other checks run', async () => {
    await setUp();
    // Without its journal too, which has the pages that were written last.
    for (const suffix of ['-wal', '-shm']) rmSync(database() + suffix, { force: true });
    writeFileSync(database(), 'no database at all'.repeat(1_000));
    const { states, problems } = await examine();
    expect(states).toEqual(['configuration ok', 'data_folder ok', 'database problem', 'event_log ok']);
    expect(problems).toEqual([expect.stringContaining(database())]);
  });

  test('all configuration problems are reported together', async () => {
    const { states, problems } = await examine({
      PORT: 'x',
      GRPC_CALLERS: 'x',
      LOG_LEVEL: 'loud',
      GRPC_TLS_CA: '/none',
    });
    expect(states).toEqual(states.map(() => 'configuration problem'));
    expect(problems.map((text) => text.split(':')[0]).sort()).toEqual(['GRPC_CALLERS', 'LOG_LEVEL', 'PORT']);
  });

  test('--service checks the environment of one service', async () => {
    await setUp();
    expect((await examine({ PORT: 'x' }, '--service', 'deleter')).problems).toEqual([]);
    expect((await examine({ GRPC_PORT: 'x' }, '--service', 'gateway')).problems).toEqual([]);
    expect((await examine({ PORT: 'x' }, '--service', 'gateway')).problems).toHaveLength(1);
  });
});

describe('the certificates', () => {
  const dayMs = 86_400_000;
  const authority = createAuthority('the authority');
  const trusted = authority.certificate;
  const validity = { to: new Date(Date.now() + 365 * dayMs) };
  const good = { ...authority.issue(['api.jobs.svc'], validity), trusted };
  const examineWith = async (secret: Secret) => {
    await setUp();
    const folder = join(cli.dataDir(), 'certificates');
    mkdirSync(folder);
    return examine({ ...mountSecret(folder, secret).files, GRPC_CALLERS: 'gateway=delete' });
  };

  test('are valid, except an authority that expires soon', async () => {
    const { states, warnings } = await examineWith(good);
    expect(states.filter((state) => state.startsWith('cert'))).toEqual([
      'certificates ok',
      'certificates warning',
    ]);
    expect(warnings).toEqual([expect.stringMatching(/ca\.crt \(CN=the authority\) is valid until /)]);
  });

  test.each<[string, Secret, RegExp]>([
    [
      'expires soon',
      { ...authority.issue(['api'], { to: new Date(Date.now() + 13 * dayMs) }), trusted },
      /tls\.crt .* is valid until/,
    ],
    [
      'leads to no authority that is trusted',
      { ...good, trusted: createAuthority('the authority').certificate },
      /tls\.crt is not issued by an authority in .*ca\.crt/,
    ],
  ])('one that %s is a warning', async (_, secret, message) => {
    const { warnings, problems } = await examineWith(secret);
    expect(warnings).toContainEqual(expect.stringMatching(message));
    expect(problems).toEqual([]);
  });

  test.each<[string, Secret, RegExp]>([
    [
      'names nobody',
      { ...authority.issue([], validity), trusted },
      /tls\.crt has no subject alternative name/,
    ],
    [
      'is trusted and no authority',
      { ...good, trusted: good.certificate },
      /ca\.crt contains a certificate that is not an authority's/,
    ],
    ['has another key', { ...good, key: authority.issue(['x']).key }, /^GRPC_TLS_KEY: .* is not the key/],
    [
      'has expired',
      { ...authority.issue(['api'], { to: new Date(Date.now() - dayMs) }), trusted },
      /^GRPC_TLS_CERT: .* has expired/,
    ],
  ])('one that %s is a problem', async (_, secret, message) => {
    expect((await examineWith(secret)).problems).toEqual([expect.stringMatching(message)]);
  });
});
