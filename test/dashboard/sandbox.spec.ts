import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  startTestDashboard,
  type SignedInBrowser,
  type TestDashboard,
} from '@jobs-delete/dashboard/testing/start-test-dashboard';
import { fieldOf } from '@jobs-delete/dashboard/testing/read-page';
import { startService, type TestAccount, type TestService } from '../harness/service.ts';
import { startDashboardBeside } from './scene.ts';

let service: TestService;
let dashboard: TestDashboard;
let account: TestAccount;
let viewer: SignedInBrowser;
beforeAll(async () => {
  service = await startService();
  dashboard = await startTestDashboard({ DATA_DIR: service.dataDir, DASHBOARD_API_URL: service.baseUrl });
  account = await service.operator.createAccount('acme');
  await service.operator.importJobs('acme', ['ABC123', 'DEF456']);
  viewer = await dashboard.signIn('acme', 'viewer');
});
afterAll(async () => {
  await dashboard.stop();
  await service.stop();
});

/** Sends the form of the page, and returns the texts of the answer. */
async function send(fields: Readonly<Record<string, string>>) {
  const { status, text } = await viewer.post('/sandbox', {
    token: account.token,
    secretKey: account.secretKey,
    origin: account.origin,
    acceptLanguage: 'en',
    userAgent: 'shop/1.0',
    clientLang: 'PHP',
    format: 'json',
    ids: 'ABC123 DEF456',
    ...fields,
  });
  const answer = text.slice(text.indexOf('<section id="answer"'));
  const checks = [
    ...answer.matchAll(/<li class="([\w-]+)"><(?:code|span)>([\w -]+)<\/\w+> <div>(.*?)<\/div><\/li>/gs),
  ].map(([, outcome = '', name = '', detail = '']) => ({ outcome, name, detail }));
  return {
    status,
    text: text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>'),
    outcomes: Object.fromEntries(checks.map(({ name, outcome }) => [name, outcome.replace('-', ' ')])),
    details: checks.filter(({ outcome }) => outcome === 'failed'),
  };
}

const english = { 'Accept-Language': 'en' };
const passed = {
  Authorization: 'passed',
  Usersecretkey: 'passed',
  Origin: 'passed',
  'Content-Type': 'passed',
  'Accept-Language': 'passed',
  'User-Agent': 'passed',
  'X-Client-Lang': 'passed',
  'Job ids': 'passed',
  'Limit of deletions': 'passed',
};
const later = { 'Job ids': 'not reached', 'Limit of deletions': 'not reached' };
test('a missing token or secret key is named at its field, and a second press sends without what was named', async () => {
  const { token, secretKey, origin } = account;
  const problems = async (fields: Readonly<Record<string, string>>) => {
    const { status, text } = await viewer.post('/sandbox', { origin, ids: 'ABC123', ...fields });
    const ids = [...text.matchAll(/id="(\w+)-problem"/g)].map(([, id]) => id);
    return {
      status,
      ids,
      again: /name="without" value="([^"]+)"/.exec(text)?.[1],
      answer: /HTTP\/1\.1 (\d{3}) /.exec(text)?.[1],
    };
  };
  const refused = { status: 422, answer: undefined };
  const both = { ...refused, again: 'token secretKey' };
  expect(await problems({})).toEqual({ ...both, ids: ['token', 'secretKey'] });
  expect(await problems({ token })).toEqual({ ...refused, again: 'secretKey', ids: ['secretKey'] });
  expect(await problems({ secretKey })).toEqual({ ...refused, again: 'token', ids: ['token'] });
  expect(await problems({ without: 'token' })).toEqual({ ...both, ids: ['secretKey'] });
  expect(await problems({ without: both.again, origin: 'a\tb' })).toEqual({ ...both, ids: ['origin'] });
  const sent = { status: 200, again: undefined, answer: '401', ids: [] };
  expect(await problems({ without: both.again })).toEqual(sent);
});

test('a manager creates a test key in one step, which the sandbox accepts, and a viewer does not', async () => {
  const manager = await dashboard.signIn('acme', 'manager');
  const expired = await manager.post('/sandbox/keys', { once: 'expired' });
  expect([expired.status, expired.text.includes('The form has expired')]).toEqual([422, true]);
  const { text } = await manager.post('/sandbox/keys', { once: fieldOf(expired, 'once') });
  const [token = '', secretKey = ''] = ['token', 'secretKey'].map(
    (name) => new RegExp(`name="${name}"[^>]* value="([^"]+)"`).exec(text)?.[1] ?? '',
  );
  expect((await send({ token, secretKey })).outcomes).toEqual(passed);
  const { accounts } = dashboard;
  const kinds = ['token', 'secret-key'] as const;
  const keys = await Promise.all(kinds.map((kind) => accounts.listCredentials(kind, 'acme')));
  const [key, other] = keys.map((some) => some.find(({ id }) => `${token} ${secretKey}`.includes(id)));
  for (const one of [key, other]) {
    const name = expect.stringMatching(/^Sandbox test \d+ \w+ [\d:]{5}$/) as unknown;
    expect(one).toMatchObject({ name, environment: 'sandbox' });
    expect((one?.expiresAtMs ?? Infinity) - (one?.createdAtMs ?? 0)).toBeLessThanOrEqual(3_600_000);
  }
  const entries = await accounts.listActions({ accountId: 'acme', pageSize: 10 });
  expect(entries).toContainEqual(
    expect.objectContaining({ action: 'token.created', subject: `${key?.id ?? ''} (${key?.name ?? ''})` }),
  );
  const page = (await manager.get('/sandbox')).text;
  for (const secret of [token, secretKey]) expect(page).not.toContain(secret);
  expect((await manager.get('/keys', english)).text).not.toContain('expire in the next');
  expect((await viewer.get('/sandbox')).text).not.toContain('/sandbox/keys');
});

