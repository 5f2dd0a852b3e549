import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { useCommandLine } from './program.fixture.ts';

const cli = useCommandLine();

const groups = [
  'accounts',
  'tokens',
  'secrets',
  'origins',
  'people',
  'jobs',
  'deletions',
  'dead-letters',
  'topics',
  'indexes',
];
const subcommands = [
  ...['accounts create', 'accounts list', 'accounts show x'],
  ...['tokens', 'secrets'].flatMap((group) =>
    ['issue', 'list', 'revoke x'].map((verb) => `${group} ${verb}`),
  ),
  ...['origins allow x', 'origins list', 'origins remove x'],
  ...['people invite a@b.c', 'people list', 'people set-role a@b.c', 'people remove a@b.c'],
  'people invitations',
  ...['jobs import x.csv', 'jobs count', 'jobs show x'],
  ...[
    'deletions list',
    'deletions show x',
    'dead-letters list',
    'dead-letters replay x',
    'dead-letters discard x',
  ],
  ...['topics create', 'indexes create', 'doctor', 'audit'],
];

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(await cli.run('--version')).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
});

test.each(['', ...groups, ...subcommands])('%s --help prints to stdout and exits with 0', async (command) => {
  const { exitCode, stdout, stderr } = await cli.run(...command.split(' ').filter(Boolean), '--help');
  expect(stdout).toMatch(/^Usage: jobs-delete /);
  if (subcommands.includes(command)) {
    expect(stdout).toContain('--json');
    expect(stdout).toContain(`\nExamples:\n  jobs-delete `);
  }
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
});

