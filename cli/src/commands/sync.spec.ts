import { existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { useCommandLine } from '../program.fixture.ts';
import { numberedIds } from './delete.fixture.ts';
import { csvOf, own, useSync } from './sync.fixture.ts';

const cli = useCommandLine();
const setUp = useSync(cli);

describe('a plan', () => {
  test('has the jobs that are not in the feed, and deletes nothing', async () => {
    const { server, plan, planPath, readPlan } = await setUp();
    const { exitCode, stdout } = await plan([...own.slice(2), 'NEW1', 'NEW2', 'NEW3']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^to delete {2}2 \(20 % of the account\)$/m);
    expect(stdout).toContain(
      `Nothing is deleted yet. To delete these jobs: jobs-delete sync --apply ${planPath} --profile ${planPath.replace('.sync/plan.json', '')}`,
    );
    expect(readPlan()).toMatchObject({
      base_url: server.baseUrl,
      account_id: 'acme',
      own_jobs: 10,
      feed_jobs: 11,
      unchanged_jobs: 8,
      unknown_jobs: 3,
      job_ids: own.slice(0, 2),
    });
    expect(statSync(planPath).mode & 0o777).toBe(0o600);
    expect(server.received).toEqual([]);
  });

  test('is one JSON value with --json, at a place of its own with --plan', async () => {
    const { plan, planPath } = await setUp();
    const path = join(cli.dataDir(), 'mine.json');
    const { exitCode, stdout, stderr } = await plan(own.slice(1), '--json', '--plan', path);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({
      complete: true,
      unchanged_feed: false,
      own_jobs: 10,
      feed_jobs: 9,
      unchanged_jobs: 9,
      unknown_jobs: 0,
      jobs_to_delete: 1,
      plan: path,
    });
    expect(existsSync(planPath)).toBe(false);
  });

  const [first, ...others] = own;
  test.each([
    ['f.json', JSON.stringify(others.map((id) => ({ id }))), []],
    ['f.json', JSON.stringify({ jobs: { job: others.map((ref) => ({ ref })) } }), ['--id-field', 'ref']],
    ['f.ndjson', others.map((id) => `{"id":"${id}"}\n`).join(''), []],
    ['f.csv', `ref,title\n${others.map((id) => `${id},x\n`).join('')}`, ['--id-field', 'ref']],
    ['f.xml', `<jobs>${others.map((id) => `<job><id>${id}</id></job>`).join('')}</jobs>`, []],
    [
      'f.xml',
      `<?xml version="1.0"?><source><publisher>A &amp; B</publisher>${others
        .map((id) => `<job><title>x</title><referencenumber><![CDATA[${id}]]></referencenumber></job>`)
        .join('')}</source>`,
      [],
    ],
    [
      'feed',
      `<source>${others.map((id) => `<job><key>${id}</key></job>`).join('')}</source>`,
      ['--id-field', 'key', '--format', 'xml'],
    ],
  ])('reads %s: %j', async (name, content, args) => {
    const { run, file, readPlan } = await setUp();
    expect(await run(file(name, content), ...args)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readPlan().job_ids).toEqual([first]);
  });
});

describe('a feed that looks wrong', () => {
  test.each([
    ['is empty', 'f.csv', 'id\n', /The feed has no jobs\./],
    ['is an empty file', 'f.json', '', /f\.json, line 1: the file must hold an array/],
    ['is cut off', 'f.xml', '<jobs><job><id>JOB0001</id></job>', /line 1: the file ends before <\/jobs>\./],
    ['is cut off in a row', 'f.json', '[{"id":"JOB0001"},{"id":"JO', /the file ends inside/],
    ['is no XML', 'f.xml', '<html><body>Sorry</body></html>', /the root element must be <source> or <jobs>/],
    [
      'has a row without id',
      'f.ndjson',
      '{"id":"JOB0001"}\n{"ref":"JOB0002"}\n',
      /line 2: the record has no 'id'/,
    ],
    ['has an id that is no job', 'f.csv', 'id\nJOB0001\nsee below\n', /line 3: the 'id' must be 4 to 128/],
    ['repeats most ids', 'f.csv', `id\n${'JOB0001\n'.repeat(10)}`, /repeats most of its ids: 10 rows have 1/],
    ['would delete too much', 'f.csv', csvOf(own.slice(3)), /30 % of the account's jobs would be deleted/],
    ['does not exist', undefined, '', /the file does not exist/],
  ])('deletes nothing when it %s', async (_, name, content, reason) => {
    const { server, run, file, state } = await setUp();
    const path = name === undefined ? join(cli.dataDir(), 'none.csv') : file(name, content);
    const { exitCode, stdout, stderr } = await run(path);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(reason);
    expect(stderr).toContain('Nothing is deleted.');
    expect(existsSync(state)).toBe(false);
    expect(server.received).toEqual([]);
  });

  test('is refused when it is much smaller than the last one, also with the account', async () => {
    const { jobs, plan } = await setUp();
    const more = numberedIds(100).map((id) => `X${id}`);
    expect((await plan([...own, ...more])).exitCode).toBe(0);
    jobs.push(...more);
    const smaller = await plan([...own, ...more.slice(0, 70)]);
    expect(smaller.exitCode).toBe(1);
    expect(smaller.stderr).toMatch(
      /^The feed has 80 jobs, and had 110 the last time: .* Nothing is deleted\./,
    );
    // The size of the feed that was refused is not remembered.
    expect((await plan([...own, ...more.slice(0, 70)])).exitCode).toBe(1);
    expect((await plan([...own, ...more.slice(0, 70)], '--max-share', '30')).exitCode).toBe(0);
  });

  test('with --json, the reason is one JSON value', async () => {
    const { plan } = await setUp();
    const { stdout, exitCode } = await plan([], '--json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      complete: false,
      stopped_by: 'The feed has no jobs. Nothing is deleted.',
    });
  });
});

describe('--apply', () => {
  test('deletes the jobs of the plan and no other', async () => {
    const { server, jobs, plan, apply, readPlan } = await setUp();
    await plan(own.slice(2));
    jobs.push('NEW1');
    expect(await apply()).toMatchObject({
      exitCode: 0,
      stdout: 'Queued 2 jobs in 1 request; 0 refused, 0 open.\n',
    });
    expect([...server.deleted]).toEqual(own.slice(0, 2));
    expect(readPlan()).toMatchObject({ applied_at: '2030-01-02T03:04:05.000Z' });
    const again = await apply();
    expect([again.exitCode, server.received.length]).toEqual([1, 1]);
    expect(again.stderr).toMatch(/was applied at .* Nothing is deleted\. Make a new plan\./);
  });

  test('goes on after it was stopped', async () => {
    let isForbidden = true;
    const { server, plan, apply } = await setUp({
      beforeRequest: () => (isForbidden ? 'forbid' : undefined),
    });
    await plan(own.slice(2));
    const stopped = await apply();
    expect(stopped.exitCode).toBe(1);
    expect(stopped.stderr).toContain('token_invalid');
    isForbidden = false;
    expect((await apply()).exitCode).toBe(0);
    expect([...server.deleted]).toEqual(own.slice(0, 2));
  });

  test('goes on with the same request when its answer was lost and the jobs are gone', async () => {
    let isLost = true;
    const { server, plan, apply, planPath } = await setUp({
      beforeAnswer: () => (isLost ? 'drop' : undefined),
    });
    await plan(own.slice(2));
    expect((await apply('--retry-for', '1s')).exitCode).toBe(1);
    expect([server.deleted.size, existsSync(`${planPath}.journal`)]).toEqual([2, true]);
    isLost = false;
    expect((await apply()).exitCode).toBe(0);
    expect(existsSync(`${planPath}.journal`)).toBe(false);
    expect(new Set(server.received.map(({ key }) => key)).size).toBe(1);
  });

  test('leaves out a few jobs that are gone, and refuses when many are', async () => {
    const jobs = numberedIds(100);
    const { server, plan, apply } = await setUp({ ownJobs: () => jobs });
    await plan(jobs.slice(10));
    jobs.splice(0, 2);
    const some = await apply();
    expect(some).toMatchObject({ exitCode: 0, stdout: 'Queued 8 jobs in 1 request; 0 refused, 0 open.\n' });
    expect(some.stderr).toBe('2 jobs of the plan are gone already.\n');
    expect(server.deleted.size).toBe(8);

    const left = jobs.filter((id) => !server.deleted.has(id));
    await plan(left.slice(10));
    jobs.splice(jobs.indexOf(left[0] ?? ''), 3);
    const many = await apply();
    expect(many.exitCode).toBe(1);
    expect(many.stderr).toMatch(
      /^3 jobs of 10 in the plan are gone: the account has changed\. Nothing is deleted/,
    );
    expect(server.deleted.size).toBe(8);
  });

  test('refuses when the account has become so small that the share is too large', async () => {
    const jobs = [...own];
    const { server, plan, apply } = await setUp({ ownJobs: () => jobs });
    await plan(own.slice(2));
    jobs.splice(2, 4);
    expect((await apply()).stderr).toMatch(/^33\.3 % of the account's jobs would be deleted/);
    expect(server.received).toEqual([]);
  });

  test.each<[string, Readonly<Record<string, string>>, RegExp]>([
    ['account', { account_id: 'other' }, /is for another account/],
    [
      'address',
      { base_url: 'https://other.example' },
      /is for http:\/\/127.* not for https:\/\/other\.example/,
    ],
  ])('refuses a plan of another %s', async (_, changes, reason) => {
    const { server, plan, apply, writeProfile } = await setUp();
    await plan(own.slice(2));
    writeProfile(changes);
    const { exitCode, stderr } = await apply();
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(reason);
    expect(server.received).toEqual([]);
  });

  test('refuses a plan that is older than 24 hours', async () => {
    const { server, plan, apply } = await setUp();
    await plan(own.slice(2));
    cli.setNow(Date.parse('2030-01-03T03:04:05Z'));
    expect((await plan(own.slice(2))).exitCode).toBe(0);
    cli.setNow(Date.parse('2030-01-04T03:04:06Z'));
    expect((await apply()).stderr).toMatch(/is older than 24 hours \(2030-01-03T03:04:05\.000Z\)/);
    expect(server.received).toEqual([]);
  });

  test.each(['{"version":1', '{}', '[]'])('refuses the damaged plan %j', async (text) => {
    const { apply, file } = await setUp();
    const { exitCode, stderr } = await apply(file('plan.json', text));
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/plan\.json is damaged/);
  });
});

test('a feed that its server still has is read again only if its plan is not applied', async () => {
  const { run, apply, server } = await setUp();
  let reads = 0;
  const feed = createServer(({ headers }, response) => {
    if (headers['if-none-match'] === '"1"') response.writeHead(304).end();
    else {
      reads += 1;
      response.setHeader('ETag', '"1"').end(csvOf(own.slice(1)));
    }
  });
  await new Promise<void>((resolve) => feed.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${String((feed.address() as AddressInfo).port)}/feed.csv`;
    expect((await run(url)).exitCode).toBe(0);
    expect((await run(url)).exitCode).toBe(0);
    expect(reads).toBe(2);
    expect((await apply()).exitCode).toBe(0);
    expect(JSON.parse((await run(url, '--json')).stdout)).toEqual({ complete: true, unchanged_feed: true });
    expect([reads, server.deleted.size]).toEqual([2, 1]);
  } finally {
    feed.closeAllConnections();
    feed.close();
  }
});

test.each([[[]], [['feed.csv', '--apply']], [['feed']]])('%j is wrong usage', async (args) => {
  const { run } = await setUp();
  expect((await run(...args)).exitCode).toBe(2);
});
