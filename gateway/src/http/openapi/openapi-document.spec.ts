import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { languages } from '../../messages/messages.ts';
import { problemTable } from '../answer/problem-table.ts';
import { securityHeaders } from '../answer/security-headers.ts';
import { publicDocuments } from '../documents/public-documents.ts';
import { deletionEndpoint, endpoints } from '../endpoints.ts';
import { requestHeaders, responseHeaders } from '../header-names.ts';
import { openapiDocument } from './openapi-document.ts';

const settings = {
  basePath: '',
  publicUrl: '',
  cors: true,
  maxJobsPerRequest: 10_000,
  maxBodyBytes: 4_194_304,
};
interface Document {
  readonly servers: readonly { url: string }[];
  readonly paths: Readonly<Record<string, object>>;
  readonly components: Readonly<Record<'headers' | 'parameters' | 'examples' | 'responses', object>>;
  readonly 'x-problems': Readonly<Record<string, { readonly type: string }>>;
}
const documentOf = (changes: Partial<typeof settings> = {}) =>
  JSON.parse(JSON.stringify(openapiDocument({ ...settings, ...changes }))) as Document;
const document = documentOf();

test('docs/openapi.json is up to date: `npm run generate` writes it', () => {
  const file = new URL('../../../../docs/openapi.json', import.meta.url);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(document);
});

describe('the document has', () => {
  test('every endpoint and every public document', () => {
    const documents = publicDocuments(settings).map(({ path }) =>
      path.replace(/^\/problems\/.*/, '/problems/{name}').replace(/^\/docs\/.*/, '/docs/{language}'),
    );
    const paths = [...endpoints.map(({ path }) => path), deletionEndpoint.path, ...documents];
    expect(Object.keys(document.paths).sort()).toEqual([...new Set(paths)].sort());
  });

  test('every header', () => {
    const { headers, parameters } = document.components;
    const security = securityHeaders.map(([name]) => name);
    expect(Object.keys(headers)).toEqual(expect.arrayContaining([...responseHeaders, ...security]));
    // A token, a secret key and the media type of a body are no parameters of OpenAPI.
    const others = ['Authorization', 'Usersecretkey', 'Content-Type'];
    expect([...Object.keys(parameters), ...others]).toEqual(expect.arrayContaining([...requestHeaders]));
  });

  test.each(problemTable.map(({ code }) => code))('%s, with an example in each language', (code) => {
    const { examples, responses } = document.components;
    for (const language of languages) {
      expect(examples).toHaveProperty([`${code}.${language}`, 'value', 'code'], code);
      expect(JSON.stringify(responses)).toContain(`#/components/examples/${code}.${language}`);
    }
    expect(document['x-problems'][code]).toMatchObject({ type: `/problems/${code.replaceAll('_', '-')}` });
  });
});

test('the address is that of the gateway', () => {
  const withAddress = documentOf({ publicUrl: 'https://api.example.com', basePath: '/jobs' });
  expect(withAddress.servers).toEqual([{ url: 'https://api.example.com/jobs' }]);
  expect(withAddress['x-problems'].unavailable?.type).toBe(
    'https://api.example.com/jobs/problems/unavailable',
  );
  expect(document.servers).toEqual([{ url: '/' }]);
});

test('the limits are those of the gateway', () => {
  const text = JSON.stringify(documentOf({ maxJobsPerRequest: 7, maxBodyBytes: 999 }));
  expect(text).toContain('"maxItems":7');
  expect(text).toContain('At most 7 jobs and 999 bytes.');
});

test('a gateway without CORS documents no preflight request', () => {
  expect(JSON.stringify(documentOf({ cors: false }))).not.toContain('"options":');
});
