import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { useCommandLine } from '../program.fixture.ts';
import { linesOf, numberedIds, useDelete } from './delete.fixture.ts';

const cli = useCommandLine();
const { startServer, file } = useDelete(cli);

describe('the credentials', () => {
  const profile = (baseUrl: string, more: object = {}) =>
    JSON.stringify({
      base_url: baseUrl,
      token: 'p-token',
      secret_key: 'p-key',
      origin: 'https://p.example',
      ...more,
    });

  test('come from a private profile, such as demo.json', async () => {
    const { server } = await startServer();
    const path = file('demo.json', profile(server.baseUrl, { account_id: 'demo', job_ids: [] }));
    chmodSync(path, 0o600);
    expect(await cli.run('delete', 'JOB1', '--profile', path)).toMatchObject({ exitCode: 0 });
    expect(server.received[0]?.headers).toMatchObject({
      authorization: 'Bearer p-token',
      usersecretkey: 'p-key',
    });
  });

  test('come from options before the environment before the profile', async () => {
    const { server, run } = await startServer();
    const path = file('p.json', profile('http://nowhere.invalid'));
    chmodSync(path, 0o600);
    const env = { JOBS_DELETE_SECRET_KEY: '' };
    const { exitCode, stderr } = await run(['JOB1', '--token', 'o-token', '--profile', path], { env });
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      'Warning: other users of this machine can see --token and --secret-key in the list of processes. ' +
        'Use a profile or environment variables instead.\n',
    );
    expect(server.received[0]?.headers).toMatchObject({
      authorization: 'Bearer o-token',
      usersecretkey: 'p-key',
      origin: 'https://acme.example',
    });
  });

  test('in a profile that others can read are refused', async () => {
    const path = file('p.json', profile('http://127.0.0.1:1'));
    chmodSync(path, 0o640);
    expect(await cli.run('delete', 'JOB1', '--profile', path)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `Other users can access the profile ${path}. Run: chmod 600 ${path}\n`,
    });
  });

  test('that are missing or impossible are all named, without their values', async () => {
    const env = { JOBS_DELETE_BASE_URL: 'ftp://x', JOBS_DELETE_TOKEN: 'sec\nret' };
    const { exitCode, stderr } = await cli.runWith({ env }, 'delete', 'JOB1');
    expect(exitCode).toBe(2);
    expect(stderr.split('\n')).toEqual([
      'The address of the service must be a URL such as https://jobs.example.com, without user, password and query.',
      'The API token has a space, a line break or another character that a header does not allow.',
      'The secret key is missing. Put "secret_key" in a profile, or set JOBS_DELETE_SECRET_KEY or --secret-key.',
      'The allowed domain is missing. Put "origin" in a profile, or set JOBS_DELETE_ORIGIN or --origin.',
      '',
    ]);
  });
});

