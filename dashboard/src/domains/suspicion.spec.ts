import { expect, test } from '@jest/globals';
import { parseAllowedDomain } from '@jobs-delete/accounts/origins/allowed-domain';
import { lookalikeOf, suspicionOf } from './suspicion.ts';

function parse(text: string) {
  const domain = parseAllowedDomain(text);
  if (domain === undefined) throw new Error(`${text} is no allowed domain`);
  return domain;
}
const check = (text: string) => suspicionOf(parse(text));

test.each(['*.co.uk', '*.github.io', '*.com.br', '*.XN--55qx5d.cn', '*.s3.amazonaws.com', '*.foo.ck'])(
  'the base of %s is a public suffix',
  (text) => {
    expect(check(text)).toBe('public-suffix');
  },
);

test.each(['com', 'https://com', 'http://co.uk', 'https://XN--55qx5d.cn:8443', 'foo.ck'])(
  '%s is the ending of other names',
  (text) => {
    expect(check(text)).toBe('ending');
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
  ...['intranet', 'http://localhost', 'www.ck', 'https://10.0.0.1:3000', 'https://[2001:db8::1]'],
  ...['localhost', 'localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:8080', 'http://app.localhost'],
  ...['example.com', 'https://example.com:8443'],
])('%s is not suspicious', (text) => {
  expect(check(text)).toBeUndefined();
});

// The letters are escaped: in the source, they would look like Latin ones.
test.each([
  ['Cyrillic \u0430 among Latin letters', 'p\u0430ypal.com', 'xn--pypal-4ve.com'],
  ['Greek \u03bf among Latin letters, below a wildcard', '*.g\u03bfogle.com', undefined],
  ['Cyrillic letters only, in an origin', 'https://\u0430\u0440\u0440\u04cf\u0435.com:8443', undefined],
  ['Greek letters only, with a digit', '\u03bf\u03bd\u03b91.example', undefined],
  ['Latin among Cyrillic letters below a Cyrillic domain', '\u043f\u043e\u0447ta.\u0440\u0444', undefined],
  ['Thai among Latin letters', 'shop\u0e01.example', undefined],
  ['one wrong label of several', 'www.b\u0430nk.example.com', undefined],
])('%s may pass for another name', (_, text, ascii) => {
  const found = lookalikeOf(parse(text));
  expect(found).toBeDefined();
  expect(text).toContain(found?.unicode);
  expect(found?.ascii).toMatch(/(?:^|\.)xn--/);
  if (ascii !== undefined) expect(found?.ascii).toBe(ascii);
});

test.each([
  ...['www.example.com', '*.example.co.uk', 'https://127.0.0.1:3000', 'http://[::1]:8080', 'localhost'],
  ...['m\u00fcnchen.example', 'stra\u00dfe.example', 'ni\u00f1o.example', '1-2.example'],
  ...[
    '\u043f\u043e\u0447\u0442\u0430.\u0440\u0444',
    '\u0445\u043e\u0440.\u0440\u0444',
    '\u043f\u043e\u0447\u0442\u0430.com',
  ],
  ...[
    '\u65e5\u672c\u8a9e.jp',
    'ab\u30c6\u30b9\u30c8\u6f22.jp',
    '\ud55c\uad6d.kr',
    '\u0645\u062b\u0627\u0644.example',
  ],
])('%s is what it seems', (text) => {
  expect(lookalikeOf(parse(text))).toBeUndefined();
});