test.each(['json', 'xml'] as const)(
  'a request in %s shows the answer of the sandbox, with JSON in lines',
  async (format) => {
    const { status, text, outcomes } = await send({ format });
    expect(status).toBe(200);
    expect(text).toContain('HTTP/1.1 200 OK\n\n{');
    expect(text).toMatch(/<code>Request-Id: [^<]*\nSandbox: true\n/);
    expect(text).toContain('"results": [\n    {\n      "job_id": "ABC123",\n      "status": "success"');
    const body = {
      json: `  --data '{"jobs":{"job":[{"id":"ABC123"},{"id":"DEF456"}]}}'<`,
      xml: '<jobs><job><id>ABC123</id></job>',
    };
    expect(text).toContain(body[format]);
    expect(text).toMatch(new RegExp(`curl --request DELETE '[^']*/v1-sandbox/${format}/jobs-delete' `));
    expect(text).toContain(`  --header 'Authorization: Bearer YOUR_TOKEN' \\\n`);
    expect(text).toContain(`  --header 'Usersecretkey: YOUR_SECRET_KEY' \\\n`);
    expect(outcomes).toEqual(passed);
    const all = { accountId: 'acme', state: undefined, pageSize: 1, after: undefined };
    expect(await service.operator.store.listDeletions(all)).toMatchObject({ deletions: [] });
  },
);

test.each(['json', 'xml'])(
  'the checklist of a refused request in %s names the wrong headers',
  async (format) => {
    const { text, outcomes, details } = await send({ format, acceptLanguage: 'de', userAgent: '' });
    expect(text).toContain('HTTP/1.1 400 Bad Request');
    expect(text).toContain('"code": "header_invalid"');
    expect(outcomes).toEqual({ ...passed, 'Accept-Language': 'failed', 'User-Agent': 'failed', ...later });
    expect(details.map(({ name }) => name)).toEqual(['Accept-Language', 'User-Agent']);
  },
);

test.each([
  [{ token: '', without: 'token' }, 'failed', 'not reached', 'not reached'],
  [{ token: 'wrong' }, 'failed', 'not reached', 'not reached'],
  [{ secretKey: 'wrong' }, 'passed', 'failed', 'not reached'],
  [{ origin: 'https://else.example' }, 'passed', 'passed', 'failed'],
] as const)('the checks end at a wrong credential: %j', async (fields, token, secretKey, origin) => {
  expect((await send(fields)).outcomes).toEqual({
    Authorization: token,
    Usersecretkey: secretKey,
    Origin: origin,
    'Content-Type': 'not reached',
    'Accept-Language': 'not reached',
    'User-Agent': 'not reached',
    'X-Client-Lang': 'not reached',
    ...later,
  });
});

test('a person who tries wrong credentials is stopped, and another person is not', async () => {
  const guesser = await dashboard.signIn(account.accountId, 'viewer');
  const body = { token: 'wrong', secretKey: 'wrong', origin: account.origin, format: 'json', ids: 'ABC123' };
  const fields = { ...body, acceptLanguage: 'en', userAgent: 'shop/1.0', clientLang: 'PHP' };
  const statuses: number[] = [];
  for (let sent = 0; sent < 12; sent += 1) statuses.push((await guesser.post('/sandbox', fields)).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429]);
  expect((await send({})).status).toBe(200);
});

test('the gateway counts refused credentials for the network of the person', async () => {
  const trusting = { TRUST_PROXY: 'loopback' };
  const limited = await startService({ ...trusting, FAILED_AUTHENTICATIONS_LIMIT: '3' });
  const pages = await startTestDashboard({
    ...trusting,
    DATA_DIR: limited.dataDir,
    DASHBOARD_API_URL: limited.baseUrl,
  });
  try {
    await limited.operator.createAccount('acme');
    const person = await pages.signIn('acme', 'viewer');
    const tryFrom = async (address: string) => {
      const csrf = /name="csrf" value="([^"]+)"/.exec((await person.get('/sandbox')).text)?.[1] ?? '';
      const fields = { csrf, token: 'wrong', secretKey: 'wrong', format: 'json', ids: 'ABC123' };
      const { text } = await person.postRaw('/sandbox', fields, { 'X-Forwarded-For': address });
      return /HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
    };
    for (const [guesser, bystander] of [
      ['198.51.100.7', '198.51.100.8'],
      ['2001:db8::7', '2001:db8:0:1::8'],
    ] as const) {
      for (let sent = 0; sent < 3; sent += 1) expect(await tryFrom(guesser)).toBe('403');
      expect(await tryFrom(guesser)).toBe('429');
      expect(await tryFrom(bystander)).toBe('403');
    }
  } finally {
    await pages.stop();
    await limited.stop();
  }
});

