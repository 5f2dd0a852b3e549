import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { enrol, inviteTo, signInWith } from '@jobs-delete/dashboard/testing/enrol';
import { fieldOf } from '@jobs-delete/dashboard/testing/read-page';
import { startDashboardBeside, useScene } from '../dashboard/scene.ts';
import type { HttpAnswer } from '../harness/http-client.ts';
import { startAnotherGateway } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { watchedLog } from '../harness/watch-log.ts';
import { createClient, expectAccepted, expectProblem, type Client } from '../http/client.ts';
import { newAccount } from './members.ts';

const scene = useScene();

/** A test that fails must not keep the run open. */
const stopAfterTest: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stopAfterTest.splice(0)) await stop();
});

describe('X-Forwarded-For, behind a trusted proxy', () => {
  const attacker = '192.0.2.7';
  const victim = '192.0.2.8';
  const limits = { protection: { failedAuthentications: { limit: 3, windowSeconds: 3_600 } } };

  /** Sends a request from an address, as the proxy writes it. */
  async function withGateway(
    use: (
      there: Client,
      from: (forwarded: string, secretKey?: string) => Promise<HttpAnswer>,
    ) => Promise<void>,
  ): Promise<void> {
    const client = await createClient(scene.service, newAccount('proxied'));
    const jobIds = await client.newJobs(1);
    const gateway = await startAnotherGateway(scene.service, { TRUST_PROXY: 'loopback' }, limits);
    const there = client.at(gateway.baseUrl);
    const from = (forwarded: string, secretKey = client.account.secretKey) =>
      there.call({
        jobIds,
        sandbox: true,
        headers: { 'X-Forwarded-For': forwarded, Usersecretkey: secretKey },
      });
    await use(there, from).finally(() => gateway.stop());
  }

  test('no spelling of an address, and no claimed address, makes another caller of it', () =>
    withGateway(async (_, from) => {
      const spellings = [
        ...[`${attacker}:1234`, `${victim}, ${attacker}:80`, `::ffff:${attacker}`],
        ...[`[::ffff:${attacker}]:443`, `garbage, ${attacker}`, ` ${attacker} `, `,,${attacker}`],
      ];
      for (const spelling of spellings.slice(0, 3))
        expectProblem(await from(spelling, 'wrong'), 'secret_key_invalid');
      for (const spelling of spellings) expectProblem(await from(spelling, 'wrong'), 'too_many_requests');
      expect((await from(victim)).status).toBe(200);
    }));

  test('garbage locks nobody out who has an address', () =>
    withGateway(async (_, from) => {
      const garbage = [
        ...['unknown', 'x', '999.1.1.1', '192.0.2', `${victim}.evil.example`, `${victim} ${attacker}`],
        ...[`${victim}, unknown`, `${victim}:x`, '[::', '0x7f.1', '_hidden', '"', ',', 'a'.repeat(5_000)],
      ];
      for (const each of garbage) expect([403, 429]).toContain((await from(each, 'wrong')).status);
      expect((await from(victim)).status).toBe(200);
    }));
});

test('the trail of the dashboard names the network that the proxy saw, never one that the browser claims', async () => {
  const account = newAccount('trail');
  const person = await enrol(scene.dashboard, account, 'ada@trail.example');
  const proxied = await startDashboardBeside(scene.service, {
    TRUST_PROXY: 'loopback',
    DASHBOARD_URL: scene.dashboard.publicUrl,
  });
  const claimed = { 'X-Forwarded-For': '203.0.113.9, 192.0.2.7:4711' };
  for (const at of [proxied, scene.dashboard]) {
    const browser = at.browser();
    await signInWith(browser, person.authenticator);
    const csrf = fieldOf(await browser.get('/profile'), 'csrf');
    expect(await browser.postRaw('/sign-out', { csrf }, claimed)).toMatchObject({ status: 303 });
  }
  await proxied.stop();
  const trail = await scene.dashboard.accounts.listActions({ accountId: account, pageSize: 50 });
  const networks = trail.filter(({ action }) => action === 'signed-out').map(({ network }) => network);
  expect(networks.toSorted()).toEqual(['127.0.0.1', '192.0.2.7']);
});

test('requests that wait for one account leave room for those of another', async () => {
  const [greedy, modest] = [
    await createClient(scene.service, newAccount('greedy')),
    await createClient(scene.service, newAccount('modest')),
  ];
  const gateway = await startAnotherGateway(scene.service, {}, { protection: { maxWaitingRequests: 8 } });
  stopAfterTest.push(gateway.stop);
  const wait = async (client: Client, seconds: number, id: string) =>
    client.at(gateway.baseUrl).call({
      method: 'GET',
      path: `/v1/deletions/${id}?wait=${String(seconds)}`,
      body: '',
    });
  const open = await scene.accept(greedy.account.accountId);
  const other = await scene.accept(modest.account.accountId);
  const answers: HttpAnswer[] = [];
  const waiting = Array.from({ length: 20 }, async () => answers.push(await wait(greedy, 30, open.id)));
  // One account holds three quarters at most.
  await until(() => answers.length >= 14);
  for (const answer of answers) expectProblem(answer, 'unavailable');
  expect((await wait(modest, 1, other.id)).json).toMatchObject({ state: 'queued' });
  expect((await wait(greedy, 0, open.id)).json).toMatchObject({ state: 'queued' });
  for (const client of [greedy, modest]) {
    const jobIds = await client.newJobs(1);
    expectAccepted(await client.at(gateway.baseUrl).call({ jobIds }), jobIds);
  }
  await scene.complete(open);
  await Promise.all(waiting);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(6);
});

