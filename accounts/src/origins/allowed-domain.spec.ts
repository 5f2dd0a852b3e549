import { describe, expect, test } from '@jest/globals';
import { domainsOf } from './domains.fixture.ts';
import {
  exampleOrigin,
  matchingDomain,
  originMatches,
  parseAllowedDomain,
  parseNewDomain,
  parseOrigin,
} from './allowed-domain.ts';

function matches(origin: string, ...allowed: string[]): boolean {
  return originMatches(origin, domainsOf(allowed));
}

describe('an allowed host', () => {
  test('means https on the default port', () => {
    expect(matches('https://example.com', 'example.com')).toBe(true);
    expect(matches('https://EXAMPLE.com:443', 'Example.com')).toBe(true);
    expect(matches('http://example.com', 'example.com')).toBe(false);
    expect(matches('https://example.com:8443', 'example.com')).toBe(false);
    expect(matches('https://www.example.com', 'example.com')).toBe(false);
  });

  test('with a port allows this port only', () => {
    expect(matches('https://example.com:8443', 'example.com:8443')).toBe(true);
    expect(matches('https://example.com', 'example.com:8443')).toBe(false);
    expect(matches('https://example.com', 'example.com:443')).toBe(true);
  });

  test('also means http if it is localhost, with or without a port', () => {
    expect(matches('http://localhost', 'localhost')).toBe(true);
    expect(matches('https://localhost', 'localhost')).toBe(true);
    expect(matches('http://localhost:3000', 'localhost')).toBe(false);
    expect(matches('http://localhost:3000', 'localhost:3000')).toBe(true);
    expect(matches('http://localhost:443', 'localhost:443')).toBe(true);
    expect(matches('http://localhost', 'localhost:443')).toBe(false);
    expect(matches('http://localhost.example.com', 'localhost')).toBe(false);
    expect(matches('http://127.0.0.1', 'localhost')).toBe(false);
  });

  test('is compared in punycode, for headers in punycode and in UTF-8', () => {
    const received = Buffer.from('https://bücher.example', 'utf8').toString('latin1');
    for (const allowed of ['bücher.example', 'BÜCHER.example', 'xn--bcher-kva.example']) {
      expect(matches('https://xn--bcher-kva.example', allowed)).toBe(true);
      expect(matches(received, allowed)).toBe(true);
      expect(matches('https://bucher.example', allowed)).toBe(false);
    }
    // A text that is no header.
    expect(matches('https://żaba.example', 'żaba.example')).toBe(true);
  });
});

describe('an allowed origin', () => {
  test('means its own scheme and port', () => {
    expect(matches('https://example.com:8443', 'https://example.com:8443')).toBe(true);
    expect(matches('http://example.com:8443', 'https://example.com:8443')).toBe(false);
    expect(matches('http://localhost:3000', 'http://localhost:3000')).toBe(true);
    expect(matches('https://localhost:3000', 'http://localhost:3000')).toBe(false);
    expect(matches('https://example.com', 'HTTPS://EXAMPLE.COM:443')).toBe(true);
    expect(matches('http://[::1]:3000', 'http://[::1]:3000')).toBe(true);
  });
});

describe('an allowed wildcard', () => {
  test('means one or more labels before its base, with https on the default port', () => {
    expect(matches('https://a.example.com', '*.example.com')).toBe(true);
    expect(matches('https://b.a.Example.com:443', '*.example.com')).toBe(true);
    expect(matches('https://example.com', '*.example.com')).toBe(false);
    expect(matches('http://a.example.com', '*.example.com')).toBe(false);
    expect(matches('https://a.example.com:8443', '*.example.com')).toBe(false);
    expect(matches('https://.example.com', '*.example.com')).toBe(false);
    expect(matches('https://a..example.com', '*.example.com')).toBe(false);
    expect(matches('https://xn--bcher-kva.bücher.example', '*.bücher.example')).toBe(true);
  });
});

test.each([
  'https://evilexample.com',
  'https://example.com.evil.net',
  'https://example.com%2eevil.net',
  'https://example.com@evil.net',
  'https://evil.net#example.com',
  'https://evil.net?.example.com',
  'https://evil.net/.example.com',
  'https://evil.net\\.example.com',
  'https://a.example.com.',
  'https://a.example.com/',
  'https://example.com/',
  'https://example.com.',
  'https://example.com https://evil.net',
  'https://example.com,https://evil.net',
  'https://ex\u0430mple.com',
  'null',
  '',
  '*',
  'https://*.example.com',
])('%j is neither example.com nor below it', (origin) => {
  expect(matches(origin, 'example.com', '*.example.com')).toBe(false);
});

test('one matching domain is enough, and an empty list allows no origin', () => {
  expect(matches('https://b.example', 'a.example', 'b.example')).toBe(true);
  expect(matches('https://b.example')).toBe(false);
});