describe('refused jobs', () => {
  const exists = (jobId: string) => jobId !== 'JOB0003' && jobId !== 'JOB0014';
  const ten = ['--jobs-per-request', '10', '--concurrency', '1'];

  test('stop the run, which can be continued', async () => {
    const { server, run } = await startServer({ exists });
    const path = file('a.txt', linesOf(numberedIds(25)));
    const { exitCode, stdout, stderr } = await run([path, ...ten]);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^Queued 0 jobs in 0 requests; 0 refused, 25 open\.\nJOB .*\nJOB0003 {2}job_not_found {2}/,
    );
    expect(stderr).toMatch(
      /^The service refused a request: job_not_found title \(404 job_not_found, request a-request\)\. The request was refused as a whole\. --continue-on-error/,
    );
    expect(server.deleted.size).toBe(0);
    expect(readdirSync(cli.dataDir())).toEqual(['a.txt']);

    const again = await run([path, ...ten, '--continue-on-error']);
    expect(again.stdout).toMatch(/^Queued 23 jobs in 3 requests; 2 refused, 0 open\.\n/);
    expect([...server.deleted]).toEqual(numberedIds(25).filter(exists));
  });

  test.each(['r.csv', 'r.json'])('are in the private report %s with their reasons', async (name) => {
    const { run } = await startServer({ exists });
    const report = join(cli.dataDir(), name);
    const path = file('a.txt', linesOf(numberedIds(15)));
    expect((await run([path, ...ten, '--continue-on-error', '--report', report])).exitCode).toBe(1);
    expect(statSync(report).mode & 0o777).toBe(0o600);
    const text = readFileSync(report, 'utf8');
    if (name === 'r.csv') {
      const rows = text.trimEnd().split('\r\n');
      expect(rows[0]).toBe('"job_id","outcome","deletion_id","code","message"');
      expect(rows).toHaveLength(16);
      expect(rows).toContain('"JOB0001","accepted","deletion-1","",""');
      expect(rows).toContain('"JOB0003","refused","","job_not_found","job_not_found message"');
    } else {
      const value = JSON.parse(text) as { jobs: unknown[] };
      expect(value).toMatchObject({ complete: true, accepted_jobs: 13, refused_jobs: 2 });
      expect(value.jobs).toHaveLength(15);
      expect(value.jobs).toContainEqual({
        job_id: 'JOB0014',
        outcome: 'refused',
        deletion_id: null,
        code: 'job_not_found',
        message: 'job_not_found message',
      });
    }
  });

  const rowsOf = async (run: (args: string[]) => Promise<unknown>, args: string[]) => {
    const report = join(cli.dataDir(), 'rows.json');
    await run([...args, '--report', report]);
    const { jobs } = JSON.parse(readFileSync(report, 'utf8')) as { jobs: Record<string, string | null>[] };
    return jobs.map(({ job_id, outcome, deletion_id, code }) => [job_id, outcome, deletion_id ?? code]);
  };

  test('are in the report where the input has them, among accepted, invalid and repeated ids', async () => {
    const { server, run } = await startServer({ exists });
    const ids = [...numberedIds(14), 'no', 'JOB0001', 'JOB0003', 'JOB0015'];
    const rows = await rowsOf(run, [file('a.txt', linesOf(ids)), ...ten, '--continue-on-error']);
    expect(rows).toEqual(
      ids.map((id, index) => {
        if (id === 'no') return [id, 'refused', 'job_id_malformed'];
        if (index === 15 || index === 16) return [id, 'refused', 'job_id_duplicated'];
        return exists(id)
          ? [id, 'accepted', `deletion-${index < 10 ? '1' : '2'}`]
          : [id, 'refused', 'job_not_found'];
      }),
    );
    expect(server.received.map(({ key }) => key)).toHaveLength(4);
  });

  test('that stop a run are in the report, with the accepted and the open ids', async () => {
    const { run } = await startServer({ exists: (id) => id !== 'JOB0014' });
    const ids = numberedIds(25);
    const rows = await rowsOf(run, [file('a.txt', linesOf(ids)), ...ten]);
    expect(rows).toEqual(
      ids.map((id, index) => {
        if (index < 10) return [id, 'accepted', 'deletion-1'];
        return id === 'JOB0014' ? [id, 'refused', 'job_not_found'] : [id, 'open', null];
      }),
    );
  });

  test('are not sent if the report cannot be created', async () => {
    const { server, run } = await startServer({ exists });
    const path = file('a.txt', linesOf(['JOB0001']));
    mkdirSync(join(cli.dataDir(), 'folder.csv'));
    for (const report of ['no/r.csv', 'folder.csv'])
      expect(await run([path, '--report', join(cli.dataDir(), report)])).toMatchObject({
        exitCode: 2,
        stderr: expect.stringMatching(/^Cannot write the report .*\n$/),
      });
    expect(server.received).toEqual([]);
  });

  test('are reported by the same command again if the report could not be written', async () => {
    const report = join(cli.dataDir(), 'r.json');
    const { server, run } = await startServer({
      exists,
      beforeAnswer: () => (mkdirSync(report, { recursive: true }), undefined),
    });
    const args = [file('a.txt', linesOf(numberedIds(4))), '--continue-on-error', '--report', report];
    const first = await run(args);
    expect(first).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(/^Queued 3 jobs in 1 request; 1 refused, 0 open\.\n/),
      stderr: expect.stringMatching(
        /^Cannot write the report .*\nTo continue, run the same command again\n$/,
      ),
    });
    const sent = server.received.length;
    rmdirSync(report);
    expect(await run(args)).toMatchObject({ exitCode: 1, stderr: '' });
    expect(server.received).toHaveLength(sent);
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({ accepted_jobs: 3, refused_jobs: 1 });
    expect(readdirSync(cli.dataDir())).toEqual(['a.txt', 'r.json']);
  });

  test('are at most 100 on the terminal', async () => {
    const { run } = await startServer({ exists: () => false });
    const path = file('a.txt', linesOf(numberedIds(250)));
    const { stdout } = await run([path, '--continue-on-error']);
    expect(stdout.trimEnd().split('\n')).toHaveLength(103);
    expect(stdout).toMatch(/\nThese are the first 100\. See --report\.\n$/);
  });

  test('are not confused with a service that does not answer', async () => {
    const { run } = await startServer({ beforeRequest: () => 'drop' });
    const outcome = await run(['JOB1', '--retry-for', '1s', '--json']);
    expect(outcome.exitCode).toBe(1);
    expect(JSON.parse(outcome.stdout)).toMatchObject({ complete: false, accepted_jobs: 0, open_jobs: 1 });
    expect(outcome.stderr).toMatch(
      /\nNo answer from http.*: other side closed\. Check the address and the network\.\nTo continue, /,
    );
  });
});