test.each([
  [{}, 'good">200 Accepted', 'The API would accept this request.'],
  [{ ids: 'ABC123 NoSuchJob' }, 'attention">404 Refused', 'The job was not found. It may have been deleted.'],
])('the answer begins with its outcome, and its headers are closed: %j', async (fields, badge, sentence) => {
  const { text } = await send(fields);
  const answer = text.slice(text.indexOf('<section id="answer"'));
  expect(answer).toMatch(/^<section [^>]*><div id="result"><div class="card"><h2 /);
  expect(answer).toContain(badge);
  expect(answer).toContain(sentence);
  for (const closed of ['Headers of the answer', 'Request sent, as a curl command'])
    expect(answer).toContain(`<details><summary>${closed}</summary>`);
  expect(answer).toMatch(/<h3 id="received">Answer received<\/h3><pre [^>]*><code>HTTP\/1.1 \d/);
});

test('the check that failed has the explanation, which stands nowhere else but in the answer itself', async () => {
  const { text, details, outcomes } = await send({ ids: 'ABC123 NoSuchJob' });
  expect(text).toContain('"code": "job_not_found"');
  expect(outcomes).toEqual({ ...passed, ...later, 'Job ids': 'failed' });
  const [{ detail } = { detail: '' }] = details;
  const [explanation = ''] = detail.split('<p');
  expect(explanation).toContain('NoSuchJob');
  expect(detail).toContain('href="/a/acme/jobs"');
  const [before = ''] = text.split('<h3 id="received">');
  expect(before.split(explanation)).toHaveLength(2);
});

test('no page shows the secrets again', async () => {
  for (const fields of [{}, { acceptLanguage: 'de' }, { origin: 'a\r\nb' }]) {
    const { text } = await send(fields);
    expect(text).not.toContain(account.token);
    expect(text).not.toContain(account.secretKey);
    expect(text).toContain('value="shop/1.0"');
  }
});

test('a value that no header can carry is refused at its field', async () => {
  const { status, text } = await send({ origin: 'https://a.example\r\nX-Other: 1' });
  expect(status).toBe(422);
  expect(text).toContain('id="origin-problem"');
  expect(text).not.toContain('HTTP/1.1');
});

test('without valid keys, the page says where a manager creates them', async () => {
  await dashboard.signIn('keyless', 'viewer');
  const pageOf = async (role: 'viewer' | 'manager', accountId = 'keyless') =>
    (await (await dashboard.signIn(accountId, role)).get('/sandbox', english)).text;
  const none = 'The account has no valid token and secret key yet.';
  const manager = await pageOf('manager');
  expect(manager).toContain(none);
  expect(manager).toContain('href="/a/keyless/keys/new"');
  expect(manager).toMatch(/<button form="test-keys">.*<button class="quiet">Send to the sandbox/);
  const viewerPage = await pageOf('viewer');
  expect(viewerPage).toContain(none);
  expect(viewerPage).not.toContain('/keys/new');
  expect(await pageOf('manager', 'acme')).not.toContain(none);
});

test('the page suggests an origin that the account allows', async () => {
  expect((await viewer.get('/sandbox')).text).toContain(`<option value="${account.origin}">`);
});

test('the form has ids of the account, or says that it has none', async () => {
  const beside = await startDashboardBeside(service);
  try {
    await service.operator.createAccount('empty');
    const fieldIn = async (accountId: string) => {
      const { text } = await (await beside.signIn(accountId, 'viewer')).get('/sandbox', english);
      return /id="ids-hint">([^<]*)<.*?<textarea [^>]*>([^<]*)</s.exec(text)?.slice(1).join('|');
    };
    expect(await fieldIn('acme')).toMatch(/\|ABC123\nDEF456$/);
    expect(await fieldIn('empty')).toMatch(/This account has no job yet.*\|$/);
    const { text } = await (
      await beside.signIn('acme', 'viewer')
    ).post('/sandbox', { without: 'token secretKey', ids: 'Other001' });
    expect(text).toContain('>Other001</textarea>');
  } finally {
    await beside.stop();
  }
});

test('an API that is away gives a page without an answer', async () => {
  const alone = await startTestDashboard({ DASHBOARD_API_URL: 'http://127.0.0.1:1' });
  try {
    const { status, text } = await (
      await alone.signIn('acme', 'viewer')
    ).post('/sandbox', { without: 'token secretKey', ids: 'ABC123' });
    expect(status).toBe(200);
    expect(text).toContain('class="warning"');
  } finally {
    await alone.stop();
  }
});
