import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { useCommandLine } from '../program.fixture.ts';

const cli = useCommandLine();
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const account = {
  account_id: 'acme',
  account_name: 'Acme',
  token: { id: 'token-1', expires_at: '2031-01-01T00:00:00.000Z' },
  secret_key: { id: 'key-1', expires_at: null },
  origin: 'https://acme.example',
  limits: { max_jobs_per_request: 10_000, max_body_bytes: 4_194_304 },
};

/** Runs `jobs-delete whoami` against a server with one answer. */
async function whoami(status: number, body: unknown, ...args: readonly string[]) {
  const asked: (string | undefined)[] = [];
  const server = createServer(({ method, url, headers }, response) => {
    asked.push(`${String(method)} ${String(url)}`, headers.usersecretkey as string);
    response.writeHead(status).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => server.close());
  const env = {
    JOBS_DELETE_BASE_URL: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    JOBS_DELETE_TOKEN: 'a-token',
    JOBS_DELETE_SECRET_KEY: 'a-key',
    JOBS_DELETE_ORIGIN: 'https://acme.example',
  };
  return { ...(await cli.runWith({ env }, 'whoami', ...args)), asked };
}

test('shows the account and when its credentials expire', async () => {
  const { stdout, stderr, exitCode, asked } = await whoami(200, account);
  expect([exitCode, stderr, asked]).toEqual([0, '', ['GET /v1/whoami', 'a-key']]);
  expect(stdout).toBe(
    [
      'account             acme',
      'name                Acme',
      'token id            token-1',
      'token expires       2031-01-01T00:00:00.000Z',
      'secret key id       key-1',
      'secret key expires  never',
      'origin              https://acme.example',
      'jobs per request    10,000',
      '',
    ].join('\n'),
  );
});

test('prints the names of the API with --json', async () => {
  const { stdout, exitCode } = await whoami(200, { ...account, account_name: null }, '--json');
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, { ...account, account_name: null }]);
});

test('fails if the credentials do not work, and names no secret', async () => {
  const problem = { code: 'secret_key_invalid', title: 'Unauthorized. Missing or invalid secret key.' };
  const { stdout, stderr, exitCode } = await whoami(403, problem);
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toContain('Unauthorized. Missing or invalid secret key. (403 secret_key_invalid)');
  expect(stderr).not.toMatch(/a-key|a-token/);
});

test('fails if something else answers', async () => {
  const { stderr, exitCode } = await whoami(200, {});
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('unexpected_answer')]);
});

test('needs all credentials', async () => {
  const { stderr, exitCode } = await cli.run('whoami', '--base-url', 'http://localhost:1');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('The API token is missing.');
});
