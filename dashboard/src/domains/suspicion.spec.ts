import { expect, test } from '@jest/globals';
import { parseAllowedDomain } from '@jobs-delete/accounts/origins/allowed-domain';
import { suspicionOf } from './suspicion.ts';

function check(text: string) {
  const domain = parseAllowedDomain(text);
  if (domain === undefined) throw new Error(`${text} is no allowed domain`);
  return suspicionOf(domain);
}

test.each(['*.co.uk', '*.github.io', '*.com.br', '*.XN--55qx5d.cn', '*.s3.amazonaws.com', '*.foo.ck'])(
  'the base of %s is a public suffix',
  (text) => {
    expect(check(text)).toBe('public-suffix');
  },
);

test.each(['http://example.com', 'http://10.0.0.1:3000', 'http://localhost.example.com'])(
  '%s is not encrypted',
  (text) => {
    expect(check(text)).toBe('http');
  },
);

test.each([
  ...['*.example.com', '*.example.co.uk', '*.me.github.io', '*.shop.internal', '*.www.ck', 'github.io'],
  ...['localhost', 'localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:8080', 'http://app.localhost'],
  ...['example.com', 'https://example.com:8443'],
])('%s is not suspicious', (text) => {
  expect(check(text)).toBeUndefined();
});