describe('texts of a caller or member stay data', () => {
  const formulas = ['=1+1', '+1', '-1+1', '@SUM(1)', '＝1+1'];
  /** A field of a CSV file that a spreadsheet would run. */
  const runs = /(?:^|,)"[=+\-@\t\r＝＋－＠]/m;

  test('a spreadsheet runs nothing in the exports, and every row stays one line', async () => {
    const client = await createClient(scene.service, newAccount('formula'));
    const { accountId } = client.account;
    const owner = await scene.dashboard.signIn(accountId, 'owner');
    for (const formula of formulas) {
      const once = fieldOf(await owner.get('/keys/new'), 'once');
      expect(
        await owner.post('/keys/new', {
          once,
          create: 'token',
          name: formula,
          expiry: '90',
          environment: 'live',
        }),
      ).toMatchObject({
        status: 200,
      });
      const jobIds = await client.newJobs(1);
      // The first word must be a name and a version.
      const headers = { 'User-Agent': 'x/1 =1+1', 'X-Client-Lang': formula.replace('＝', '=') };
      expectAccepted(await client.call({ jobIds, headers }), jobIds);
    }
    for (const email of ['=1+1@corp.example', '+1@corp.example', '"=1,=2"@corp.example']) {
      const once = fieldOf(await owner.get('/people/invite'), 'once');
      await owner.post('/people/invite', { once, email, role: 'viewer' });
    }
    for (const [path, rows] of [
      ['/activity/export.csv', formulas.length + 1],
      ['/trail/export.csv', 0],
    ] as const) {
      const { status, text } = await owner.get(path);
      expect(status).toBe(200);
      expect(text).not.toMatch(runs);
      const lines = text.trimEnd().split('\r\n');
      if (rows > 0) expect(lines).toHaveLength(rows);
      for (const line of lines) expect(line).toMatch(/^"(?:[^"]|"")*"(?:,"(?:[^"]|"")*")*$/);
    }
  });

  test('names with control or direction characters are refused', async () => {
    const owner = await scene.dashboard.signIn(newAccount('names'), 'owner');
    for (const name of ['a\nb', 'a\rb', 'a\u0000b', 'a\u001b[31mb', 'a\u202eb', 'a\u2028b', 'a\u0085b']) {
      const once = fieldOf(await owner.get('/keys/new'), 'once');
      const answer = await owner.post('/keys/new', {
        once,
        create: 'both',
        name,
        expiry: '90',
        environment: 'live',
      });
      expect([name, answer.status]).toEqual([name, 422]);
    }
    expect(await scene.dashboard.accounts.listCredentials('token', owner.session.accountId)).toEqual([]);
  });

  test('every line of the logs stays one JSON object without secrets of links', async () => {
    const lines: string[] = [];
    const spy = jest.spyOn(watchedLog, 'write').mockImplementation((line) => {
      lines.push(line);
    });
    const logTo = { write: (line: string) => lines.push(line) };
    const gateway = await startAnotherGateway(scene.service);
    const logged = await startDashboardBeside(
      scene.service,
      { LOG_LEVEL: 'info', DASHBOARD_URL: scene.dashboard.publicUrl, TRUST_PROXY: 'loopback' },
      { logTo },
    );
    const forged = 'x"}\\n{"level":60,"msg":"forged"}';
    const client = (await createClient(scene.service, newAccount('logs'))).at(gateway.baseUrl);
    const link = await inviteTo(scene.dashboard, newAccount('logs'), 'ada@logs.example');
    for (const headers of [{ Origin: forged }, { 'User-Agent': forged }, { 'X-Forwarded-For': forged }])
      await client.call({ jobIds: ['Log00001'], headers });
    await client.call({ path: '/v1/%0a%7b%22level%22:60%7d' });
    const browser = logged.browser();
    await browser.get(link);
    await browser.post(`${link}/passkey`, { response: forged });
    await browser.get(`/link/${encodeURIComponent('\n{"level":60}')}`, { 'X-Forwarded-For': forged });
    await browser.postRaw('/sign-out', { csrf: '\n{"level":60}' });
    await logged.stop();
    await gateway.stop();
    spy.mockRestore();
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) {
      expect(line).toMatch(/^\{[^\n\r\u0085\u2028]*\}\n$/);
      expect((JSON.parse(line) as { level: number }).level).toBeLessThan(60);
      expect(line).not.toContain(link.slice('/link/'.length));
    }
  });
});
