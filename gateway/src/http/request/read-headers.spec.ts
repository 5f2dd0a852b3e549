import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sentence } from '../../messages/messages.ts';
import { isRefusal } from '../answer/refusal.ts';
import {
  asciiTechnologyPattern,
  commonLanguagesPattern,
  explainHeader,
  idempotencyKeyPattern,
  readHeaders,
} from './read-headers.ts';
import { readLanguage } from './read-language.ts';

type Distinct = NodeJS.Dict<string[]>;

const good: Distinct = {
  'content-type': ['application/json'],
  'accept-language': ['en'],
  'user-agent': ['acme-client/1.0'],
  'x-client-lang': ['PHP'],
};

function wrongHeaders(
  changes: Distinct,
  mediaType: 'application/json' | 'application/xml' = 'application/json',
) {
  const result = readHeaders({ ...good, ...changes }, mediaType);
  return isRefusal(result) ? (result.errors ?? []).map(({ header }) => header) : [];
}

describe('readHeaders', () => {
  test('returns the values of valid headers', () => {
    expect(readHeaders(good, 'application/json')).toEqual({
      userAgent: 'acme-client/1.0',
      clientTechnology: 'PHP',
      language: 'en',
    });
  });

  test('names every wrong header, in the order of the documentation', () => {
    const result = readHeaders(
      { 'content-encoding': ['gzip'], 'idempotency-key': [''], 'user-agent': ['curl'] },
      'application/json',
    );
    const names = [
      'Content-Type',
      'Content-Encoding',
      'Accept-Language',
      'User-Agent',
      'X-Client-Lang',
      'Idempotency-Key',
    ];
    const errors = names.map((header) => ({ code: 'header_invalid', header, detail: expect.anything() }));
    expect(result).toEqual({ code: 'header_invalid', header: 'Content-Type', errors });
    const shown = sentence('value_wrong', { value: 'curl' });
    expect(result).toHaveProperty('errors.3.detail.0', shown);
  });

  test.each(['content-type', 'user-agent', 'x-client-lang'])('%s may not be repeated', (name) => {
    expect(wrongHeaders({ [name]: [...(good[name] ?? []), ...(good[name] ?? [])] })).toHaveLength(1);
  });
});

describe('Content-Type', () => {
  test.each([
    'application/json',
    'APPLICATION/Json',
    'application/json;charset=utf-8',
    'application/json ; charset="UTF-8"; v=1',
    'application/json;',
  ])('%s is accepted', (value) => {
    expect(wrongHeaders({ 'content-type': [value] })).toEqual([]);
  });

  test.each([
    '',
    'text/json',
    'application/xml',
    'application/json5',
    'application/json, application/json',
    'application/json; charset=latin1',
    'application/json; charset=utf8',
    'application/json; charset=""',
    'application/json; charset=utf-8; charset=utf-8',
    'application/json; charset',
  ])('%s is refused', (value) => {
    expect(wrongHeaders({ 'content-type': [value] })).toEqual(['Content-Type']);
  });

  test('each endpoint accepts only its own format', () => {
    expect(wrongHeaders({ 'content-type': ['application/xml'] }, 'application/xml')).toEqual([]);
    expect(wrongHeaders({}, 'application/xml')).toEqual(['Content-Type']);
  });
});

describe('Content-Encoding', () => {
  test.each([[['identity']], [['Identity, identity']], [['']]])('%j is accepted', (values) => {
    expect(wrongHeaders({ 'content-encoding': values })).toEqual([]);
  });

  test.each([[['gzip']], [['identity, br']], [['identity', 'gzip']], [['identityx']], [['\u00a0identity']]])(
    '%j is refused',
    (values) => {
      expect(wrongHeaders({ 'content-encoding': values })).toEqual(['Content-Encoding']);
    },
  );
});

test('a repeated Accept-Language is one list', () => {
  const result = readHeaders({ ...good, 'accept-language': ['es;q=0.5', 'fr'] }, 'application/json');
  expect(result).toMatchObject({ language: 'fr' });
});

describe('User-Agent', () => {
  test.each(['curl/8.5.0', 'my_client/v1-beta+3', 'Mozilla/5.0 (X11; Linux) Gecko/2010', 'a/1\tb', 'a/1 é'])(
    '%s starts with a name and a version',
    (value) => {
      expect(wrongHeaders({ 'user-agent': [value] })).toEqual([]);
    },
  );

  test.each([
    '',
    'curl',
    'curl/',
    '/1.0',
    ' curl/1',
    'my client/1.0',
    'a/b/c',
    'a/1(x)',
    'a/1 \u0007',
    'a/1\n',
  ])('%j does not start with them', (value) => {
    expect(wrongHeaders({ 'user-agent': [value] })).toEqual(['User-Agent']);
  });
});

