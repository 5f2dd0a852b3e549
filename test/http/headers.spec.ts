import { beforeAll, describe, expect, test } from '@jest/globals';
import { useService } from '../harness/use-service.ts';
import { createClient, expectAccepted, expectProblem, type Client } from './client.ts';
import type { Code } from './contract.ts';

const service = useService();
let client: Client;
let other: Client;
let jobIds: string[];
beforeAll(async () => {
  client = await createClient(service, 'headers');
  other = await createClient(service, 'other');
  jobIds = await client.newJobs(2);
});

type Header = string | readonly string[] | undefined;

/** Sandbox calls: all tests can use the same jobs. */
const callWith = (name: string, value: Header, format: 'json' | 'xml' = 'json') =>
  client.call({ format, sandbox: true, jobIds, headers: { [name]: value } });

const utf8 = (text: string) => Buffer.from(text).toString('latin1');

describe('a missing header', () => {
  test.each<[string, Code]>([
    ['Authorization', 'authentication_required'],
    ['Usersecretkey', 'secret_key_invalid'],
    ['Origin', 'origin_not_allowed'],
    ['Content-Type', 'header_invalid'],
    ['Accept-Language', 'header_invalid'],
    ['User-Agent', 'header_invalid'],
    ['X-Client-Lang', 'header_invalid'],
  ])('%s', async (header, code) => {
    for (const format of ['json', 'xml'] as const)
      for (const sandbox of [false, true]) {
        const answer = await client.call({ format, sandbox, jobIds, headers: { [header]: undefined } });
        const language = header === 'Accept-Language' ? 'fr' : 'en';
        const problem = expectProblem(answer, code, { language, header });
        if (code === 'header_invalid') expect(problem.errors).toMatchObject([{ header, code }]);
        expect(answer.headers.sandbox).toBe(sandbox ? 'true' : undefined);
      }
  });

  test('all missing headers are named, in the order of the table', async () => {
    const headers = {
      'User-Agent': undefined,
      'Content-Type': undefined,
      'X-Client-Lang': '',
      'Accept-Language': undefined,
    };
    const answer = await client.call({ jobIds, headers });
    const problem = expectProblem(answer, 'header_invalid', { language: 'fr', header: 'Content-Type' });
    const named = ['Content-Type', 'Accept-Language', 'User-Agent', 'X-Client-Lang'];
    expect(problem.errors?.map(({ header }) => header)).toEqual(named);
  });
});

describe('a repeated header', () => {
  const same = (value: string): [string, string] => [value, value];
  test.each<[string, () => readonly [string, string], Code]>([
    ['Authorization', () => same(`Bearer ${client.account.token}`), 'authentication_required'],
    ['Usersecretkey', () => same(client.account.secretKey), 'secret_key_invalid'],
    ['Usersecretkey', () => [client.account.secretKey, other.account.secretKey], 'secret_key_invalid'],
    ['Origin', () => same(client.account.origin), 'origin_not_allowed'],
    ['Origin', () => [client.account.origin, other.account.origin], 'origin_not_allowed'],
    ['Content-Type', () => same('application/json'), 'header_invalid'],
    ['User-Agent', () => same('tests/1.0'), 'header_invalid'],
    ['X-Client-Lang', () => same('PHP'), 'header_invalid'],
    ['Idempotency-Key', () => same('key'), 'header_invalid'],
  ])('%s is refused like a wrong one', async (header, values, code) => {
    expectProblem(await callWith(header, values()), code, { header });
  });

  test('Accept-Language is one list', async () => {
    const answer = await callWith('Accept-Language', ['de', 'es;q=0.9, fr;q=0.1']);
    expect(answer.headers['content-language']).toBe('es');
    expectAccepted(answer, jobIds, true);
  });
});

