import { readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { useCommandLine } from '../program.fixture.ts';

const cli = useCommandLine();

type WrongUsage = [options: string[], message: string][];

describe.each([
  {
    group: 'topics',
    variable: 'EVENT_LOG_URL',
    embedded: 'The embedded event log needs no topics. For Kafka, set EVENT_LOG_URL.\n',
    away: 'kafka://operator:not-for-logs@127.0.0.1:1?mechanism=plain',
    unreachable: /^The event log at 127\.0\.0\.1:1 cannot be used: .+\n$/,
    invalid: 'kafka://operator:not-for-logs@127.0.0.1',
    wrongUsage: [
      [['--partitions', '0'], 'a whole number from 1 to 1,000'],
      [['--partitions', '1001'], 'a whole number from 1 to 1,000'],
      [['--partitions', '1.5'], 'a whole number from 1 to 1,000'],
      [['--partitions', 'many'], 'a whole number from 1 to 1,000'],
      [['--partitions'], 'argument missing'],
      [['--replicas', '0'], 'a whole number from 1 to 9'],
      [['--replicas', '10'], 'a whole number from 1 to 9'],
      [['--prefix', 'x'], "unknown option '--prefix'"],
      [['jobs.deleted.v1'], "too many arguments for 'create'"],
    ] satisfies WrongUsage,
  },
  {
    group: 'indexes',
    variable: 'DATABASE_URL',
    embedded: 'An SQLite database has its indexes already. For MongoDB, set DATABASE_URL.\n',
    away: 'mongodb://operator:not-for-logs@127.0.0.1:1/jobs',
    unreachable: /^Cannot open the database mongodb:\/\/127\.0\.0\.1:1: .+\n$/,
    invalid: 'postgres://operator:not-for-logs@127.0.0.1/jobs',
    wrongUsage: [
      [['--drop'], "unknown option '--drop'"],
      [['jobs'], "too many arguments for 'create'"],
    ] satisfies WrongUsage,
  },
])('$group create', ({ group, variable, embedded, away, unreachable, invalid, wrongUsage }) => {
  test.each([[], ['--dry-run'], ['--json']])(
    'has nothing to create on embedded storage, and says so: %j',
    async (...options) => {
      expect(await cli.run(group, 'create', ...options)).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: embedded,
      });
      expect(readdirSync(cli.dataDir())).toEqual([]);
    },
  );

  test.each([[], ['--dry-run'], ['--json']])(
    'names a server that is away, without the password: %j',
    async (...options) => {
      const env = { [variable]: away };
      const { exitCode, stdout, stderr } = await cli.runWith({ env }, group, 'create', ...options);
      expect(stderr).toMatch(unreachable);
      expect(stderr).not.toMatch(/not-for-logs|operator/);
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    },
    60_000,
  );

  test.each<WrongUsage[number]>(wrongUsage)(
    'wrong usage exits with 2 before connecting: %j',
    async (options, message) => {
      const env = { [variable]: away };
      const { exitCode, stdout, stderr } = await cli.runWith({ env }, group, 'create', ...options);
      expect(stderr).toContain(message);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    },
  );

  test('an invalid URL exits with 2, without printing its password', async () => {
    const env = { [variable]: invalid };
    const { exitCode, stdout, stderr } = await cli.runWith({ env }, group, 'create');
    expect(stderr).toMatch(new RegExp(`^The configuration is not valid:\\n {2}${variable}: `));
    expect(stderr).not.toContain('not-for-logs');
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });
});