describe('wrong usage exits with 2 and prints only to stderr', () => {
  test.each([
    [[], /^Usage: jobs-delete /],
    [['frobnicate'], /^error: unknown command 'frobnicate'/],
    [['jobs'], /^Usage: jobs-delete jobs /],
    [['jobs', 'exterminate'], /^error: unknown command 'exterminate'/],
    [['accounts', 'list', '--yaml'], /^error: unknown option '--yaml'/],
    [['accounts', 'list', 'extra'], /^error: too many arguments for 'list'/],
    [['accounts', 'show'], /^error: missing required argument 'id'/],
    [['accounts', 'create', 'a/b'], /^'a\/b' is not an account id: use 1 to 64 of A-Z a-z 0-9 _ -\.\n$/],
    [
      ['accounts', 'create', '--name', 'a\nb'],
      /^'a\\u\{a\}b' is not a name: use 1 to 100 printable characters\.\n$/,
    ],
    [['tokens', 'issue'], /^error: required option '--account <id>' not specified/],
    [
      ['tokens', 'issue', '--account', 'a', '--expires', '3y'],
      /^error: option '--expires <duration>' argument '3y'/,
    ],
    [
      ['tokens', 'revoke', 'nonsense', '--account', 'a'],
      /^This is not a token id, which has 24 hex digits\. List them: jobs-delete tokens list --account a\n$/,
    ],
    [
      ['origins', 'allow', 'https://a/b', '--account', 'a'],
      /^'https:\/\/a\/b' is not a domain\. Use a host /,
    ],
    [
      ['people', 'invite', 'a b@c', '--account', 'a'],
      /^'a b@c' is not an e-mail address\. Use one such as ada@example\.com\.\n$/,
    ],
    [['people', 'invite', 'a@b.c', '--account', 'a', '--role', 'admin'], /^error: option '--role <role>'/],
    [['people', 'set-role', 'a@b.c', '--account', 'a'], /^error: required option '--role <role>' not/],
    [
      ['jobs', 'import', '-', '--account', 'a'],
      /^The format of standard input is unknown\. Set --format to one of ndjson/,
    ],
    [['jobs', 'import', 'x.txt', '--account', 'a'], /^The format of x.txt is unknown/],
    [['jobs', 'import', 'x.csv', '--account', 'a', '--format', 'yaml'], /^error: option '--format <format>'/],
    [['deletions', 'list', '--state', 'lost'], /^error: option '--state <state>' argument 'lost' is invalid/],
    [
      ['deletions', 'list', '--limit', '0'],
      /^error: option '--limit <n>' argument '0' is invalid\. It must be a whole/,
    ],
    [['dead-letters', 'replay'], /^Give either the id of a dead letter or --all\.\n$/],
    [['dead-letters', 'replay', 'x', '--all'], /^Give either the id of a dead letter or --all\.\n$/],
  ])('%j', async (args, message) => {
    const { exitCode, stdout, stderr } = await cli.run(...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  test('also with --json', async () => {
    expect(await cli.run('tokens', 'issue', '--json')).toMatchObject({ exitCode: 2, stdout: '' });
  });

  test('reports all invalid environment variables', async () => {
    const env = { DATABASE_URL: 'postgres://u:pass@h/d', EVENT_LOG_URL: 'nats://x' };
    const { exitCode, stdout, stderr } = await cli.runWith({ env }, 'accounts', 'list');
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(
      /^The configuration is not valid:\n {2}DATABASE_URL: .*\n {2}EVENT_LOG_URL: .*\n$/,
    );
    expect(stderr).not.toContain('pass');
  });
});

test.each([
  [['tokens', 'create', '--account', 'a'], 'Did you mean issue?'],
  [['origins', 'add', 'example.com', '--account', 'a'], 'Did you mean allow?'],
  [['people', 'add', 'a@b.c', '--account', 'a'], 'Did you mean invite?'],
  [['accounts', 'ls'], 'Did you mean list?'],
  [['account', 'list'], 'Did you mean accounts?'],
  [['jobs', 'import', 'x.csv', '--acount', 'a'], 'Did you mean --account instead of --acount?'],
  [['accounts', 'list', '--jsn'], 'Did you mean --json?'],
])('%j is wrong usage with a suggestion', async (args, suggestion) => {
  const { exitCode, stdout, stderr } = await cli.run(...args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(suggestion);
});

describe('without a database', () => {
  test.each([
    ...[
      'accounts list',
      'accounts show x',
      'jobs count',
      'jobs show x',
      'deletions list',
      'deletions show x',
    ],
    ...['dead-letters list', 'dead-letters replay x', 'dead-letters discard x'],
  ])('%s reports it and creates none', async (command) => {
    const { exitCode, stdout, stderr } = await cli.run(...command.split(' '));
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(
      /^There is no (database|event log) at .*\. Run jobs-delete serve .*to create it, or set DATA_DIR .*\n$/,
    );
    expect(readdirSync(cli.dataDir())).toEqual([]);
  });

  test.each([
    ['tokens', 'issue'],
    ['secrets', 'list'],
    ['tokens', 'revoke', 'ab'.repeat(12)],
    ['origins', 'allow', 'example.com'],
    ['origins', 'list'],
    ['origins', 'remove', 'example.com'],
    ['people', 'invite', 'a@b.c'],
    ['people', 'list'],
    ['people', 'set-role', 'a@b.c', '--role', 'owner'],
    ['people', 'remove', 'a@b.c'],
    ['jobs', 'import', 'x.csv'],
  ])('%s %s --account reports it and creates none', async (...args) => {
    const { exitCode, stderr } = await cli.run(...args, '--account', 'acme');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^There is no database at /);
    expect(readdirSync(cli.dataDir())).toEqual([]);
  });

  test('accounts create creates it at DATABASE_URL', async () => {
    const env = { DATABASE_URL: `sqlite:${cli.dataDir()}/sub/x.db` };
    expect(await cli.runWith({ env }, 'accounts', 'create', 'acme')).toMatchObject({ exitCode: 0 });
    expect(readdirSync(`${cli.dataDir()}/sub`)).toContain('x.db');
    expect(await cli.runWith({ env }, 'accounts', 'list')).toMatchObject({ exitCode: 0 });
    expect(await cli.run('accounts', 'list')).toMatchObject({ exitCode: 1 });
  });
});

test.each([
  ['accounts', 'show', 'nobody'],
  ['tokens', 'issue', '--account', 'nobody'],
  ['tokens', 'list', '--account', 'nobody'],
  ['secrets', 'revoke', 'ab'.repeat(12), '--account', 'nobody'],
  ['origins', 'allow', 'example.com', '--account', 'nobody'],
  ['origins', 'list', '--account', 'nobody'],
  ['origins', 'remove', 'example.com', '--account', 'nobody'],
  ['people', 'invite', 'a@b.c', '--account', 'nobody'],
  ['people', 'list', '--account', 'nobody'],
  ['people', 'invitations', '--account', 'nobody'],
  ['people', 'set-role', 'a@b.c', '--role', 'owner', '--account', 'nobody'],
  ['people', 'remove', 'a@b.c', '--account', 'nobody'],
  ['jobs', 'import', 'nofile.csv', '--account', 'nobody'],
  ['jobs', 'count', '--account', 'nobody'],
  ['jobs', 'show', 'ABCD', '--account', 'nobody'],
  ['deletions', 'list', '--account', 'nobody'],
  ['deletions', 'show', 'x', '--account', 'nobody'],
])('%s %s %s with an unknown account exits with 1 and one line, with and without --json', async (...args) => {
  await cli.run('accounts', 'create', 'acme');
  const refused = {
    exitCode: 1,
    stdout: '',
    stderr: 'There is no account nobody. List them: jobs-delete accounts list\n',
  };
  expect(await cli.run(...args)).toEqual(refused);
  expect(await cli.run(...args, '--json')).toEqual(refused);
  expect(readdirSync(cli.dataDir())).not.toContain('credential-pepper');
});