describe('X-Client-Lang', () => {
  /** Returns the header value that node:http gives for a client that sends UTF-8. */
  const received = (value: string) => Buffer.from(value, 'utf8').toString('latin1');

  test.each([
    'C',
    'C#',
    'C++',
    'Visual Basic .NET',
    'x'.repeat(64),
    'Ü'.repeat(64),
    '易语言',
    '🐍'.repeat(64),
  ])('%s is accepted and returned as the client wrote it', (value) => {
    const result = readHeaders({ ...good, 'x-client-lang': [received(value)] }, 'application/json');
    expect(result).toMatchObject({ clientTechnology: value });
  });

  test.each([
    '',
    ' ',
    '\u3000',
    'x'.repeat(65),
    'Ü'.repeat(65),
    'PHP\t8',
    'PHP\u0000',
    'PHP\u007f',
    'a\u202eb',
    'a\u2028b',
  ])('%j is refused', (value) => {
    expect(wrongHeaders({ 'x-client-lang': [received(value)] })).toEqual(['X-Client-Lang']);
  });

  test('bytes that are not UTF-8 are refused', () => {
    expect(wrongHeaders({ 'x-client-lang': ['\xe9'] })).toEqual(['X-Client-Lang']);
  });
});

describe('Idempotency-Key', () => {
  test.each(['k', 'k'.repeat(255), '"8e03978e-40d5" ~!'])('%s is accepted', (value) => {
    const result = readHeaders({ ...good, 'idempotency-key': [value] }, 'application/json');
    expect(result).toMatchObject({ idempotencyKey: value });
  });

  test.each([[['']], [['k'.repeat(256)]], [['k', 'k']], [['é']], [['a\tb']], [['a\u007f']]])(
    '%j is refused',
    (values) => {
      expect(wrongHeaders({ 'idempotency-key': values })).toEqual(['Idempotency-Key']);
    },
  );

  test('is not part of the result when it was not sent', () => {
    expect(readHeaders(good, 'application/json')).not.toHaveProperty('idempotencyKey');
  });
});

const type = 'application/xml';
const fault = (...values: string[]) => explainHeader('User-Agent', values, type)[0];

test('distinguishes a missing, an empty, a repeated and a wrong header', () => {
  const name = 'User-Agent';
  expect(explainHeader(name, undefined, type)).toEqual([
    sentence('header_missing', { name }),
    sentence('expect_user_agent', { type }),
  ]);
  expect(fault()).toEqual(sentence('header_missing', { name }));
  expect(fault('')).toEqual(sentence('header_empty', { name }));
  expect(fault('a/1', 'b/1', 'c/1')).toEqual(sentence('header_repeated', { name, count: 3 }));
  expect(fault('node')).toEqual(sentence('value_wrong', { value: 'node' }));
});

test('a header that may be repeated is one list', () => {
  expect(explainHeader('Accept-Language', ['de', 'it;q=0.5'], type)[0]).toEqual(
    sentence('value_wrong', { value: 'de, it;q=0.5' }),
  );
  expect(explainHeader('Content-Encoding', ['gzip', 'br'], type)[0]).toEqual(
    sentence('value_wrong', { value: 'gzip, br' }),
  );
});

test('a value is shown as the client wrote it, cut to 64 characters, without credentials', () => {
  expect(fault(Buffer.from('é').toString('latin1'))).toEqual(sentence('value_wrong', { value: 'é' }));
  expect(fault('x'.repeat(4_000))).toEqual(sentence('value_wrong', { value: `${'x'.repeat(64)}…` }));
  expect(fault(`jdt_${'0'.repeat(24)}_${'0'.repeat(64)}`)).toEqual(
    sentence('value_wrong', { value: 'jdt_……' }),
  );
});

test('the expected Content-Type is that of the path', () => {
  expect(explainHeader('Content-Type', undefined, type)[1]).toEqual(
    sentence('expect_content_type', { type }),
  );
});

const accepts = (header: string, value: string) =>
  !isRefusal(
    readHeaders({
      'accept-language': ['en'],
      'user-agent': ['acme-client/1.0'],
      'x-client-lang': ['PHP'],
      [header]: [value],
    }),
  );

describe('every value of a published pattern is accepted', () => {
  test('Accept-Language', () => {
    fc.assert(
      fc.property(fc.stringMatching(commonLanguagesPattern), (value) => readLanguage(value) !== undefined),
    );
    expect(commonLanguagesPattern.test('fr-CA, en;q=0.8, *;q=0.1')).toBe(true);
    expect(commonLanguagesPattern.test('de')).toBe(false);
  });

  test('X-Client-Lang', () => {
    fc.assert(
      fc.property(fc.stringMatching(asciiTechnologyPattern), (value) => accepts('x-client-lang', value)),
    );
    expect(asciiTechnologyPattern.test('Visual Basic .NET')).toBe(true);
  });

  test('Idempotency-Key', () => {
    fc.assert(
      fc.property(fc.stringMatching(idempotencyKeyPattern), (value) => accepts('idempotency-key', value)),
    );
  });
});
