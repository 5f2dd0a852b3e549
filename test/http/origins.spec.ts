import { beforeAll, describe, expect, test } from '@jest/globals';
import { useService } from '../harness/use-service.ts';
import { createClient, expectAccepted, expectProblem, type Client } from './client.ts';

const service = useService();

const utf8 = (text: string) => Buffer.from(text).toString('latin1');

interface Case {
  readonly domains: readonly string[];
  readonly allowed: readonly string[];
  readonly refused: readonly string[];
}

const cases: Readonly<Record<string, Case>> = {
  host: {
    domains: ['example.com'],
    allowed: ['https://example.com', 'https://EXAMPLE.com', 'HTTPS://Example.Com', 'https://example.com:443'],
    refused: [
      'http://example.com',
      'https://example.com:8443',
      'https://example.com:80',
      'https://www.example.com',
      'https://notexample.com',
      'https://example.com.evil.example',
      'https://evil.example/example.com',
      'https://example.com@evil.example',
      'https://evil.example#example.com',
      'https://evil.example?example.com',
      'https://evil.example\\example.com',
      'https://example',
      'https://example.co',
      'https://example.com/',
      'https://example.com//',
      'https://example.com/path',
      'https://example.com?',
      'https://example.com?q',
      'https://example.com#',
      'https://example.com.',
      'https://example.com..',
      'https://.example.com',
      'https://user@example.com',
      'https://user:password@example.com',
      'https://@example.com',
      'https:\\\\example.com',
      'https:/example.com',
      'https:example.com',
      'https:///example.com',
      '//example.com',
      'example.com',
      'https://',
      'https://example.com:',
      'https://example.com:65536',
      'https://example.com:-1',
      'https://example.com:port',
      'https://exam ple.com',
      'https://example.com https://example.com',
      'https://example.com, https://example.com',
      'https://example.com,',
      'https://%65xample.com',
      'https://exa\tmple.com',
      'https://*.com',
      'https://*',
      'wss://example.com',
      'ftp://example.com',
      'file://example.com',
      'chrome-extension://example.com',
      'null',
      'NULL',
      'https://null',
      '*',
      '',
      '<https://example.com>',
      '"https://example.com"',
      utf8('https://ｅxample.com'),
      utf8('https://еxample.com'),
      `https://example.com${'/'.repeat(4_000)}`,
      `https://${'a.'.repeat(4_000)}example.com`,
    ],
  },
  'host with a port': {
    domains: ['example.com:8443'],
    allowed: ['https://example.com:8443'],
    refused: [
      'https://example.com',
      'http://example.com:8443',
      'https://example.com:8444',
      'https://example.com:443',
    ],
  },
  origin: {
    domains: ['https://example.com:8443', 'http://plain.example'],
    allowed: [
      'https://example.com:8443',
      'https://EXAMPLE.COM:8443',
      'http://plain.example',
      'http://plain.example:80',
    ],
    refused: [
      'https://example.com',
      'https://example.com:443',
      'http://example.com:8443',
      'https://plain.example',
      'http://plain.example:443',
    ],
  },
  wildcard: {
    domains: ['*.example.com'],
    allowed: [
      'https://a.example.com',
      'https://a.b.c.example.com',
      'https://A.Example.Com:443',
      'https://x-1.example.com',
    ],
    refused: [
      'https://example.com',
      'https://.example.com',
      'https://a..example.com',
      'https://notexample.com',
      'https://a.notexample.com',
      'https://a.example.com.evil.example',
      'https://a.example.com.',
      'https://a.example.com/',
      'http://a.example.com',
      'https://a.example.com:8443',
      'https://*.example.com',
    ],
  },
  localhost: {
    domains: ['localhost'],
    allowed: ['https://localhost', 'http://localhost', 'http://LOCALHOST:80', 'https://localhost:443'],
    refused: [
      'http://localhost.evil.example',
      'http://a.localhost',
      'http://127.0.0.1',
      'http://[::1]',
      'ftp://localhost',
    ],
  },
  'localhost with a port': {
    domains: ['localhost:3000'],
    allowed: ['http://localhost:3000', 'https://localhost:3000'],
    refused: ['http://localhost', 'https://localhost', 'http://localhost:3001'],
  },
  address: {
    domains: ['http://127.0.0.1:3000', 'https://[2001:db8::1]'],
    allowed: ['http://127.0.0.1:3000', 'https://[2001:db8::1]', 'https://[2001:DB8::1]'],
    refused: [
      'http://127.1:3000',
      'http://2130706433:3000',
      'http://0x7f.0.0.1:3000',
      'http://127.0.0.1',
      'https://2001:db8::1',
    ],
  },
  'internationalized name': {
    domains: ['xn--bcher-kva.example'],
    allowed: [
      'https://xn--bcher-kva.example',
      'https://XN--BCHER-KVA.example',
      utf8('https://bücher.example'),
      utf8('https://BÜCHER.example'),
    ],
    refused: ['https://bucher.example', utf8('https://bûcher.example'), 'https://b%C3%BCcher.example'],
  },
  'several domains': {
    domains: ['one.example', '*.two.example', 'https://three.example:444'],
    allowed: ['https://one.example', 'https://a.two.example', 'https://three.example:444'],
    refused: [
      'https://a.one.example',
      'https://two.example',
      'https://three.example',
      'https://four.example',
    ],
  },
  'no domain at all': {
    domains: [],
    allowed: [],
    refused: ['https://example.com', 'null', '', 'https://undefined'],
  },
};

describe.each(Object.entries(cases))('an account with %s', (name, { domains, allowed, refused }) => {
  let client: Client;
  let jobIds: string[];
  beforeAll(async () => {
    const accountId = name.replaceAll(' ', '-');
    client = await createClient(service, accountId);
    jobIds = await client.newJobs(1);
    await service.operator.accounts.removeDomain(accountId, client.account.origin);
    for (const domain of domains) await service.operator.accounts.allowDomain(accountId, domain);
  });

  if (allowed.length > 0)
    test.each(allowed)('may be used from %j', async (Origin) => {
      expectAccepted(await client.call({ sandbox: true, jobIds, headers: { Origin } }), jobIds, true);
    });

  test.each(refused)('may not be used from %j', async (Origin) => {
    const answer = await client.call({ sandbox: true, jobIds, headers: { Origin } });
    expectProblem(answer, 'origin_not_allowed');
  });
});

test('a Referer and a forwarded origin are ignored', async () => {
  const client = await createClient(service, 'referer');
  const { origin } = client.account;
  const headers = {
    Origin: 'https://evil.example',
    Referer: `${origin}/`,
    'X-Forwarded-Host': new URL(origin).host,
  };
  expectProblem(await client.call({ headers }), 'origin_not_allowed');
  expect(
    expectProblem(await client.call({ headers: { ...headers, Origin: undefined } }), 'origin_not_allowed'),
  ).toBeDefined();
});
