import { expect, test } from '@jest/globals';
import type { Authenticator } from '@jobs-delete/accounts/authenticator';
import { newCredentialText } from '@jobs-delete/accounts/credentials/credential';
import { parseAllowedDomain, parseAllowedDomains } from '@jobs-delete/accounts/origins/allowed-domain';
import { type Sentence, sentence } from '../../messages/messages.ts';
import type { RequestFacts } from '../exchange.ts';
import {
  checkCredentials,
  explainAuthorization,
  explainOrigin,
  explainSecretKey,
  explainToken,
  readBearerToken,
} from './check-credentials.ts';

test.each(['Bearer abc', 'bearer abc', 'BEARER   abc'])('%j carries a token', (value) => {
  expect(readBearerToken([value])).toBe('abc');
});

test('a token may contain every character that RFC 6750 allows', () => {
  expect(readBearerToken(['Bearer azAZ09-._~+/=='])).toBe('azAZ09-._~+/==');
});

test.each([
  '',
  'Bearer',
  'Bearer ',
  'Bearer\tabc',
  'Bearerabc',
  'Basic abc',
  'Bearer =',
  'Bearer a=b',
  'Bearer a b',
  'Bearer a,b',
  'Bearer "abc"',
  'Bearer é',
  'Bearer abc\n',
  ' Bearer abc',
])('%j carries no token', (value) => {
  expect(readBearerToken([value])).toBeUndefined();
});

test('an absent and a repeated header carry no token', () => {
  expect(readBearerToken(undefined)).toBeUndefined();
  expect(readBearerToken([])).toBeUndefined();
  expect(readBearerToken(['Bearer abc', 'Bearer abc'])).toBeUndefined();
});

const token = newCredentialText('token').text;
const secretKey = newCredentialText('secret-key').text;
const codes = (detail: readonly Sentence[]) => detail.map(({ code }) => code);

test.each<[string, string[] | undefined, string]>([
  ['no header', undefined, 'header_missing'],
  ['an empty header', [''], 'header_empty'],
  ['a repeated header', [`Bearer ${token}`, `Bearer ${token}`], 'header_repeated'],
  ['a token alone', [token], 'not_a_bearer'],
  ['another scheme', ['Basic dTpw'], 'not_a_bearer'],
])('%s gets the form of a bearer credential', (_, values, code) => {
  expect(codes(explainAuthorization(values))).toEqual([code, 'expect_token']);
});

test.each([secretKey, `Basic ${secretKey}`, `Bearer  ${secretKey}`])(
  'a secret key in Authorization is recognized',
  (value) => {
    expect(explainAuthorization([value])).toEqual([sentence('token_is_secret_key')]);
  },
);

test('a missing header is named', () => {
  expect(explainAuthorization(undefined)).toContainEqual(
    sentence('header_missing', { name: 'Authorization' }),
  );
  expect(explainSecretKey(undefined)).toContainEqual(sentence('header_missing', { name: 'Usersecretkey' }));
});

test('a token is explained by its form', () => {
  expect(explainToken(secretKey)).toEqual([sentence('token_is_secret_key')]);
  const length = token.length;
  for (const wrong of ['abc', token.slice(0, -1), `${token}0`, token.toUpperCase()])
    expect(explainToken(wrong)).toEqual([sentence('token_form', { length })]);
  expect(explainToken(token)).toEqual([sentence('token_unknown')]);
});

test('a secret key is explained by its form', () => {
  expect(codes(explainSecretKey(undefined))).toEqual(['header_missing', 'expect_secret_key']);
  expect(codes(explainSecretKey(['']))).toEqual(['header_empty', 'expect_secret_key']);
  expect(codes(explainSecretKey([secretKey, secretKey]))).toEqual(['header_repeated', 'expect_secret_key']);
  expect(explainSecretKey([token])).toEqual([sentence('secret_key_is_token')]);
  const length = secretKey.length;
  for (const wrong of ['secret', `Bearer ${secretKey}`, secretKey.slice(0, -1)])
    expect(explainSecretKey([wrong])).toEqual([sentence('secret_key_form', { length })]);
  expect(explainSecretKey([secretKey])).toEqual([sentence('secret_key_unknown')]);
});

test('no explanation repeats any part of a credential', () => {
  const values = [token, secretKey, `Bearer ${secretKey}`, `Basic ${token}`, 'my password'];
  for (const value of values) {
    const details = [explainAuthorization([value]), explainToken(value), explainSecretKey([value])];
    const params = details.flat().map((part) => part.params ?? {});
    for (const param of params)
      expect(Object.keys(param).filter((name) => !/^(name|count|length)$/.test(name))).toEqual([]);
  }
});

const domains = ['example.com', '*.wild.example', 'https://port.example:8443', 'localhost'].map((text) => {
  const domain = parseAllowedDomain(text);
  if (domain === undefined) throw new Error(`${text} is no allowed domain`);
  return domain;
});
const explain = (...values: string[]) => explainOrigin(values, domains);

test('an absent, empty or repeated Origin', () => {
  const expected = sentence('expect_origin');
  const name = 'Origin';
  expect(explainOrigin(undefined, domains)).toEqual([sentence('header_missing', { name }), expected]);
  expect(explain('')).toEqual([sentence('header_empty', { name }), expected]);
  expect(explain('https://a.example', 'https://b.example')).toEqual([
    sentence('header_repeated', { name, count: 2 }),
    expected,
  ]);
});

test('an Origin of null', () => {
  expect(explain('null')).toEqual([sentence('origin_null')]);
});

