import { expect, test } from '@jest/globals';
import type { Exchange } from '../exchange.ts';
import type { Refusal } from './refusal.ts';
import { refusedRequest } from './refused-request.ts';

const secret = '0123456789abcdef'.repeat(4);
const token = `jdt_${'ab'.repeat(12)}_${secret}`;

function refused(
  headersDistinct: Record<string, string[]>,
  refusal: Refusal = { code: 'job_not_found' },
  facts: Exchange['facts'] = { accountId: 'acme', tokenId: 'token', endpoint: '/v1/json/jobs-delete' },
) {
  // Cast: only these parts are read.
  return refusedRequest(
    { request: { headersDistinct }, requestId: 'id', facts } as unknown as Exchange,
    refusal,
  );
}

test('a request has its account, token, code, headers and number of ids', () => {
  const facts = { accountId: 'acme', tokenId: 'token', endpoint: '/v1-sandbox/xml/jobs-delete', jobs: 3 };
  const headers = { origin: ['https://a.example'], 'user-agent': ['my-client/1.0'] };
  expect(refused(headers, { code: 'origin_not_allowed' }, facts)).toEqual({
    id: 'id',
    accountId: 'acme',
    environment: 'sandbox',
    status: 403,
    code: 'origin_not_allowed',
    tokenId: 'token',
    origin: 'https://a.example',
    client: 'my-client/1.0',
    jobs: 3,
  });
});

test('a request of an unknown account is not kept', () => {
  expect(refused({}, { code: 'token_invalid' }, { tokenId: 'token' })).toBeUndefined();
});

test('a refusal with several wrong entries has their number and the first of them', () => {
  const errors = ['ABCD', 'EFGH'].map((jobId) => ({ code: 'job_not_found' as const, pointer: '/0', jobId }));
  expect(refused({}, { code: 'job_not_found', errors })).toMatchObject({
    wrongEntries: 2,
    wrongEntry: 'ABCD',
  });
  const [wrongHeader] = [{ code: 'header_invalid' as const, header: 'User-Agent' }];
  expect(refused({}, { code: 'header_invalid', errors: [wrongHeader] })).toMatchObject({
    wrongEntries: 1,
    wrongEntry: 'User-Agent',
  });
  expect(refused({}, { code: 'idempotency_key_reused', header: 'Idempotency-Key' })?.wrongEntry).toBe(
    'Idempotency-Key',
  );
});

test.each([
  ['a credential', `my-client/1.0 (${token})`],
  ['a credential in upper case', token.toUpperCase()],
  ['a credential at the cut', 'x'.repeat(100) + token],
  ['a secret alone', `my-client/1.0 ${secret}`],
  ['a secret at the cut', 'x'.repeat(100) + secret],
  ['a password', `https://ada:${secret.slice(0, 20)}@a.example`],
])('no text has the secret of %s', (_, text) => {
  const errors = [{ code: 'job_not_found' as const, jobId: text }];
  const request = refused({ origin: [text], 'user-agent': [text, text] });
  expect(JSON.stringify(request)).not.toMatch(/0123456789ab/i);
  const entry = refused({}, { code: 'job_not_found', errors: [{ code: 'job_not_found', jobId: token }] });
  expect([entry?.wrongEntry, errors.length]).toEqual(['jdt_…', 1]);
});

test('characters that nobody can see are escaped, and every text is short', () => {
  const text = `a\u0000\t\u001b[31m\u202eb${'\u200b'.repeat(5_000)}`;
  const request = refused(
    { origin: [text], 'user-agent': [text] },
    {
      code: 'job_not_found',
      errors: [{ code: 'job_not_found', jobId: text }],
    },
  );
  for (const shown of [request?.origin, request?.client, request?.wrongEntry]) {
    expect(shown).toMatch(/^aU\+0000U\+0009U\+001B\[31mU\+202EbU\+200B/);
    expect(shown).toHaveLength(128);
  }
});
