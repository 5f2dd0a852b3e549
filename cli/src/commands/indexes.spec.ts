import { readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { useCommandLine } from '../program.fixture.ts';

const cli = useCommandLine();
const away = 'mongodb://operator:not-for-logs@127.0.0.1:1/jobs';

test.each([[], ['--dry-run'], ['--json']])(
  'a SQLite database has its indexes, and it says so: %j',
  async (...options) => {
    expect(await cli.run('indexes', 'create', ...options)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'An SQLite database has its indexes already. For MongoDB, set DATABASE_URL.\n',
    });
    expect(readdirSync(cli.dataDir())).toEqual([]);
  },
);

test.each([[], ['--dry-run'], ['--json']])(
  'a server that is away is named, without the password: %j',
  async (...options) => {
    const env = { DATABASE_URL: away };
    const { exitCode, stdout, stderr } = await cli.runWith({ env }, 'indexes', 'create', ...options);
    expect(stderr).toMatch(/^Cannot open the database mongodb:\/\/127\.0\.0\.1:1: .+\n$/);
    expect(stderr).not.toMatch(/not-for-logs|operator/);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  },
  60_000,
);

describe('wrong usage exits with 2 before connecting', () => {
  test.each([
    [['--drop'], "unknown option '--drop'"],
    [['jobs'], "too many arguments for 'create'"],
  ])('%j', async (options, message) => {
    const env = { DATABASE_URL: away };
    const { exitCode, stdout, stderr } = await cli.runWith({ env }, 'indexes', 'create', ...options);
    expect(stderr).toContain(message);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });

  test('an invalid URL, without printing its password', async () => {
    const env = { DATABASE_URL: 'postgres://operator:not-for-logs@127.0.0.1/jobs' };
    const { exitCode, stdout, stderr } = await cli.runWith({ env }, 'indexes', 'create');
    expect(stderr).toMatch(/^The configuration is not valid:\n {2}DATABASE_URL: /);
    expect(stderr).not.toContain('not-for-logs');
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });
});
