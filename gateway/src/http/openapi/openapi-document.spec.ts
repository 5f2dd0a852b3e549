import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { problemTable } from '../../messages/problems.ts';
import { securityHeaders } from '../answer/security-headers.ts';
import { apiPaths } from '../endpoints.ts';
import { requestHeaders, responseHeaders } from '../header-names.ts';
import { openapiDocument } from './openapi-document.ts';

const settings = {
  basePath: '',
  publicUrl: '',
  maxJobsPerRequest: 10_000,
  maxBodyBytes: 4_194_304,
};
interface Document {
  readonly info: { readonly description: string };
  readonly servers: readonly { url: string }[];
  readonly paths: Readonly<Record<string, object>>;
  readonly components: Readonly<Record<'headers' | 'parameters' | 'examples' | 'responses', object>>;
}
const documentOf = (changes: Partial<typeof settings> = {}) =>
  JSON.parse(JSON.stringify(openapiDocument({ ...settings, ...changes }))) as Document;
const document = documentOf();
const file = readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8');

test('docs/openapi.json is up to date: `npm run generate` writes it', () => {
  expect(JSON.parse(file)).toEqual(document);
});

test('docs/openapi.json is shorter than 60 kB without white space', () => {
  expect(Buffer.byteLength(JSON.stringify(JSON.parse(file)))).toBeLessThan(60_000);
});

describe('the document has', () => {
  test('every endpoint', () => {
    expect(Object.keys(document.paths)).toEqual(apiPaths);
  });

  test('every header', () => {
    const { headers, parameters } = document.components;
    expect(Object.keys(headers).sort()).toEqual([...responseHeaders].sort());
    for (const [name] of securityHeaders) expect(document.info.description).toContain(name);
    // A token, a secret key and the media type of a body are no parameters of OpenAPI.
    const others = ['Authorization', 'Usersecretkey', 'Content-Type'];
    expect([...Object.keys(parameters), ...others]).toEqual(expect.arrayContaining([...requestHeaders]));
  });

  test.each(problemTable.map(({ code }) => code))('%s, with an example', (code) => {
    const { examples, responses } = document.components;
    const type = `/problems/${code.replaceAll('_', '-')}`;
    expect(examples).toHaveProperty([code, 'value'], expect.objectContaining({ code, type }));
    expect(JSON.stringify(responses)).toContain(`#/components/examples/${code}"`);
  });

  test('no `const`, which generators of clients do not understand for a boolean', () => {
    expect(JSON.stringify(document)).not.toContain('"const":');
  });
});

test('the address is that of the gateway', () => {
  const withAddress = documentOf({ publicUrl: 'https://api.example.com', basePath: '/jobs' });
  expect(withAddress.servers).toEqual([{ url: 'https://api.example.com/jobs' }]);
  expect(withAddress.components.examples).toHaveProperty(
    ['unavailable', 'value', 'type'],
    'https://api.example.com/jobs/problems/unavailable',
  );
  expect(document.servers).toEqual([{ url: '/' }]);
});

test('the limits are those of the gateway', () => {
  const text = JSON.stringify(documentOf({ maxJobsPerRequest: 7, maxBodyBytes: 999 }));
  expect(text).toContain('"maxItems":7');
  expect(text).toContain('At most 7 jobs and 999 bytes.');
});
