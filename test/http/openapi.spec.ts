import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startAnotherGateway, startService, type TestService } from '../harness/service.ts';
import { send, type HttpAnswer } from '../harness/http-client.ts';
import { readDocument } from '../readme/readme.ts';
import { createClient, expectProblem, expectStamped } from './client.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ CORS: 'allowed-domains' });
});
afterAll(() => service.stop());

const path = '/openapi.json';
const get = (baseUrl: string, headers: Record<string, string> = {}): Promise<HttpAnswer> =>
  send(baseUrl, { method: 'GET', path, headers });

test('the gateway serves the committed document, without credentials', async () => {
  const answer = await get(service.baseUrl);
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json');
  expect(answer.json).toEqual(JSON.parse(readDocument('docs/openapi.json')));
});

test('an unchanged document is not sent again', async () => {
  const { headers } = await get(service.baseUrl);
  expect(headers['cache-control']).toBe('no-cache');
  const again = await get(service.baseUrl, { 'If-None-Match': String(headers.etag) });
  expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag]);
  expect((await get(service.baseUrl, { 'If-None-Match': '"other"' })).status).toBe(200);
});

test('HEAD has the same headers and no body', async () => {
  const { headers } = await get(service.baseUrl);
  const head = await send(service.baseUrl, { method: 'HEAD', path });
  expect([head.status, head.text]).toEqual([200, '']);
  expect(head.headers).toMatchObject({ etag: headers.etag, 'content-length': headers['content-length'] });
});

test.each(['POST', 'DELETE', 'OPTIONS'])('%s is not allowed', async (method) => {
  const client = await createClient(service, `openapi-${method}`);
  const answer = await client.call({ method, path, jobIds: [] });
  expectProblem(answer, 'method_not_allowed', { allow: 'GET, HEAD' });
});

test('the document has the address of the gateway, its limits and its features', async () => {
  const other = await startAnotherGateway(service, {
    PUBLIC_URL: 'https://api.example.com',
    BASE_PATH: '/jobs',
    MAX_JOBS_PER_REQUEST: '7',
  });
  const { json, text } = await get(other.baseUrl);
  expect(json).toMatchObject({ servers: [{ url: 'https://api.example.com/jobs' }] });
  expect(text).toContain('"maxItems":7');
  expect(text).not.toContain('"options":');
  await other.stop();
});

test('DOCS=off hides the document', async () => {
  const other = await startAnotherGateway(service, { DOCS: 'off' });
  const answer = await get(other.baseUrl, { 'Accept-Language': 'es' });
  expect(answer.status).toBe(404);
  expect(answer.json).toMatchObject({ code: 'route_not_found' });
  expectStamped(answer.headers, 'es');
  await other.stop();
});