describe('Authorization', () => {
  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('the scheme %s is accepted', async (scheme) => {
    expectAccepted(await callWith('Authorization', `${scheme} ${client.account.token}`), jobIds, true);
  });

  test.each<[string, () => string]>([
    ['empty', () => ''],
    ['the scheme alone', () => 'Bearer'],
    ['the token alone', () => client.account.token],
    ['another scheme', () => `Basic ${client.account.token}`],
    ['a scheme that only begins so', () => `Bearers ${client.account.token}`],
    ['two tokens', () => `Bearer ${client.account.token} ${client.account.token}`],
    ['a list', () => `Bearer ${client.account.token}, Bearer ${client.account.token}`],
    ['a parameter', () => `Bearer token=${client.account.token}`],
    ['a quoted token', () => `Bearer "${client.account.token}"`],
    ['no space', () => `Bearer${client.account.token}`],
    ['a colon', () => `Bearer: ${client.account.token}`],
    ['not ASCII', () => `Bearer ${utf8('é')}`],
  ])('%s is not a bearer credential', async (_, value) => {
    expectProblem(await callWith('Authorization', value()), 'authentication_required');
  });

  test.each<[string, (token: string) => string]>([
    ['an unknown token', () => `jdt_${'0'.repeat(24)}_${'0'.repeat(64)}`],
    ['a token of no known form', () => 'abc'],
    ['a token with one character changed', (token) => token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')],
    ['a token cut short', (token) => token.slice(0, -1)],
    ['a token with more after it', (token) => `${token}0`],
    ['a token in upper case', (token) => token.toUpperCase()],
    ['the secret key', () => client.account.secretKey],
    ['a token with another one’s secret part', (token) => token.slice(0, 29) + other.account.token.slice(29)],
  ])('%s is an invalid token', async (_, change) => {
    const value = `Bearer ${change(client.account.token)}`;
    expectProblem(await callWith('Authorization', value), 'token_invalid');
  });
});

describe('Usersecretkey', () => {
  test.each<[string, (key: string) => string]>([
    ['an empty one', () => ''],
    ['an unknown one', () => `jds_${'0'.repeat(24)}_${'0'.repeat(64)}`],
    ['one of no known form', () => 'secret'],
    ['the token', () => client.account.token],
    ['one with a character changed', (key) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')],
    ['another account’s', () => other.account.secretKey],
    ['a bearer credential', (key) => `Bearer ${key}`],
    ['a list', (key) => `${key}, ${key}`],
  ])('%s is refused', async (_, change) => {
    expectProblem(await callWith('Usersecretkey', change(client.account.secretKey)), 'secret_key_invalid');
  });
});

describe('Content-Type', () => {
  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json ; charset="utf-8"',
    'application/json; profile="a;b"; CHARSET=Utf-8',
    'application/json; version=1',
  ])('%s is accepted', async (value) => {
    expectAccepted(await callWith('Content-Type', value), jobIds, true);
    const xml = value.replace(/json/i, 'xml');
    expectAccepted(await callWith('Content-Type', xml, 'xml'), jobIds, true);
  });

  test.each([
    '',
    'json',
    'text/json',
    'application/xml',
    'application/json5',
    'application/problem+json',
    'application/*',
    '*/*',
    'application/json, application/json',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json; charset=utf8',
    'application/json; charset=""',
    'application/json; charset=utf-8; charset=latin1',
    'application/json charset=utf-8',
    'application/json; charset',
    'text/plain; application/json',
  ])('%j is refused for JSON', async (value) => {
    expectProblem(await callWith('Content-Type', value), 'header_invalid', { header: 'Content-Type' });
  });

  test.each(['text/xml', 'application/json', 'application/xhtml+xml', 'application/xml; charset=iso-8859-1'])(
    '%j is refused for XML',
    async (value) => {
      expectProblem(await callWith('Content-Type', value, 'xml'), 'header_invalid', {
        header: 'Content-Type',
      });
    },
  );
});

describe('User-Agent', () => {
  test.each([
    'a/1',
    'my-client/1.0.3-beta+5',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)',
    'client/2 a comment with ünïcode',
  ])('%j is accepted', async (value) => {
    expectAccepted(await callWith('User-Agent', value), jobIds, true);
  });

  test.each([
    '',
    'client',
    'client/',
    '/1.0',
    'client 1.0',
    '(a comment) client/1.0',
    'client/ 1.0',
    'my client/1.0',
  ])('%j is refused', async (value) => {
    expectProblem(await callWith('User-Agent', value), 'header_invalid', { header: 'User-Agent' });
  });
});

describe('X-Client-Lang', () => {
  test.each([
    'PHP',
    'C#',
    'C++',
    'Visual Basic .NET',
    'x',
    'y'.repeat(64),
    utf8('Язык 1.0'),
    utf8('é'.repeat(64)),
  ])('%j is accepted', async (value) => {
    expectAccepted(await callWith('X-Client-Lang', value), jobIds, true);
  });

  test.each(['', ' ', 'y'.repeat(65), 'P\tHP', utf8('é'.repeat(65)), 'P\x85HP', utf8('P\u200bHP')])(
    '%j is refused',
    async (value) => {
      expectProblem(await callWith('X-Client-Lang', value), 'header_invalid', { header: 'X-Client-Lang' });
    },
  );
});

describe('Content-Encoding', () => {
  test.each(['identity', 'Identity'])('%s is accepted', async (value) => {
    expectAccepted(await callWith('Content-Encoding', value), jobIds, true);
  });

  test.each(['gzip', 'br', 'identity, gzip', 'deflate', 'x-unknown', 'aws-chunked'])(
    '%s is refused',
    async (value) => {
      const answer = await callWith('Content-Encoding', value);
      expectProblem(answer, 'header_invalid', { header: 'Content-Encoding' });
    },
  );
});

test('header names may be in any letter case', async () => {
  const { token, secretKey, origin } = client.account;
  const shouted = {
    AUTHORIZATION: `Bearer ${token}`,
    USERSECRETKEY: secretKey,
    ORIGIN: origin,
    'x-client-lang': 'Go',
  };
  const gone = {
    Authorization: undefined,
    Usersecretkey: undefined,
    Origin: undefined,
    'X-Client-Lang': undefined,
  };
  expectAccepted(
    await client.call({ sandbox: true, jobIds, headers: { ...gone, ...shouted } }),
    jobIds,
    true,
  );
});

test('credentials in any other place are ignored', async () => {
  const { token, secretKey } = client.account;
  const path = `/v1/json/jobs-delete?access_token=${token}&Usersecretkey=${secretKey}`;
  const headers = {
    Authorization: undefined,
    'X-Authorization': `Bearer ${token}`,
    Cookie: `token=${token}`,
  };
  expectProblem(await client.call({ path, jobIds, headers }), 'authentication_required');
  const noKey = { Usersecretkey: undefined, 'User-Secret-Key': secretKey };
  expectProblem(await client.call({ path, jobIds, headers: noKey }), 'secret_key_invalid');
});
