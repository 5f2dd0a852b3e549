import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startAnotherGateway } from '../harness/service.ts';
import { useService } from '../harness/use-service.ts';
import { createClient, expectAccepted, expectProblem, pathOf, type Client } from './client.ts';

const service = useService();
let client: Client;
let jobIds: string[];
beforeAll(async () => {
  client = await createClient(service, 'routes');
  jobIds = await client.newJobs(1);
});

const paths = (['json', 'xml'] as const).flatMap((format) => [pathOf(format), pathOf(format, true)]);
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'OPTIONS', 'TRACE', 'PURGE', 'PROPFIND', 'SEARCH'];
const anonymous = {
  Authorization: undefined,
  Usersecretkey: undefined,
  Origin: undefined,
  'Content-Type': undefined,
  'User-Agent': undefined,
  'X-Client-Lang': undefined,
};

test('there are exactly four paths', () => {
  expect(paths.toSorted()).toEqual([
    '/v1-sandbox/json/jobs-delete',
    '/v1-sandbox/xml/jobs-delete',
    '/v1/json/jobs-delete',
    '/v1/xml/jobs-delete',
  ]);
});

describe.each(paths)('%s', (path) => {
  test.each(methods)('%s is not allowed, before any other check', async (method) => {
    expectProblem(await client.call({ path, method, jobIds }), 'method_not_allowed');
    expectProblem(await client.call({ path, method, headers: anonymous }), 'method_not_allowed');
  });

  test('a refusal of the sandbox has the Sandbox header', async () => {
    const { headers } = await client.call({ path, method: 'POST', headers: anonymous });
    expect(headers.sandbox).toBe(path.includes('sandbox') ? 'true' : undefined);
  });

  test('HEAD is not allowed, and has no body', async () => {
    const answer = await client.call({ path, method: 'HEAD', headers: anonymous });
    expect([answer.status, answer.headers.allow, answer.text]).toEqual([405, 'DELETE', '']);
  });

  test('a method override is ignored', async () => {
    const headers = { 'X-HTTP-Method-Override': 'DELETE', 'X-Method-Override': 'DELETE' };
    const override = `${path}?_method=DELETE`;
    expectProblem(
      await client.call({ path: override, method: 'POST', jobIds, headers }),
      'method_not_allowed',
    );
  });
});

test.each([
  '?',
  '?dry_run=1',
  '?a=b&a=c',
  '?x=/../..',
  '?%zz',
  '?/',
  '?a?b',
  '?id=ABC123',
  '?__proto__[x]=1',
])('the query string %s is ignored', async (query) => {
  expectAccepted(await client.call({ path: pathOf('json', true) + query, jobIds }), jobIds, true);
});

const unknownPaths = [
  '/',
  '/v1',
  '/v1/json',
  '/v1/json/',
  '/v1/json/jobs-delete/',
  '/v1/json/jobs-delete/x',
  '/v1/json/job-delete',
  '/v1/JSON/jobs-delete',
  '/V1/json/jobs-delete',
  '/v1/json/Jobs-Delete',
  '/v1/json/jobs_delete',
  '/v1/csv/jobs-delete',
  '/v2/json/jobs-delete',
  '/v1-Sandbox/json/jobs-delete',
  '/v1-sandbox/jobs-delete',
  '//v1/json/jobs-delete',
  '/v1//json/jobs-delete',
  '/v1/./json/jobs-delete',
  '/x/../v1/json/jobs-delete',
  '/v1/json/jobs-delete;x=1',
  '/v1/json/jobs%2Ddelete',
  '/v1%2Fjson/jobs-delete',
  '/v1/json/jobs-delete%20',
  '/v1/json/jobs-delete%00',
  '/v1/json/jobs-delete.json',
  '/v1/json/%zz',
  '/%',
  '/__proto__',
  '/v1\\json\\jobs-delete',
  '/api/v1/json/jobs-delete',
];

test.each(unknownPaths)('%s is 404 for any method, before any other check', async (path) => {
  for (const method of ['DELETE', ...methods]) {
    expectProblem(await client.call({ path, method, jobIds }), 'route_not_found');
    expectProblem(await client.call({ path, method, headers: anonymous }), 'route_not_found');
  }
});

describe('below a base path', () => {
  let mounted: Awaited<ReturnType<typeof startAnotherGateway>>;
  let root: string;
  beforeAll(async () => {
    mounted = await startAnotherGateway(service, { BASE_PATH: '/api/jobs.v-1' });
    root = new URL('/', mounted.baseUrl).href.slice(0, -1);
  });
  afterAll(() => mounted.stop());

  test.each(paths)('%s is served there', async (path) => {
    const format = path.includes('xml') ? 'xml' : 'json';
    const there = client.at(mounted.baseUrl);
    expectProblem(await there.call({ path, method: 'GET', format }), 'method_not_allowed');
    const sandbox = path.includes('sandbox');
    const fresh = await client.newJobs(1);
    expectAccepted(await there.call({ path, format, jobIds: fresh }), fresh, sandbox);
  });

  test.each(paths)('%s is not served without the prefix', async (path) => {
    expectProblem(await client.at(root).call({ path, jobIds }), 'route_not_found');
    expectProblem(await client.at(root).call({ path: `/api${path}`, jobIds }), 'route_not_found');
    expectProblem(await client.at(root).call({ path: `/API/jobs.v-1${path}`, jobIds }), 'route_not_found');
    expectProblem(await client.at(root).call({ path: `/api/jobsxv-1${path}`, jobIds }), 'route_not_found');
    expectProblem(await client.at(mounted.baseUrl).call({ path: `/api${path}`, jobIds }), 'route_not_found');
  });
});
