import { beforeAll, describe, expect, test } from '@jest/globals';
import { send } from '../harness/http-client.ts';
import { startAnotherGateway } from '../harness/service.ts';
import { useService } from '../harness/use-service.ts';
import { createClient, expectProblem, expectStamped, type Client, type Problem } from './client.ts';
import { codes, languages, problems, type Code, type Language } from './contract.ts';

const service = useService();
let client: Client;
beforeAll(async () => {
  client = await createClient(service, 'pages');
});

const pathOf = (code: Code) => `/problems/${code.replaceAll('_', '-')}`;
const get = (path: string, headers: Record<string, string> = {}, method = 'GET', baseUrl = service.baseUrl) =>
  send(baseUrl, { method, path, headers });
/** Returns the texts of a page, without its markup. */
const textsOf = (html: string) =>
  html
    .replace(/<style>[\s\S]*<\/style>/, '')
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

describe.each(codes)('the page of %s', (code) => {
  test.each(languages)('explains the problem in %s, without credentials', async (language) => {
    const { status, headers, text } = await get(pathOf(code), { 'Accept-Language': language });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expectStamped(headers, language);
    expect(text).toContain(`<html lang="${language}">`);
    const title = problems[code][language].replace('{name}', '…');
    expect(textsOf(text)).toContain(title);
    expect(textsOf(text)).toContain(`${String(problems[code].status)} · `);
    expect(text).toContain(`<code>${code}</code>`);
  });
});

test.each<[string | undefined, Language]>([
  [undefined, 'en'],
  ['de', 'en'],
  ['de-DE, de;q=0.9', 'en'],
  ['de, en-GB;q=0.8, fr;q=0.5', 'en'],
  ['*', 'fr'],
])('Accept-Language %j gets a page in %s', async (header, language) => {
  const headers = header === undefined ? {} : { 'Accept-Language': header };
  const { text } = await get(pathOf('job_not_found'), headers);
  const words = { fr: 'Que faire', en: 'What to do', es: 'Qué hacer' };
  expect(text).toContain(words[language]);
});

test('a page has the headers of every answer, and a policy that allows its own style only', async () => {
  const { headers, text } = await get(pathOf('unavailable'));
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
  });
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none';style-src 'sha256-[\w+/]+=';img-src data:;base-uri 'none';form-action 'none';frame-ancestors 'none'$/,
  );
  expect(text).not.toMatch(/<script|\son\w+=|\sstyle=|https?:\/\/(?!www\.example\.com)/);
});

test('HEAD has the headers of GET, and no body', async () => {
  const whole = await get(pathOf('token_invalid'));
  const head = await get(pathOf('token_invalid'), {}, 'HEAD');
  expect([head.status, head.text]).toEqual([200, '']);
  expect(head.headers['content-length']).toBe(whole.headers['content-length']);
});

test.each(['DELETE', 'POST', 'PUT', 'PATCH', 'OPTIONS'])('%s is not allowed', async (method) => {
  const answer = await get(pathOf('token_invalid'), { 'Accept-Language': 'en' }, method);
  expectProblem(answer, 'method_not_allowed', { allow: 'GET, HEAD' });
});

test.each([
  '/problems',
  '/problems/',
  '/problems/none',
  '/problems/job_not_found',
  '/problems/Job-Not-Found',
  '/problems/job-not-found/',
  '/problems/job-not-found.html',
  '/problems/job%2Dnot-found',
  '/problems/__proto__',
  '/problems/..%2fetc',
])('%s is 404 for any method', async (path) => {
  for (const method of ['GET', 'HEAD', 'DELETE']) {
    const answer = await get(path, { 'Accept-Language': 'en' }, method);
    if (method === 'HEAD') expect(answer.status).toBe(404);
    else expectProblem(answer, 'route_not_found');
  }
});

test('the type of a problem leads to its page', async () => {
  const answer = await client.call({ headers: { Authorization: undefined } });
  const { type, title } = expectProblem(answer, 'authentication_required');
  expect(type).toBe('/problems/authentication-required');
  const page = await get(type, { 'Accept-Language': 'en' });
  expect(page.text).toContain(`<h1>${title}</h1>`);
});

describe('PUBLIC_URL and BASE_PATH', () => {
  const typeWith = async (env: NodeJS.ProcessEnv) => {
    const gateway = await startAnotherGateway(service, env);
    const answer = await client.at(gateway.baseUrl).call({ method: 'GET' });
    const page = await get(pathOf('method_not_allowed'), {}, 'GET', gateway.baseUrl);
    expect(page.status).toBe(200);
    await gateway.stop();
    return (answer.json as Problem).type;
  };

  test.each([
    [{ BASE_PATH: '/api' }, '/api'],
    [{ PUBLIC_URL: 'https://jobs.example.com' }, 'https://jobs.example.com'],
    [
      { PUBLIC_URL: 'https://jobs.example.com:8443/', BASE_PATH: '/api' },
      'https://jobs.example.com:8443/api',
    ],
    [{ PUBLIC_URL: 'http://example.com/jobs' }, 'http://example.com/jobs'],
  ])('%j gives types below %s', async (env, base) => {
    expect(await typeWith(env)).toBe(`${base}/problems/method-not-allowed`);
  });

  test.each([
    'jobs.example.com',
    '/api',
    'ftp://example.com',
    'https://',
    'https://a.example?x',
    'https://u@a.example',
  ])('PUBLIC_URL=%s is refused at start', async (PUBLIC_URL) => {
    await expect(startAnotherGateway(service, { PUBLIC_URL })).rejects.toThrow(
      'PUBLIC_URL: must be an address such as https://api.example.com, without BASE_PATH',
    );
  });
});

test('DOCS=off answers 404 for every method', async () => {
  const gateway = await startAnotherGateway(service, { DOCS: 'off' });
  const quiet = { 'Accept-Language': 'en' };
  for (const method of ['GET', 'DELETE'])
    expectProblem(await get(pathOf('job_not_found'), quiet, method, gateway.baseUrl), 'route_not_found');
  await gateway.stop();
});
