import { beforeAll, expect, test } from '@jest/globals';
import { useService } from '../harness/use-service.ts';
import { createClient, expectAccepted, expectProblem, type Client } from './client.ts';
import { jobsQueued, type Language } from './contract.ts';

const service = useService();
let client: Client;
let jobIds: string[];
beforeAll(async () => {
  client = await createClient(service, 'languages');
  jobIds = await client.newJobs(1);
});

const understood: readonly [string, Language][] = [
  ['fr', 'fr'],
  ['en', 'en'],
  ['es', 'es'],
  ['EN', 'en'],
  ['fr-CA', 'fr'],
  ['en-us', 'en'],
  ['es-419', 'es'],
  ['zh-Hant-TW, es-MX', 'es'],
  ['*', 'fr'],
  ['de, *', 'fr'],
  ['en, fr', 'en'],
  ['es, en, fr', 'es'],
  ['fr;q=0.1, en;q=0.9', 'en'],
  ['fr;q=0.8, es;q=0.8', 'fr'],
  ['es;q=0.8, fr;q=0.8', 'es'],
  ['de, en;q=0.5', 'en'],
  ['fr;q=0, en', 'en'],
  ['fr;q=0.000, *', 'en'],
  ['fr;q=0, en;q=0, *', 'es'],
  ['en;q=0.001', 'en'],
  ['en;q=1.000, fr', 'en'],
  ['en ; q=0.3 , es;Q=0.4', 'es'],
  ['*;q=0.5, es', 'es'],
  ['*;q=0.5, es;q=0.4', 'fr'],
  ['de-CH, de;q=0.9, en;q=0.8, *;q=0.5', 'en'],
  [',, en,', 'en'],
  ['fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5', 'fr'],
];

test.each(understood)('%j gets an answer in %s', async (header, language) => {
  const headers = { 'Accept-Language': header };
  const answer = await client.call({ sandbox: true, jobIds, headers });
  expectAccepted(answer, jobIds, true);
  expect(answer.headers['content-language']).toBe(language);
  expect(answer.json).toMatchObject({ status: jobsQueued[language] });
});

test.each(understood)('%j is read before any check: refusals are in %s', async (header, language) => {
  const headers = { 'Accept-Language': header, Authorization: undefined };
  expectProblem(await client.call({ method: 'PUT', headers }), 'method_not_allowed', { language });
  expectProblem(await client.call({ path: '/', headers }), 'route_not_found', { language });
  expectProblem(await client.call({ headers }), 'authentication_required', { language });
});

const refused = [
  '',
  'de',
  'de-DE, it;q=0.5',
  'french',
  'fr;q=0',
  'fr;q=0, en;q=0.0, es;q=0.00',
  '*;q=0',
  'en;q=2',
  'en;q=0.1234',
  'en;q=-1',
  'en;q=',
  'en;level=1',
  'en q=1',
  'en_US',
  'eng',
  'e n',
  '-',
  'en-',
  'fr;q=1, en;;',
];

test.each(refused)('%j is refused in French', async (header) => {
  const headers = { 'Accept-Language': header };
  const answer = await client.call({ sandbox: true, jobIds, headers });
  expectProblem(answer, 'header_invalid', { language: 'fr', header: 'Accept-Language' });
});

test.each(refused)('with %j, refusals before the header checks are in French', async (header) => {
  const headers = { 'Accept-Language': header, Authorization: undefined };
  expectProblem(await client.call({ method: 'GET', headers }), 'method_not_allowed', { language: 'fr' });
  expectProblem(await client.call({ headers }), 'authentication_required', { language: 'fr' });
});
