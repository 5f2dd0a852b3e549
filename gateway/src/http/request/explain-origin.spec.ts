import { expect, test } from '@jest/globals';
import { parseAllowedDomain } from '@jobs-delete/accounts/origins/allowed-domain';
import { sentence } from '../../messages/sentences.ts';
import { explainOrigin } from './explain-origin.ts';

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