test('an interrupt ends the command at once until something is sent, and is heard from then on', async () => {
  const { run } = await startServer();
  const heard: string[] = [];
  const onInterrupt = () => {
    heard.push('on');
    return () => heard.push('off');
  };
  const path = file('a.txt', linesOf(['not an id']));
  expect((await run([path], { onInterrupt })).exitCode).toBe(1);
  expect(heard).toEqual([]);
  expect((await run(['JOB1'], { onInterrupt })).exitCode).toBe(0);
  expect(heard).toEqual(['on', 'off']);
});

test('a service that goes away and comes back is named once each', async () => {
  const { server, run } = await startServer({
    beforeRequest: (_request, index) => (index < 3 ? 'drop' : undefined),
  });
  const path = file('a.txt', linesOf(numberedIds(2)));
  expect(await run([path])).toMatchObject({
    exitCode: 0,
    stderr: `No answer from ${server.baseUrl}/v1/json/jobs-delete: other side closed. Trying again.\n${server.baseUrl} answers again.\n`,
  });
});

test('--wait waits until every deletion is completed', async () => {
  const { run } = await startServer();
  expect(await run(['JOB1', 'JOB2', '--jobs-per-request', '1', '--wait'])).toMatchObject({
    exitCode: 0,
    stdout: 'Deleted 2 jobs in 2 requests; 0 refused, 0 open.\n',
  });
});

test.each(['drop', 'forbid', 'interrupt'] as const)(
  '--wait that ends early (%s) keeps the journal, and the same command sends nothing again',
  async (end) => {
    let isOver = false;
    let interrupt = (): void => undefined;
    const { server, run } = await startServer({
      beforeStatus: () => {
        if (isOver) return undefined;
        if (end !== 'interrupt') return end;
        interrupt();
        return 'drop';
      },
    });
    const args = [file('a.txt', linesOf(numberedIds(2))), '--wait', '--retry-for', '1s'];
    const onInterrupt = (callback: () => void) => {
      interrupt = callback;
      return () => undefined;
    };
    const stopped = await run(args, { onInterrupt });
    expect(stopped.exitCode).toBe(end === 'interrupt' ? 130 : 1);
    expect(stopped.stderr).toMatch(/\nTo continue, run the same command again\n$/);
    expect(readdirSync(cli.dataDir())).toEqual(['a.txt', 'a.txt.journal']);
    isOver = true;
    expect(await run(args)).toMatchObject({
      exitCode: 0,
      stdout: 'Deleted 2 jobs in 1 request; 0 refused, 0 open.\n',
    });
    expect(server.received).toHaveLength(1);
    expect(readdirSync(cli.dataDir())).toEqual(['a.txt']);
  },
);

test('journal and report are private, and a named journal stays', async () => {
  const { run } = await startServer();
  const journal = join(cli.dataDir(), 'run.journal');
  expect((await run(['JOB1', '--journal', journal])).exitCode).toBe(0);
  expect(statSync(journal).mode & 0o777).toBe(0o600);
  expect(existsSync(`${journal}.lock`)).toBe(false);
  expect(readFileSync(journal, 'utf8')).not.toMatch(/a-token|a-key/);
});

test('without a terminal, progress is a line every 10 seconds', async () => {
  const { run } = await startServer({
    beforeAnswer: (_request, index) => {
      cli.setNow(Date.parse('2030-01-02T03:04:05Z') + (index + 1) * 5_000);
      return undefined;
    },
  });
  const path = file('a.txt', linesOf(numberedIds(40)));
  const { stderr } = await run([path, '--jobs-per-request', '10', '--concurrency', '1']);
  expect(stderr).toBe('20 of 40 jobs, 2 jobs/s, 10 s left\n40 of 40 jobs, 2 jobs/s, 0 s left\n');
});
