import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { createTestBrowser } from '@jobs-delete/dashboard/testing/test-browser';
import { createSeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { isJobId } from '@jobs-delete/proto/ids';
import { callerHeaders, jsonBody, send } from '../harness/http-client.ts';
import { openOperator } from '../harness/service.ts';
import { reapChildren } from '../harness/spawn-child.ts';
import { reapAfterEach, spawnServe, type ServeProcess } from '../harness/spawn-serve.ts';
import { testSeed } from '../harness/test-seed.ts';
import { until } from '../harness/until.ts';
import { databasePath, readAftermath, waitUntilSettled } from './aftermath.ts';
import { refusedStart } from './refused-start.ts';

const seed = testSeed('demo');
const newPath = temporaryFolder();
const bash = (script: string) => promisify(execFile)('bash', ['--norc', '-c', script]);

interface Demo {
  readonly base_url: string;
  readonly account_id: string;
  readonly token: string;
  readonly secret_key: string;
  readonly origin: string;
  readonly job_ids: readonly string[];
}

reapAfterEach();

test('serve --demo creates credentials and 1,000 jobs, and its printed command deletes two of them', async () => {
  const dataDir = newPath('data');
  const serve = spawnServe(dataDir, { args: ['--demo'] });
  const baseUrl = await serve.ready;
  const demo = readDemo(dataDir);
  expect(Object.keys(demo)).toEqual(['base_url', 'account_id', 'token', 'secret_key', 'origin', 'job_ids']);
  expect(demo).toMatchObject({ base_url: baseUrl, account_id: 'demo', origin: 'https://demo.example' });
  expect(new Set(demo.job_ids).size).toBe(1_000);
  expect(statSync(demoPath(dataDir)).mode & 0o777).toBe(0o600);

  const { stdout } = await bash(printedCurl(serve));
  expect(stdout).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  const deletionId = /^Deletion-Id: (.+)\r$/im.exec(stdout)?.[1] ?? '';
  await waitUntilSettled(dataDir);

  const { jobs, deletions } = await readAftermath(dataDir);
  expect(jobs).toHaveLength(998);
  expect(jobs.filter(({ jobId }) => demo.job_ids.slice(0, 2).includes(jobId))).toEqual([]);
  expect(deletions).toMatchObject([{ id: deletionId, jobIds: demo.job_ids.slice(0, 2), state: 'completed' }]);
});

test('serve --reset-demo brings the deleted demo jobs back', async () => {
  const dataDir = newPath('data');
  const serve = spawnServe(dataDir, { args: ['--demo'] });
  await serve.ready;
  const { job_ids: jobIds } = readDemo(dataDir);
  await bash(printedCurl(serve));
  await waitUntilSettled(dataDir);
  await reapChildren();
  await spawnServe(dataDir, { args: ['--reset-demo'] }).ready;
  expect(readDemo(dataDir).job_ids).toEqual(jobIds);
});

test('serve --demo-history adds a month that the dashboard shows, once', async () => {
  const dataDir = newPath('data');
  const pages = async () => {
    const serve = spawnServe(dataDir, { args: ['--demo', '--demo-history'] });
    await serve.ready;
    const link = new URL(/^Dashboard: sign in once with (\S+)$/m.exec(serve.stdout())?.[1] ?? '');
    const browser = createTestBrowser(link.origin);
    await browser.get(link.pathname);
    await browser.post(link.pathname);
    const shown = await Promise.all(
      ['/overview', '/activity', '/activity/refused', '/keys', '/people', '/trail'].map((path) =>
        browser.get(path),
      ),
    );
    expect(shown.map(({ status }) => status)).toEqual(Array(6).fill(200));
    await reapChildren();
    return shown.map(({ text }) => text).join('');
  };
  const shown = await pages();
  const texts = [
    'Nightly clean-up',
    'https://staging.demo.example',
    'ada@demo.example',
    'Waiting',
    'Cancelled',
  ];
  expect(texts.filter((text) => !shown.includes(text))).toEqual([]);

  const { deletions, jobs } = await readAftermath(dataDir);
  // The page of each deletion links its jobs.
  expect(deletions.flatMap(({ jobIds }) => jobIds).filter((id) => !isJobId(id))).toEqual([]);
  const count = (state: string) => deletions.filter((each) => each.state === state).length;
  expect(count('completed')).toBeGreaterThan(150);
  expect(count('cancelled')).toBeGreaterThan(0);
  expect(count('waiting')).toBe(3);
  const firstMs = Math.min(...deletions.map(({ acceptedAtMs }) => acceptedAtMs));
  expect((Date.now() - firstMs) / 86_400_000).toBeGreaterThan(28);
  expect(readDemo(dataDir).job_ids).toHaveLength(1_000);

  await pages();
  const after = await readAftermath(dataDir);
  expect(after.deletions.map(({ id }) => id).toSorted()).toEqual(deletions.map(({ id }) => id).toSorted());
  expect(after.jobs).toEqual(jobs);
  const { accounts, close } = openOperator(dataDir);
  expect(await accounts.listCredentials('token', 'demo')).toHaveLength(6);
  await close();
});

test('the demo account may use the form of the documentation page, under both names of the machine', async () => {
  const dataDir = newPath('data');
  const serve = spawnServe(dataDir, { args: ['--demo'] });
  const baseUrl = await serve.ready;
  expect(serve.stdout()).toContain(`Documentation: ${baseUrl}/docs\n`);
  expect((await send(baseUrl, { method: 'GET', path: '/docs' })).status).toBe(200);
  const { account_id: accountId, token, secret_key: secretKey, job_ids: jobIds } = readDemo(dataDir);
  for (const origin of [baseUrl, baseUrl.replace('127.0.0.1', 'localhost')]) {
    const headers = callerHeaders({ accountId, token, secretKey, origin });
    const path = '/v1-sandbox/json/jobs-delete';
    expect((await send(baseUrl, { path, headers, body: jsonBody(jobIds) })).status).toBe(200);
  }
});

test('the printed sign-in link opens the dashboard of the demo account once', async () => {
  const dataDir = newPath('data');
  const serve = spawnServe(dataDir, { args: ['--demo'] });
  await serve.ready;
  const link = new URL(/^Dashboard: sign in once with (\S+)$/m.exec(serve.stdout())?.[1] ?? '');
  await bash(printedCurl(serve));
  await waitUntilSettled(dataDir);
  const browser = createTestBrowser(link.origin);
  expect(await browser.get(link.pathname)).toMatchObject({ status: 200 });
  expect(await browser.post(link.pathname)).toMatchObject({ status: 303, location: '/overview' });
  expect(await browser.get('/keys')).toMatchObject({ status: 200 });
  expect(await browser.get('/design')).toMatchObject({ status: 200 });
  // The deleter accepts the dashboard as a reader of the same process.
  const [deletion] = (await readAftermath(dataDir)).deletions;
  expect((await browser.get('/activity')).text).toContain(`/activity/${deletion?.id ?? 'none'}`);
  expect(await createTestBrowser(link.origin).get(link.pathname)).toMatchObject({ status: 404 });
});

test('a later start prints a new sign-in link, also when the database has other accounts', async () => {
  const dataDir = newPath('data');
  await spawnServe(dataDir, { args: ['--demo'] }).ready;
  await reapChildren();
  const { accounts, close } = openOperator(dataDir);
  await accounts.addAccount({ id: 'acme', createdAtMs: Date.now() });
  await close();
  const serve = spawnServe(dataDir, { args: ['--demo'] });
  await serve.ready;
  const link = new URL(/^Dashboard: sign in once with (\S+)$/m.exec(serve.stdout())?.[1] ?? '');
  expect(await createTestBrowser(link.origin).get(link.pathname)).toMatchObject({ status: 200 });
});

test('serve creates the data folder and its files with owner-only permissions, whatever the umask', async () => {
  const dataDir = newPath('data');
  const serve = spawnServe(dataDir, {
    args: ['--demo'],
    wrapper: ['bash', '-c', 'umask 0; exec "$@"', '--'],
  });
  await serve.ready;
  await bash(printedCurl(serve));
  await waitUntilSettled(dataDir);
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
  const expectPrivate = (names: readonly string[]) => {
    expect(modeOf(dataDir)).toBe('700');
    const found = readdirSync(dataDir);
    expect(found.toSorted()).toEqual(expect.arrayContaining([...names]));
    expect(found.filter((name) => modeOf(join(dataDir, name)) !== '600')).toEqual([]);
  };
  const kept = ['credential-pepper', 'demo.json', 'events.db', 'jobs-delete.db', 'serve.lock'];
  expectPrivate([...kept, 'events.db-shm', 'events.db-wal', 'jobs-delete.db-shm', 'jobs-delete.db-wal']);
  serve.kill('SIGTERM');
  await serve.exited;
  expectPrivate(kept);
});

test('a restart keeps the credentials and lists the remaining jobs and the new address', async () => {
  const dataDir = newPath('data');
  const first = spawnServe(dataDir, { args: ['--demo'] });
  await first.ready;
  await bash(printedCurl(first));
  await waitUntilSettled(dataDir);
  const before = readDemo(dataDir);
  first.kill('SIGTERM');
  await first.exited;

  const second = spawnServe(dataDir, { args: ['--demo'] });
  const baseUrl = await second.ready;
  expect(readDemo(dataDir)).toEqual({ ...before, base_url: baseUrl, job_ids: before.job_ids.slice(2) });
  expect((await bash(printedCurl(second))).stdout).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  await waitUntilSettled(dataDir);
  expect((await readAftermath(dataDir)).jobs).toHaveLength(996);
});

test('revoked credentials are replaced', async () => {
  const dataDir = newPath('data');
  const first = spawnServe(dataDir, { args: ['--demo'] });
  await first.ready;
  const before = readDemo(dataDir);
  first.kill('SIGTERM');
  await first.exited;
  const { accounts, close } = openOperator(dataDir);
  for (const { kind, id } of await accounts.listCredentials('secret-key', 'demo'))
    await accounts.revokeCredential('demo', { kind, id }, Date.now());
  await close();

  const second = spawnServe(dataDir, { args: ['--demo'] });
  await second.ready;
  expect(readDemo(dataDir).secret_key).not.toBe(before.secret_key);
  expect((await bash(printedCurl(second))).stdout).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

test('a first start killed at any moment is completed by the next one', async () => {
  const random = createSeededRandom(seed);
  for (let round = 0; round < 8; round++) {
    const dataDir = newPath('data');
    const killed = spawnServe(dataDir, { args: ['--demo'] });
    await until(() => existsSync(databasePath(dataDir)));
    await delay(random.fraction() * 120);
    killed.kill('SIGKILL');
    await killed.exited;

    const serve = spawnServe(dataDir, { args: ['--demo'] });
    const baseUrl = await serve.ready;
    const demo = readDemo(dataDir);
    expect(demo.job_ids).toHaveLength(1_000);
    const { account_id: accountId, token, secret_key: secretKey, origin } = demo;
    const headers = callerHeaders({ accountId, token, secretKey, origin });
    const answer = await send(baseUrl, { headers, body: jsonBody(demo.job_ids) });
    expect(answer.status).toBe(200);
    await waitUntilSettled(dataDir);
    const { jobs, removals } = await readAftermath(dataDir);
    expect(jobs).toEqual([]);
    expect(new Set(removals.flatMap(({ jobs }) => jobs.map(({ id }) => id)))).toEqual(new Set(demo.job_ids));
    await reapChildren();
  }
});

test('an incomplete or missing demo.json is written again', async () => {
  const dataDir = newPath('data');
  for (const spoil of [
    () => writeFileSync(demoPath(dataDir), '{"token":"'),
    () => rmSync(demoPath(dataDir)),
  ]) {
    const first = spawnServe(dataDir, { args: ['--demo'] });
    await first.ready;
    first.kill('SIGKILL');
    await first.exited;
    spoil();
    const second = spawnServe(dataDir, { args: ['--demo'] });
    await second.ready;
    expect((await bash(printedCurl(second))).stdout).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    await reapChildren();
  }
});

test('the error names a demo.json that cannot be written', async () => {
  const dataDir = newPath('data');
  const serve = spawnServe(dataDir);
  await serve.ready;
  await reapChildren();
  // Prevents the replacement: no file can replace a folder.
  await bash(`mkdir -p '${demoPath(dataDir)}/in-the-way'`);
  const { exitCode, reason } = await refusedStart(dataDir, { args: ['--demo'] });
  expect(exitCode).toBe(1);
  expect(reason).toContain(`Cannot write the file ${demoPath(dataDir)}`);
});

test('a data folder with accounts gets no demo data', async () => {
  const dataDir = newPath('data');
  const operator = openOperator(dataDir);
  await operator.createAccount('Acme');
  const serve = spawnServe(dataDir, { args: ['--demo'] });
  await serve.ready;
  expect(serve.stdout()).toContain('no demo data was added');
  expect(existsSync(demoPath(dataDir))).toBe(false);
  expect((await operator.accounts.listAccounts()).map(({ id }) => id)).toEqual(['Acme']);
  expect(await operator.store.countJobs(undefined)).toBe(0);
  await operator.close();
});

/** Returns the printed curl command. */
function printedCurl(serve: ServeProcess): string {
  return /^curl [^]*?\n\n/m.exec(serve.stdout())?.[0] ?? 'exit 1';
}

function demoPath(dataDir: string): string {
  return join(dataDir, 'demo.json');
}

function readDemo(dataDir: string): Demo {
  return JSON.parse(readFileSync(demoPath(dataDir), 'utf8')) as Demo;
}
