import { expect, test } from '@jest/globals';
import { maxIds, problemsOf, readFields, sandboxRequest, type SandboxFields } from './sandbox-request.ts';

const fields: SandboxFields = {
  token: 'jdt_1',
  secretKey: 'jds_1',
  origin: 'https://shop.example',
  acceptLanguage: 'es',
  userAgent: 'shop/1.0',
  clientLang: 'C#',
  format: 'json',
  ids: 'ABC123, DEF456\r\nGHI789',
};

test('a form becomes a request with the seven required headers', () => {
  expect(sandboxRequest(fields)).toEqual({
    path: '/v1-sandbox/json/jobs-delete',
    headers: {
      Authorization: 'Bearer jdt_1',
      Usersecretkey: 'jds_1',
      Origin: 'https://shop.example',
      'Content-Type': 'application/json',
      'Accept-Language': 'es',
      'User-Agent': 'shop/1.0',
      'X-Client-Lang': 'C#',
    },
    body: '{"jobs":{"job":[{"id":"ABC123"},{"id":"DEF456"},{"id":"GHI789"}]}}',
  });
});

test('an empty field sends no header', () => {
  const { headers } = sandboxRequest({ ...fields, token: '', userAgent: '' });
  expect(Object.keys(headers)).toEqual([
    'Usersecretkey',
    'Origin',
    'Content-Type',
    'Accept-Language',
    'X-Client-Lang',
  ]);
});

test('an id in XML cannot add elements', () => {
  const request = sandboxRequest({ ...fields, format: 'xml', ids: '</id></job><job>&amp' });
  expect(request).toMatchObject({
    path: '/v1-sandbox/xml/jobs-delete',
    headers: { 'Content-Type': 'application/xml' },
    body:
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<jobs><job><id>&lt;/id&gt;&lt;/job&gt;&lt;job&gt;&amp;amp</id></job></jobs>',
  });
});

test.each(['token', 'secretKey', 'origin', 'acceptLanguage', 'userAgent', 'clientLang'] as const)(
  'a line break in %s cannot add a header',
  (name) => {
    expect(problemsOf({ ...fields, [name]: 'a\r\nX-Other: b' })).toEqual({ [name]: 'control-characters' });
  },
);

test('a request has a bounded number of ids', () => {
  const ids = (count: number) => ({
    ...fields,
    ids: Array.from({ length: count }, () => 'ABC123').join(' '),
  });
  expect(problemsOf(ids(maxIds))).toEqual({});
  expect(problemsOf(ids(maxIds + 1))).toEqual({ ids: 'too-many-ids' });
});

test('an unknown format is JSON, so a form cannot choose another path', () => {
  expect(readFields(new URLSearchParams({ format: '../../v1/json' })).format).toBe('json');
});
