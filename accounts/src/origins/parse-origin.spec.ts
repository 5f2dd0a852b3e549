import { describe, expect, test } from '@jest/globals';
import { parseOrigin } from './allowed-domain.ts';

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

  test('text longer than any origin is refused', () => {
    expect(parseOrigin(`https://${'a.'.repeat(1_000_000)}com`)).toBeUndefined();
  });
});
