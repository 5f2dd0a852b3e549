import { describe, expect, test } from '@jest/globals';
import { useCommandLine } from '../program.fixture.ts';

const cli = useCommandLine();
const away = 'kafka://operator:not-for-logs@127.0.0.1:1?mechanism=plain';

test.each([[], ['--dry-run'], ['--json']])(
  'on the embedded event log there is nothing to create, and it says so: %j',
  async (...options) => {
    expect(await cli.run('topics', 'create', ...options)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'The embedded event log needs no topics. For Kafka, set EVENT_LOG_URL.\n',
    });
  },
);

test.each([[], ['--dry-run'], ['--json']])(
  'a broker that is away is named, without the password: %j',
  async (...options) => {
    const env = { EVENT_LOG_URL: away };
    const { exitCode, stdout, stderr } = await cli.runWith({ env }, 'topics', 'create', ...options);
    expect(stderr).toMatch(/^The event log at 127\.0\.0\.1:1 cannot be used: .+\n$/);
    expect(stderr).not.toMatch(/not-for-logs|operator/);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  },
  60_000,
);

describe('wrong usage exits with 2 before connecting', () => {
  test.each([
    [['--partitions', '0'], 'a whole number from 1 to 1,000'],
    [['--partitions', '1001'], 'a whole number from 1 to 1,000'],
    [['--partitions', '1.5'], 'a whole number from 1 to 1,000'],
    [['--partitions', 'many'], 'a whole number from 1 to 1,000'],
    [['--partitions'], 'argument missing'],
    [['--replicas', '0'], 'a whole number from 1 to 9'],
    [['--replicas', '10'], 'a whole number from 1 to 9'],
    [['--prefix', 'x'], "unknown option '--prefix'"],
    [['jobs.deleted.v1'], "too many arguments for 'create'"],
  ])('%j', async (options, message) => {
    const env = { EVENT_LOG_URL: away };
    const { exitCode, stdout, stderr } = await cli.runWith({ env }, 'topics', 'create', ...options);
    expect(stderr).toContain(message);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });

  test('an invalid URL, without printing its password', async () => {
    const env = { EVENT_LOG_URL: 'kafka://operator:not-for-logs@127.0.0.1' };
    const { exitCode, stdout, stderr } = await cli.runWith({ env }, 'topics', 'create');
    expect(stderr).toMatch(/^The configuration is not valid:\n {2}EVENT_LOG_URL: /);
    expect(stderr).not.toContain('not-for-logs');
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });
});
