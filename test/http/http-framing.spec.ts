import { beforeAll, describe, expect, test } from '@jest/globals';
import { exchange, openRaw } from '../harness/raw-http.ts';
import { useService } from '../harness/use-service.ts';
import { completed, createClient, expectAccepted, expectStamped, type Client } from './client.ts';
import { inChunks, requestText, withLine } from './details.ts';

const service = useService();
let client: Client;
beforeAll(async () => {
  client = await createClient(service, 'framing');
});

type Change = (request: string) => string;

const replacing =
  (pattern: string | RegExp, replacement: string): Change =>
  (request) =>
    request.replace(pattern, replacement);
const host = (lines: string) => replacing(/Host: .*\r\n/, lines);
const length = (lines: string) => replacing(/Content-Length: .*\r\n/, lines);
const plus =
  (line: string): Change =>
  (request) =>
    withLine(request, line);
const coded =
  (transferEncoding: string): Change =>
  (request) =>
    inChunks(request, undefined, transferEncoding);
const chunks =
  (frame: (body: string, size: string) => string): Change =>
  (request) =>
    inChunks(request, frame);
const version = (text: string) => replacing('HTTP/1.1', text);
const target = (text: string) => replacing('/v1/json/jobs-delete', text);

const improper: Readonly<Record<string, readonly [number, Change]>> = {
  'no Host': [400, host('')],
  'two Hosts': [400, host('$&$&')],
  'two different Hosts': [400, host('$&Host: evil.example\r\n')],
  'a list of Hosts': [400, host('Host: a.example, b.example\r\n')],
  'a Host with a space': [400, host('Host: a b\r\n')],
  'a Host with a user': [400, host('Host: user@a.example\r\n')],
  'a Host with a path': [400, host('Host: a.example/x\r\n')],
  'a Host with a query': [400, host('Host: a.example?x\r\n')],
  'a Host with an invalid port': [400, host('Host: a.example:http\r\n')],
  'a Host with half a bracket': [400, host('Host: [::1\r\n')],
  'a Host that is not ASCII': [400, host('Host: \xe9.example\r\n')],
  'both framings': [400, plus('Transfer-Encoding: chunked')],
  'both framings, in chunks': [400, (request) => withLine(inChunks(request), 'Content-Length: 5')],
  'two lengths': [400, length('$&Content-Length: 0\r\n')],
  'the same length twice': [400, length('$&$&')],
  'a list of lengths': [400, length('Content-Length: 44, 44\r\n')],
  'a length with a sign': [400, length('Content-Length: +44\r\n')],
  'a negative length': [400, length('Content-Length: -1\r\n')],
  'a hexadecimal length': [400, length('Content-Length: 0x2c\r\n')],
  'a length with a fraction': [400, length('Content-Length: 44.0\r\n')],
  'a length of two words': [400, length('Content-Length: 4 4\r\n')],
  'an empty length': [400, length('Content-Length:\r\n')],
  'a length past all numbers': [400, length('Content-Length: 99999999999999999999999\r\n')],
  'a space before the colon': [400, replacing('Content-Length:', 'Content-Length :')],
  ...Object.fromEntries(
    [
      'xchunked',
      'gzip',
      'gzip, chunked',
      'chunked, gzip',
      'chunked, chunked',
      'identity',
      'chunked, identity',
      '',
      'chunked;q=1',
      '"chunked"',
      ',chunked',
      'chunked,',
      'chunked\x0b',
      '\xa0chunked',
      'chunked\r\nTransfer-Encoding: chunked',
      'identity\r\nTransfer-Encoding: chunked',
    ].map((coding) => [`the transfer coding ${JSON.stringify(coding)}`, [400, coded(coding)] as const]),
  ),
  'a folded coding': [400, coded('\r\n chunked')],
  'HTTP/1.0 with chunks': [400, (request) => inChunks(request).replace('HTTP/1.1', 'HTTP/1.0')],
  'no chunk size': [400, chunks((body) => `\r\n${body}\r\n0\r\n\r\n`)],
  'an invalid chunk size': [400, chunks((body) => `zz\r\n${body}\r\n0\r\n\r\n`)],
  'a chunk size with 0x': [400, chunks((body, size) => `0x${size}\r\n${body}\r\n0\r\n\r\n`)],
  'a chunk size with a sign': [400, chunks((body, size) => `+${size}\r\n${body}\r\n0\r\n\r\n`)],
  'a negative chunk size': [400, chunks((body) => `-1\r\n${body}\r\n0\r\n\r\n`)],
  'a space before a chunk size': [400, chunks((body, size) => ` ${size}\r\n${body}\r\n0\r\n\r\n`)],
  'a chunk size past all numbers': [400, chunks((body) => `ffffffffffffffffff\r\n${body}\r\n0\r\n\r\n`)],
  'a chunk longer than its size': [400, chunks((body, size) => `${size}\r\n${body}XX\r\n0\r\n\r\n`)],
  'a chunk size that ends in LF': [400, chunks((body, size) => `${size}\n${body}\r\n0\r\n\r\n`)],
  'a chunk that ends in LF': [400, chunks((body, size) => `${size}\r\n${body}\n0\r\n\r\n`)],
  'a chunk extension with LF': [400, chunks((body, size) => `${size};\nx\r\n${body}\r\n0\r\n\r\n`)],
  'a last chunk that ends in LF': [400, chunks((body, size) => `${size}\r\n${body}\r\n0\n\n`)],
  'a chunk extension without end': [400, chunks((_, size) => `${size};${'x'.repeat(40_000)}\r\n`)],
  'a length in the trailer': [
    400,
    chunks((body, size) => `${size}\r\n${body}\r\n0\r\nContent-Length: 5\r\n\r\n`),
  ],
  'a folded header': [400, replacing('X-Client-Lang: Type', 'X-Client-Lang: Type\r\n ')],
  'a folded first header': [400, replacing('HTTP/1.1\r\n', 'HTTP/1.1\r\n folded: x\r\n')],
  'a header that ends in LF': [400, replacing('TypeScript\r\n', 'TypeScript\n')],
  'a header that ends in CR': [400, replacing('TypeScript\r\n', 'TypeScript\r')],
  'a CR in a header': [400, replacing('TypeScript', 'Type\rScript')],
  'headers that end in LF LF': [400, replacing('\r\n\r\n', '\n\n')],
  'headers that end in CR LF LF': [400, replacing('\r\n\r\n', '\r\n\n')],
  'a NUL in a header': [400, replacing('TypeScript', 'Type\0Script')],
  'a NUL in a name': [400, replacing('X-Client-Lang', 'X-Client\0-Lang')],
  'a DEL in a header': [400, replacing('TypeScript', 'Type\x7fScript')],
  'a name that is not ASCII': [400, replacing('X-Client-Lang', 'X-Cli\xe9nt-Lang')],
  'a header without a colon': [400, replacing('X-Client-Lang:', 'X-Client-Lang')],
  'a header without a name': [400, replacing('X-Client-Lang:', ':')],
  'an unknown method': [400, replacing('DELETE', 'REMOVE')],
  'a method in small letters': [400, replacing('DELETE', 'delete')],
  'a tab for a space': [400, replacing('DELETE /', 'DELETE\t/')],
  'no target': [400, target('')],
  'a target with a space': [400, target('/v1/json/jobs-delete x')],
  'a target with a fragment': [400, target('/v1/json/jobs-delete#x')],
  'a query with a fragment': [400, target('/v1/json/jobs-delete?x#y')],
  'a target that is not ASCII': [400, target('/v1/json/jobs-delete\xe9')],
  'a target without a slash': [400, target('v1/json/jobs-delete')],
  'a target of another scheme': [400, target('ftp://a.example/v1/json/jobs-delete')],
  'a target with a user': [400, target('http://user@a.example/v1/json/jobs-delete')],
  'a target without a host': [400, target('http:///v1/json/jobs-delete')],
  'a target with a port only': [400, target('http://:80/v1/json/jobs-delete')],
  'no version': [400, version('')],
  'another protocol': [400, version('ICE/1.0')],
  'a version in small letters': [400, version('http/1.1')],
  'HTTP/0.9': [505, version('HTTP/0.9')],
  'HTTP/1.2': [505, version('HTTP/1.2')],
  'HTTP/2.0': [505, version('HTTP/2.0')],
  'HTTP/9.9': [505, version('HTTP/9.9')],
  'the preface of HTTP/2': [505, () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  'a TLS handshake': [400, () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  garbage: [400, () => 'garbage\r\n\r\n'],
  'headers that are too large': [431, plus(`X-Large: ${'a'.repeat(16_400)}`)],
  'too many headers': [431, plus(Array.from({ length: 10_000 }, () => 'a: b').join('\r\n'))],
  'a target that is too large': [431, target(`/v1/json/jobs-delete?${'a'.repeat(16_400)}`)],
  'a trailer that is too large': [
    431,
    chunks((body, size) => `${size}\r\n${body}\r\n0\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`),
  ],
  CONNECT: [400, replacing('DELETE /v1/json/jobs-delete', 'CONNECT a.example:443')],
};

describe('an improper request is refused', () => {
  test.each(Object.entries(improper))('%s', async (_, [status, change]) => {
    const jobIds = await client.newJobs(3);
    const [first, second, third] = jobIds.map((id) =>
      requestText(service.baseUrl, completed(client.account, { jobIds: [id] })),
    ) as [string, string, string];
    const spoilt = change(first);
    expect(spoilt).not.toBe(first);

    // Alone, and followed by proper requests.
    for (const bytes of [spoilt + second + third, spoilt]) {
      const answers = await exchange(service.baseUrl, bytes);
      expect(answers.map((answer) => answer.status)).toEqual([status]);
      expectRefusedByTheLayer(answers[0]?.headers ?? {});
    }
    expectAccepted(await client.call({ jobIds, sandbox: true }), jobIds, true);
  });
});

function expectRefusedByTheLayer(headers: Readonly<Record<string, string>>): void {
  expectStamped(headers, 'fr');
  expect(headers.connection).toBe('close');
  expect(headers['content-length']).toBe('0');
  expect(headers['deletion-id']).toBeUndefined();
}

describe('an unusual but proper request is served', () => {
  test.each<[string, Change]>([
    ['empty lines before it', (request) => `\r\n\r\n${request}`],
    ['an absolute target', target('http://a.example/v1/json/jobs-delete')],
    ['an absolute target with a port and a query', target('HTTPS://a.example:8443/v1/json/jobs-delete?x')],
    ['an absolute target of an address', target('http://[::1]:80/v1/json/jobs-delete')],
    ['a Host that is an address', host('Host: [::1]:8080\r\n')],
    ['a Host in capitals', host('HOST: A.EXAMPLE\r\n')],
    ['chunks', chunks((body, size) => `${size}\r\n${body}\r\n0\r\n\r\n`)],
    ['chunks of one byte', chunks((body) => `${body.replace(/./gs, '1\r\n$&\r\n')}0\r\n\r\n`)],
    [
      'chunk sizes with zeros and capitals',
      chunks((body, size) => `000${size.toUpperCase()}\r\n${body}\r\n000\r\n\r\n`),
    ],
    ['chunk extensions', chunks((body, size) => `${size};a=b;c="d"\r\n${body}\r\n0;x\r\n\r\n`)],
    ['a trailer', chunks((body, size) => `${size}\r\n${body}\r\n0\r\nChecksum: x\r\n\r\n`)],
    [
      'a trailer of credentials, which is ignored',
      chunks((body, size) => `${size}\r\n${body}\r\n0\r\nAuthorization: x\r\n\r\n`),
    ],
    ['a coding in capitals', coded('CHUNKED')],
    ['a length with zeros', replacing('Content-Length: ', 'Content-Length: 000')],
    ['white space around a value', replacing('X-Client-Lang: TypeScript', 'X-Client-Lang:\t TypeScript \t')],
    [
      'an offer of HTTP/2',
      plus('Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk'),
    ],
    ['an offer of a web socket', plus('Connection: Upgrade\r\nUpgrade: websocket')],
    ['an unknown expectation', plus('Expect: wonders')],
    ['headers just below the limit', plus(`X-Large: ${'a'.repeat(15_000)}`)],
    ['many headers', plus(Array.from({ length: 1_500 }, () => 'a: b').join('\r\n'))],
  ])('%s', async (_, change) => {
    const jobIds = await client.newJobs(1);
    const request = requestText(service.baseUrl, completed(client.account, { jobIds }));
    const connection = await openRaw(service.baseUrl);
    connection.write(change(request));
    const [answer] = await connection.untilAnswers(1);
    connection.destroy();
    expect(answer).toMatchObject({ status: 200, headers: { 'deletion-id': expect.any(String) } });
  });

  test.each([
    ['without a Host', host('')],
    ['with a Host', plus('X: y')],
    ['with an expectation, which it cannot have', plus('Expect: 100-continue')],
  ])('HTTP/1.0 %s, and its connection is closed', async (_, change) => {
    const jobIds = await client.newJobs(1);
    const request = requestText(service.baseUrl, completed(client.account, { jobIds }));
    const answers = await exchange(service.baseUrl, change(version('HTTP/1.0')(request)));
    expect(answers).toMatchObject([{ status: 200, headers: { connection: 'close' } }]);
  });

  test.each([
    '*',
    'http://a.example',
    'http://a.example?x',
    '/',
    '//a.example/v1/json/jobs-delete',
    'http://a.example/v1\\json\\jobs-delete',
  ])('the target %s is not a resource', async (text) => {
    const request = requestText(service.baseUrl, completed(client.account, {}));
    const connection = await openRaw(service.baseUrl);
    connection.write(target(text)(request));
    const [answer] = await connection.untilAnswers(1);
    connection.destroy();
    expect([answer?.status, JSON.parse(answer?.text ?? '')]).toMatchObject([
      404,
      { code: 'route_not_found' },
    ]);
  });
});
