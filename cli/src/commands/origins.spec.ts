import { beforeEach, expect, test } from '@jest/globals';
import { useCommandLine } from '../program.fixture.ts';

const cli = useCommandLine();
beforeEach(() => cli.run('accounts', 'create', 'acme'));
const account = ['--account', 'acme'];

test('a domain is allowed once in canonical form, listed and removed', async () => {
  const allowed = { account_id: 'acme', origin: 'https://xn--exmple-cua.com' };
  expect(await cli.json('origins', 'allow', 'HTTPS://Exämple.com:443', ...account)).toEqual(allowed);
  expect(await cli.json('origins', 'allow', 'https://exämple.com', ...account)).toEqual(allowed);
  expect(await cli.json('origins', 'list', ...account)).toEqual([allowed]);
  expect((await cli.run('origins', 'list', ...account)).stdout).toBe('https://xn--exmple-cua.com\n');
  expect(await cli.json('origins', 'remove', 'https://EXÄMPLE.com', ...account)).toEqual(allowed);
  expect(await cli.json('origins', 'list', ...account)).toEqual([]);
  expect((await cli.run('origins', 'list', ...account)).stdout).toBe('Account acme allows no domain.\n');
});

test('the audit trail has the changes of the operator', async () => {
  await cli.run('origins', 'allow', 'Example.com', ...account);
  cli.setNow(Date.parse('2030-01-03T00:00:00Z'));
  await cli.run('origins', 'remove', 'example.com', ...account);
  await cli.run('origins', 'remove', 'example.com', ...account);
  expect(await cli.listActions('acme')).toEqual([
    ['operator', 'domain.removed', 'example.com'],
    ['operator', 'domain.allowed', 'example.com'],
  ]);
});

test.each(['example.com', '*.example.com', 'not a domain'])(
  '%s, which is not allowed, is not removed',
  async (domain) => {
    expect(await cli.run('origins', 'remove', domain, ...account)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `Account acme does not allow ${domain}. Nothing was removed.\n`,
    });
  },
);

test.each(['not a domain', 'https://-bad.example', 'www.bad-.example', '*.-bad.example'])(
  '%s is no domain to allow',
  async (domain) => {
    const { exitCode, stderr } = await cli.run('origins', 'allow', domain, ...account);
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringMatching(`^'${domain.replace('*', '\\*')}' is not a domain\\.`),
    ]);
    expect(await cli.json('origins', 'list', ...account)).toEqual([]);
  },
);
