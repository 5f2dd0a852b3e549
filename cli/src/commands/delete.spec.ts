import { chmodSync, readdirSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { useCommandLine } from '../program.fixture.ts';
import { linesOf, numberedIds, useDelete } from './delete.fixture.ts';

const cli = useCommandLine();
const { startServer, file } = useDelete(cli);

describe('the ids', () => {
  test('may be arguments', async () => {
    const { server, run } = await startServer();
    expect(await run(['JOB1', 'JOB2'])).toEqual({
      exitCode: 0,
      stdout: 'Queued 2 jobs in 1 request; 0 refused, 0 open.\n',
      stderr: expect.stringMatching(/^To continue after an interruption, add --journal \S+\n$/),
    });
    expect([...server.deleted]).toEqual(['JOB1', 'JOB2']);
    expect(server.received[0]).toMatchObject({
      path: '/v1/json/jobs-delete',
      headers: {
        authorization: 'Bearer a-token',
        usersecretkey: 'a-key',
        origin: 'https://acme.example',
        'user-agent': expect.stringMatching(/^jobs-delete-cli\/\d/),
      },
    });
  });

  test.each([
    ['a.txt', ' JOB1 \r\n\nJOB2\n', []],
    ['a.csv', 'title,id\nx,JOB1\ny,JOB2\n', []],
    ['a.csv', 'id,ref\n1,JOB1\n2,JOB2\n', ['--column', 'ref']],
    ['a.csv', '\uFEFFtitle;id\r\n"x, y";JOB1\r\nz;JOB2\r\n', []],
    ['a.json', '["JOB1", "JOB2"]', []],
    ['a.ndjson', '{"id":"JOB1"}\n{"id":"JOB2","title":"x"}\n', []],
    ['a.json', '{"jobs":{"job":[{"id":"JOB1"},{"id":"JOB2"}]}}', []],
    ['a.xml', '<jobs><job><id>JOB1</id></job><job><id> JOB2 </id></job></jobs>', []],
    ['ids', 'JOB1\nJOB2', ['--format', 'txt']],
  ])('may be in the file %s: %j', async (name, content, args) => {
    const { server, run } = await startServer();
    expect(await run([file(name, content), ...args])).toMatchObject({ exitCode: 0, stderr: '' });
    expect([...server.deleted]).toEqual(['JOB1', 'JOB2']);
    expect(readdirSync(cli.dataDir())).toEqual([name]);
  });

  test('may come from standard input, in any format', async () => {
    const { server, run } = await startServer();
    const outcome = await run(['-', '--format', 'ndjson'], { stdin: '{"id":"JOB1"}\n{"id":"JOB2"}\n' });
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect([...server.deleted]).toEqual(['JOB1', 'JOB2']);
  });

  test('may end early on a long standard input', async () => {
    const { server, run } = await startServer({ beforeRequest: () => 'forbid' });
    const stdin = linesOf(numberedIds(20_000));
    const outcome = await run(['-', '--format', 'txt', '--jobs-per-request', '1'], { stdin });
    expect(outcome.exitCode).toBe(1);
    expect(outcome.stderr).toMatch(/\nThe service refused a request: /);
    expect(server.deleted.size).toBe(0);
  });

  test('may be none', async () => {
    const { server, run } = await startServer();
    expect(await run([file('a.txt', '\n')])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(server.received).toEqual([]);
  });

  test('are split into requests, in their order', async () => {
    const { server, run } = await startServer();
    const path = file('a.txt', linesOf(numberedIds(25)));
    expect((await run([path, '--jobs-per-request', '10', '--concurrency', '1'])).exitCode).toBe(0);
    expect([...server.byKey.values()].map(({ jobIds }) => jobIds.length)).toEqual([10, 10, 5]);
    expect([...server.deleted]).toEqual(numberedIds(25));
  });

  test('with invalid lines are not sent, and every line is named', async () => {
    const { server, run } = await startServer();
    const path = file('a.txt', `JOB1\nno\n${'x y\n'.repeat(120)}`);
    const { exitCode, stdout, stderr } = await run([path]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain(`${path}, line 2: the 'id' must be 4 to 128 letters and digits`);
    expect(stderr).toContain(`${path}, line 101: `);
    expect(stderr).not.toContain(`${path}, line 102: `);
    expect(stderr).toMatch(/\n21 more lines are invalid\.\n.* has 121 invalid lines\. Nothing was sent\. /);
    expect(server.received).toEqual([]);
    expect(readdirSync(cli.dataDir())).toEqual(['a.txt']);
  });

  test('with invalid lines are sent without them with --continue-on-error', async () => {
    const { server, run } = await startServer();
    const outcome = await run([
      file('a.ndjson', '{"id":"JOB1"}\n{"id":7}\n{\n{"id":"JOB2"}\n'),
      '--continue-on-error',
      '--json',
    ]);
    expect(outcome.exitCode).toBe(1);
    expect(JSON.parse(outcome.stdout)).toMatchObject({
      complete: true,
      job_count: 4,
      accepted_jobs: 2,
      refused_jobs: 2,
      refused: [
        { code: 'job_id_malformed', message: "line 2: the 'id' must be text, not the number 7" },
        { code: 'job_id_malformed' },
      ],
    });
    expect([...server.deleted]).toEqual(['JOB1', 'JOB2']);
  });
});

describe('wrong usage exits with 2 and sends nothing', () => {
  test.each([
    [['no'], /^The format of no is unknown\. Set --format to one of txt, csv, ndjson, json, xml\.\n$/],
    [['JOB1', 'a.csv'], /^'a\.csv' is not a job id, which has 4 to 128 letters and digits\. Give either/],
    [['JOB1', '--report', 'x.txt'], /^The name of the report must end in \.json or \.csv: x\.txt\n$/],
    [['JOB1', '--concurrency', '0'], /^error: option '--concurrency <n>' argument '0' is invalid/],
    [[], /^error: missing required argument 'ids'/],
  ])('%j', async (args, message) => {
    const { server, run } = await startServer();
    const { exitCode, stdout, stderr } = await run(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(server.received).toEqual([]);
    const json = await run([...args, '--json']);
    expect(json.exitCode).toBe(2);
    expect(JSON.parse(json.stdout)).toEqual({ complete: false, stopped_by: expect.any(String) });
  });
});

describe('a live deletion on a terminal', () => {
  test.each([
    ['Acme', 'acme (Acme)'],
    [null, 'acme'],
  ])('names the account that the service knows, here %j', async (account_name, shown) => {
    const { run } = await startServer({ account: { account_id: 'acme', account_name } });
    const { stderr } = await run(['JOB1'], { terminal: true, stdin: 'n\n' });
    expect(stderr).toContain(`Delete 1 job of the account ${shown} permanently at `);
  });

  test('is sent after a yes', async () => {
    const { server, run } = await startServer();
    const { exitCode, stderr } = await run(['JOB1', 'JOB2'], { terminal: true, stdin: 'y\n' });
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      `Delete 2 jobs of the account of this token permanently at ${server.baseUrl}? [y/N] `,
    );
    expect(server.deleted.size).toBe(2);
  });

  test('names the account of the profile, or the public part of the token', async () => {
    const { run } = await startServer();
    const token = `jdt_${'0'.repeat(24)}_${'1'.repeat(64)}`;
    const named = file('p.json', JSON.stringify({ account_id: 'acme', token }));
    chmodSync(named, 0o600);
    const question = async (env: NodeJS.ProcessEnv, ...args: string[]) =>
      (await run(['JOB1', ...args], { terminal: true, stdin: 'n\n', env })).stderr;
    expect(await question({ JOBS_DELETE_TOKEN: '' }, '--profile', named)).toContain(
      'Delete 1 job of the account acme permanently at ',
    );
    const other = await question({ JOBS_DELETE_TOKEN: token });
    expect(other).toContain(`of the account of the token jdt_${'0'.repeat(24)} permanently at `);
    expect(other).not.toContain('1'.repeat(64));
  });

  test.each(['n\n', '\n', ''])('is not sent after %j', async (answer) => {
    const { server, run } = await startServer();
    const { exitCode, stderr } = await run(['JOB1'], { terminal: true, stdin: answer });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Nothing was sent.\n');
    expect(server.received).toEqual([]);
  });

  test('is not asked about with --yes or --sandbox, and shows a progress bar', async () => {
    const { server, run } = await startServer();
    const sandbox = await run(['JOB1', '--sandbox', '--request-format', 'xml'], { terminal: true });
    expect(sandbox).toMatchObject({
      exitCode: 0,
      stdout: 'Checked 1 job in 1 request; 0 refused, 0 open. Nothing was deleted: this was the sandbox.\n',
    });
    expect(sandbox.stderr).toContain('Checking in the sandbox [');
    expect(sandbox.stderr).not.toContain('Deleting');
    expect(server.received[0]?.path).toBe('/v1-sandbox/xml/jobs-delete');
    const live = await run(['JOB1', '--yes'], { terminal: true });
    expect(live.exitCode).toBe(0);
    expect(live.stderr).toContain('Deleting [');
    expect(live.stderr).not.toContain('[y/N]');
  });

  test('needs --yes when standard input has the ids', async () => {
    const { server, run } = await startServer();
    const stdin = new PassThrough();
    stdin.end('JOB1\n');
    const outcome = await run(['-', '--format', 'txt'], { terminal: true, stdin });
    expect(outcome).toMatchObject({
      exitCode: 2,
      stderr: 'Standard input is not the terminal, so it cannot answer the question. Add --yes.\n',
    });
    expect(server.received).toEqual([]);
  });
});

test('a run that no retry can help ends at once, and says why', async () => {
  const { server, run } = await startServer();
  const { exitCode, stderr } = await run(['JOB1', '--base-url', server.baseUrl.replace('http:', 'https:')]);
  expect(exitCode).toBe(1);
  expect(stderr).not.toContain('Trying again');
  expect(stderr).toMatch(/^No answer from https:.*SSL.* Check the address and the network\.$/m);
});

test('an address over http to another machine is refused before anything is sent', async () => {
  const { server, run } = await startServer();
  const path = file('a.txt', 'JOB1\n');
  const outcome = await run([path, '--base-url', 'http://jobs.example.com']);
  expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
  expect(outcome.stderr).toContain('Add --allow-http');
  expect(server.received).toEqual([]);
  expect(readdirSync(cli.dataDir())).toEqual(['a.txt']);
});