test.each([
  'https://example.com/',
  'https://example.com/jobs',
  'https://other.example//',
  'http://a.example:1/?x',
])('%s continues after the host', (value) => {
  expect(explain(value)).toEqual([sentence('origin_path', { value })]);
});

test.each([
  'example.com',
  'https:/example.com',
  'https://',
  'ftp://example.com',
  'https://example.com?x',
  'a b',
  '/',
])('%s is not an origin', (value) => {
  expect(explain(value)).toEqual([sentence('origin_form', { value })]);
});

test.each([
  ['http://example.com', 'https://example.com'],
  ['http://example.com:8080', 'https://example.com'],
  ['http://a.wild.example', 'https://a.wild.example'],
  ['http://port.example:8443', 'https://port.example:8443'],
])('%s has another scheme than %s', (value, allowed) => {
  expect(explain(value)).toEqual([sentence('origin_scheme', { value, allowed })]);
});

test.each([
  ['https://example.com:8443', 'https://example.com'],
  ['https://b.a.wild.example:1', 'https://b.a.wild.example'],
  ['https://port.example', 'https://port.example:8443'],
  ['https://localhost:3000', 'https://localhost'],
])('%s has another port than %s', (value, allowed) => {
  expect(explain(value)).toEqual([sentence('origin_port', { value, allowed })]);
});

test('the domain of a wildcard is not below itself', () => {
  expect(explain('https://wild.example')).toEqual([sentence('origin_apex', { host: 'wild.example' })]);
});

test('a subdomain of an allowed host is not allowed', () => {
  const value = 'https://www.example.com';
  expect(explain(value)).toEqual([sentence('origin_subdomain', { host: 'example.com', value })]);
});

test.each(['https://other.example', 'https://notexample.com', 'https://example.com.evil.example'])(
  '%s is unknown: no allowed domain is named',
  (value) => {
    expect(explain(value)).toEqual([sentence('origin_unknown', { value })]);
    expect(explainOrigin([value], [])).toEqual([sentence('origin_unknown', { value })]);
  },
);

test('a value is shown as the client wrote it, cut to 64 characters', () => {
  const received = (text: string) => Buffer.from(text).toString('latin1');
  expect(explain(received('https://bücher.example'))).toEqual([
    sentence('origin_unknown', { value: 'https://bücher.example' }),
  ]);
  const long = `https://${'a.'.repeat(2_000)}example`;
  expect(explain(long)).toEqual([sentence('origin_form', { value: `${long.slice(0, 64)}…` })]);
});

/** Calls with right credentials and these changes. */
async function check(changes: NodeJS.Dict<string[]>) {
  const refusals: unknown[] = [];
  const facts: RequestFacts = {};
  const authenticator: Authenticator = {
    authenticateToken: (text) =>
      Promise.resolve(
        text === 'sandbox'
          ? 'sandbox_only'
          : text === 'right'
            ? { accountId: 'Acme', tokenId: 't', allowedDomains: ['no domain', 'acme.example'] }
            : 'token_invalid',
      ),
    verifySecretKey: (_, key) =>
      Promise.resolve(
        key === 'sandbox' ? 'sandbox_only' : key === 'key' ? { secretKeyId: 'k' } : 'secret_key_invalid',
      ),
    recordUse: () => undefined,
    recordRefusal: (...ids) => refusals.push(ids),
  };
  const right = {
    authorization: ['Bearer right'],
    usersecretkey: ['key'],
    origin: ['https://acme.example'],
  };
  const result = await checkCredentials({ ...right, ...changes }, authenticator, facts);
  return { result, refusals, facts };
}

test.each([
  ['authorization', 'Bearer sandbox', 'token_invalid', 'token_of_sandbox', []],
  ['usersecretkey', 'sandbox', 'secret_key_invalid', 'secret_key_of_sandbox', [['t']]],
] as const)(
  'a live request with a sandbox credential in %s is refused with the reason',
  async (header, value, code, detail, recorded) => {
    const { result, refusals } = await check({ [header]: [value] });
    expect(result).toEqual({ code, detail: [sentence(detail)] });
    expect(refusals).toEqual(recorded);
  },
);

test('right credentials of an account and an allowed origin are accepted', async () => {
  const { result, refusals, facts } = await check({});
  expect(result).toEqual({
    accountId: 'Acme',
    tokenId: 't',
    secretKeyId: 'k',
    domain: 'acme.example',
    webOrigin: 'https://acme.example',
  });
  expect(refusals).toEqual([]);
  expect(facts).toStrictEqual({ accountId: 'Acme' });
});

test.each([[undefined], [['wrong']], [['key', 'key']]])(
  'the secret key %j is refused, and that is recorded for the token',
  async (values) => {
    const { result, refusals } = await check({ usersecretkey: values });
    expect(result).toEqual({ code: 'secret_key_invalid', detail: explainSecretKey(values) });
    expect(refusals).toEqual([['t']]);
  },
);

test.each([
  [undefined, undefined],
  [['https://other.example'], 'https://other.example'],
  [['https://acme.example', 'https://acme.example'], 'https://acme.example, https://acme.example'],
])('the origin %j is refused, and that is recorded for both credentials', async (values, origin) => {
  const { result, refusals, facts } = await check({ origin: values });
  const allowed = parseAllowedDomains(['acme.example']);
  expect(result).toEqual({ code: 'origin_not_allowed', detail: explainOrigin(values, allowed) });
  expect(refusals).toEqual([['t', 'k']]);
  expect(facts).toStrictEqual({ accountId: 'Acme', ...(origin !== undefined && { origin }) });
});