describe('parseAllowedDomain', () => {
  test.each([
    ['Example.COM', 'example.com'],
    ['example.com:443', 'example.com'],
    ['example.com:8443', 'example.com:8443'],
    ['LOCALHOST:443', 'localhost:443'],
    ['Bücher.example', 'xn--bcher-kva.example'],
    ['HTTPS://Example.com:443', 'https://example.com'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['*.Example.com', '*.example.com'],
    ['intranet', 'intranet'],
  ])('%s has the canonical spelling %s, which parses to the same domain', (text, canonical) => {
    const domain = parseAllowedDomain(text);
    expect(domain?.text).toBe(canonical);
    expect(parseAllowedDomain(canonical)).toEqual(domain);
  });

  test.each([
    '',
    ' ',
    '*',
    '*.',
    '*.com',
    '*.localhost',
    '*.127.0.0.1',
    '*.[::1]',
    '*.*.example.com',
    'a.*.example.com',
    '*example.com',
    '*.example.com:8443',
    '*.example.com:443',
    '*.example.com.',
    'https://*.example.com',
    'null',
    'example.com.',
    '.example.com',
    'a..example.com',
    'example.com/',
    'example.com/path',
    'https://example.com/',
    'ftp://example.com',
    '//example.com',
    'user@example.com',
    'example.com:0',
    'example.com:99999',
    'example.com, example.net',
    ' example.com',
    'example.com\n',
    '127.1',
  ])('%j is not valid', (text) => {
    expect(parseAllowedDomain(text)).toBeUndefined();
  });
});

test.each([
  ['a-b.example', true],
  ['*.a-b.example', true],
  ['-a.example', false],
  ['a-.example', false],
  ['www.-a.example', false],
  ['https://a.b-.example', false],
  ['*.a-.example', false],
  ['*.-a.example', false],
  ['example.com/', false],
])('%s may be allowed anew: %p', (text, isValid) => {
  expect(parseNewDomain(text)).toEqual(isValid ? parseAllowedDomain(text) : undefined);
});

test.each([
  ['shop.example', 'https://shop.example'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['*.shop.example', 'https://www.shop.example'],
])('an origin of the domain %s is %s', (text, origin) => {
  const domain = parseAllowedDomain(text);
  expect(domain && exampleOrigin(domain)).toBe(origin);
});

describe('parseOrigin', () => {
  test.each([
    ['https://example.com', 'https://example.com'],
    ['HTTPS://Example.COM:443', 'https://example.com'],
    ['http://example.com:80', 'http://example.com'],
    ['http://example.com:443', 'http://example.com:443'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://XN--BCHER-KVA.example', 'https://xn--bcher-kva.example'],
    ['https://a_b.example', 'https://a_b.example'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('%s is the origin %s', (text, origin) => {
    expect(parseOrigin(text)?.origin).toBe(origin);
  });

  test('stays correct for a non-ASCII domain name after many calls', () => {
    const wrong = Array.from({ length: 50_000 }, () => parseOrigin('https://bücher.example')?.origin).filter(
      (origin) => origin !== 'https://xn--bcher-kva.example',
    );
    expect(wrong).toEqual([]);
  });

  test.each([
    '',
    'null',
    'example.com',
    '//example.com',
    'https:example.com',
    'https:/example.com',
    'https:///example.com',
    'ftp://example.com',
    'wss://example.com',
    'file://',
    'https://',
    'https://.',
    'https://example.com/',
    'https://example.com/path',
    'https://example.com?',
    'https://example.com#',
    'https://example.com.',
    'https://.example.com',
    'https://a..example.com',
    'https://user@example.com',
    'https://user:pass@example.com',
    'https://@example.com',
    'https://example.com:',
    'https://example.com:0',
    'https://example.com:0443',
    'https://example.com:65536',
    'https://example.com:+443',
    'https://example.com\\',
    'https:\\\\example.com',
    ' https://example.com',
    'https://example.com ',
    'https://exam\tple.com',
    'https://example.com\n',
    'https://example.com, https://example.com',
    'https://example.com https://example.com',
    'https://example.com%2eevil.net',
    'https://*.example.com',
    'https://xn--a.example',
    'https://xn--',
  ])('%j is no origin', (text) => {
    expect(parseOrigin(text)).toBeUndefined();
  });

  test.each([
    'http://0x7f.1',
    'http://2130706433',
    'http://127.1',
    'http://0177.0.0.1',
    'http://[0:0:0:0:0:0:0:1]',
    'http://[::ffff:127.0.0.1]',
    'http://１２７.0.0.1',
    'https://ｅxample.com',
    'https://example。com',
    'https://exam\u00adple.com',
    'https://\u212aelvin.example',
  ])('%j is a spelling of a host that no browser sends', (text) => {
    expect(parseOrigin(text)).toBeUndefined();
  });

  test('a host that is no host in punycode is refused', () => {
    expect(parseOrigin('https://ü\uff1d.example')).toBeUndefined();
  });

  test('a host that is too long in punycode is refused', () => {
    const labels = Array.from({ length: 50 }, () => 'é').join('.');
    expect(parseOrigin(`https://${labels.slice(0, -2)}`)).toBeUndefined();
    expect(parseOrigin(`https://${'é.'.repeat(20)}example`)).toBeDefined();
    const longest = `${'a.'.repeat(123)}example`;
    expect(longest).toHaveLength(253);
    expect(parseOrigin(`https://${longest}`)).toBeDefined();
    expect(parseOrigin(`https://b${longest}`)).toBeUndefined();
  });

  test('text longer than any origin is refused', () => {
    expect(parseOrigin(`https://${'a.'.repeat(1_000_000)}com`)).toBeUndefined();
  });
});

test.each([
  ['https://www.example.com', 'www.example.com'],
  ['https://WWW.example.com', 'www.example.com'],
  ['https://other.example.com', '*.example.com'],
  ['https://other.example', undefined],
])('%s belongs to the entry %s, an exact one before a wildcard', (origin, text) => {
  const domains = ['*.example.com', 'www.example.com'].flatMap((each) => parseAllowedDomain(each) ?? []);
  expect(matchingDomain(origin, domains)?.text).toBe(text);
});
