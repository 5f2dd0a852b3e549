import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { send } from '../harness/http-client.ts';
import { startAnotherGateway } from '../harness/service.ts';
import { useService } from '../harness/use-service.ts';
import { expectProblem } from './client.ts';
import { languages } from './contract.ts';

const paths = ['/docs', ...languages.map((language) => `/docs/${language}`)];
const service = useService({ BASE_PATH: '/api' });

describe.each(paths)('%s', (path) => {
  test('is a page that needs no credentials', async () => {
    const answer = await send(service.baseUrl, { method: 'GET', path });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const head = await send(service.baseUrl, { method: 'HEAD', path });
    const own = { date: answer.headers.date, 'request-id': answer.headers['request-id'] };
    expect([head.status, head.text, { ...head.headers, ...own }]).toEqual([200, '', answer.headers]);
  });

  test('runs only its own script and style', async () => {
    const { headers, text } = await send(service.baseUrl, { method: 'GET', path });
    const hash = (element: string) => {
      const content = new RegExp(`<${element}>([^]*)</${element}>`).exec(text)?.[1] ?? '';
      return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
    };
    expect(String(headers['content-security-policy']).split(';')).toEqual([
      "default-src 'none'",
      `style-src ${hash('style')}`,
      'img-src data:',
      `script-src ${hash('script')}`,
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
  });

  test('allows no other method', async () => {
    const headers = { 'Accept-Language': 'en' };
    for (const method of ['DELETE', 'POST', 'OPTIONS'])
      expectProblem(await send(service.baseUrl, { method, path, headers }), 'method_not_allowed', {
        allow: 'GET, HEAD',
      });
  });
});

test.each(languages)(
  '/docs is in the caller’s language, and /docs/%s always in this one',
  async (language) => {
    const read = (path: string, caller: string) =>
      send(service.baseUrl, { method: 'GET', path, headers: { 'Accept-Language': caller } });
    const lang = new RegExp(`<html lang="${language}">`);
    for (const [path, caller] of [
      ['/docs', language],
      ...languages.map((other) => [`/docs/${language}`, other]),
    ]) {
      const { headers, text } = await read(path ?? '', caller ?? '');
      expect(headers['content-language']).toBe(language);
      expect(text).toMatch(lang);
    }
  },
);

test.each(['/docs', '/problems/job-not-found'])('%s is in English for a German browser', async (path) => {
  const read = (method: string) =>
    send(service.baseUrl, { method, path, headers: { 'Accept-Language': 'de-DE,de;q=0.9' } });
  const { headers, text } = await read('GET');
  expect(headers['content-language']).toBe('en');
  expect(text).toContain('<html lang="en">');
  // A refusal of the same path is in French, as on the API.
  expect((await read('DELETE')).headers['content-language']).toBe('fr');
});

test('a browser that has the page does not load it again, unless the language changes', async () => {
  const read = (language: string, etag = '') =>
    send(service.baseUrl, {
      method: 'GET',
      path: '/docs',
      headers: { 'Accept-Language': language, 'If-None-Match': etag },
    });
  const { headers } = await read('es');
  const etag = String(headers.etag);
  expect(headers['cache-control']).toBe('no-cache');
  const [same, other] = [await read('es', etag), await read('fr', etag)];
  expect([same.status, same.text, other.status]).toEqual([304, '', 200]);
});

test('DOCS=off removes every page', async () => {
  const closed = await startAnotherGateway(service, { DOCS: 'off' });
  const headers = { 'Accept-Language': 'en' };
  for (const path of paths)
    expectProblem(await send(closed.baseUrl, { method: 'GET', path, headers }), 'route_not_found');
  await closed.stop();
});
