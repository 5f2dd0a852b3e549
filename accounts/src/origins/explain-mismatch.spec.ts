import { describe, expect, test } from '@jest/globals';
import { explainMismatch, originMatches } from './allowed-domain.ts';
import { domainsOf } from './domains.fixture.ts';

describe('explainMismatch', () => {
  const domains = domainsOf([
    'shop.example',
    '*.wild.example',
    'http://plain.example:8080',
    'localhost:3000',
  ]);
  test.each([
    ['null', { kind: 'null' }],
    ['https://shop.example/', { kind: 'path' }],
    ['https://shop.example/jobs', { kind: 'path' }],
    ['shop.example', { kind: 'form' }],
    ['shop.example/jobs', { kind: 'form' }],
    ['https://shop.example?a', { kind: 'form' }],
    ['https://user@shop.example/jobs', { kind: 'form' }],
    ['http://shop.example', { kind: 'scheme', allowed: 'https://shop.example' }],
    ['https://shop.example:8443', { kind: 'port', allowed: 'https://shop.example' }],
    ['http://a.wild.example', { kind: 'scheme', allowed: 'https://a.wild.example' }],
    ['https://a.wild.example:8443', { kind: 'port', allowed: 'https://a.wild.example' }],
    ['http://plain.example', { kind: 'port', allowed: 'http://plain.example:8080' }],
    ['https://plain.example:8080', { kind: 'scheme', allowed: 'http://plain.example:8080' }],
    ['https://localhost', { kind: 'port', allowed: 'https://localhost:3000' }],
    ['https://wild.example', { kind: 'apex', host: 'wild.example' }],
    ['https://www.shop.example', { kind: 'subdomain', host: 'shop.example' }],
    ['https://a.b.plain.example', { kind: 'subdomain', host: 'plain.example' }],
    ['https://myshop.example', { kind: 'unknown' }],
    ['https://mywild.example', { kind: 'unknown' }],
    ['https://example', { kind: 'unknown' }],
  ] as const)('%s: %j', (origin, mismatch) => {
    expect(originMatches(origin, domains)).toBe(false);
    expect(explainMismatch(origin, domains)).toEqual(mismatch);
  });

  test.each([
    [['shop.example', '*.www.shop.example', 'www.shop.example:81'], 'port'],
    [['shop.example', '*.www.shop.example'], 'apex'],
  ])('of several near misses, %j, names the nearest', (texts, kind) => {
    for (const some of [texts, texts.toReversed()])
      expect(explainMismatch('https://www.shop.example', domainsOf(some))).toMatchObject({ kind });
  });
});
