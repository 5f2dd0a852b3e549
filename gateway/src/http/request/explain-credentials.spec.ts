import { expect, test } from '@jest/globals';
import { newCredentialText } from '@jobs-delete/accounts/credentials/credential';
import { sentence, type Sentence } from '../../messages/sentences.ts';
import { explainAuthorization, explainSecretKey, explainToken } from './explain-credentials.ts';

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

test.each([secretKey, `Basic ${secretKey}`, `Bearer  "${secretKey}`.replace('"', '')])(
  'a secret key in Authorization is recognized',
  (value) => {
    expect(explainAuthorization([value])).toEqual([sentence('token_is_secret_key')]);
  },
);

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
