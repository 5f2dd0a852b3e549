import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dumpTables, untilSettled } from '../harness/dump-tables.ts';
import { openRaw } from '../harness/raw-http.ts';
import { useService } from '../harness/use-service.ts';
import {
  completed,
  createClient,
  expectAccepted,
  expectProblem,
  expectStamped,
  type Client,
} from './client.ts';
import { codes, type Code } from './contract.ts';
import { requestText } from './details.ts';

const service = useService();
let client: Client;
let jobIds: string[];
let before: string;
beforeAll(async () => {
  client = await createClient(service, 'random');
  jobIds = await client.newJobs(2);
  await untilSettled(service.dataDir);
  before = dumpTables(service.dataDir);
});

/** Checks that the answer follows the contract, nothing has changed, and the service works. */
async function expectUnharmed(): Promise<void> {
  expect(dumpTables(service.dataDir)).toBe(before);
  expectAccepted(await client.call({ sandbox: true, jobIds }), jobIds, true);
}

const runs = { numRuns: 150 };
const format = fc.constantFrom('json' as const, 'xml' as const);

/** Parts of valid bodies, so that some bodies pass several checks. */
const piece = fc.constantFrom(
  ...[
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"jobs"',
    '"job"',
    '"id"',
    '"ABC123"',
    'null',
    '1e9',
    '\\u0000',
    '\\ud800',
    ' ',
  ],
  ...[
    '<jobs>',
    '</jobs>',
    '<job>',
    '</job>',
    '<id>',
    '</id>',
    '<id/>',
    'ABC123',
    '&amp;',
    '&x;',
    '<![CDATA[',
    ']]>',
  ],
  ...['<!--', '-->', '<!DOCTYPE', '<?xml', '?>', '=', "'", '\ufeff', '\0', '\ud800', 'é', '😀', '__proto__'],
);
const body = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
  fc.json(),
  fc
    .array(fc.string({ maxLength: 200 }))
    .map((ids) => JSON.stringify({ jobs: { job: ids.map((id) => ({ id })) } })),
  fc.array(fc.anything()).map((ids) => JSON.stringify({ jobs: { job: ids.map((id) => ({ id })) } }) || ''),
);

test('any body gets a problem', async () => {
  await fc.assert(
    fc.asyncProperty(format, body, async (kind, bytes) => {
      const answer = await client.call({ format: kind, body: bytes });
      const { code } = answer.json as { code: Code };
      expect([
        'body_malformed',
        'job_id_required',
        'job_id_malformed',
        'job_id_duplicated',
        'job_not_found',
      ]).toContain(code);
      expectProblem(answer, code);
    }),
    runs,
  );
  await expectUnharmed();
});

const names = [
  'Authorization',
  'Usersecretkey',
  'Origin',
  'Content-Type',
  'Accept-Language',
  'User-Agent',
  'X-Client-Lang',
];
const headerValue = fc
  .oneof(
    fc.string({ unit: 'binary-ascii', maxLength: 100 }),
    fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    fc
      .array(
        fc.constantFrom(
          'fr',
          'en',
          '*',
          ';q=',
          '0',
          '1',
          '.',
          ',',
          ' ',
          '-',
          '/',
          ':',
          '"',
          '\\',
          'https://',
          'Bearer ',
        ),
      )
      .map((parts) => parts.join('')),
  )
  .map((value) => value.replace(/[^\t\x20-\x7e\x80-\xff]/g, ''));

test('any value of any header is accepted or gets a problem', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...names, 'Idempotency-Key', 'Content-Encoding', 'Expect'),
      headerValue,
      async (name, value) => {
        const answer = await client.call({ sandbox: true, jobIds, headers: { [name]: value } });
        if (answer.status === 200) expectAccepted(answer, jobIds, true);
        else expect([400, 401, 403]).toContain(answer.status);
        expectStamped(answer.headers, String(answer.headers['content-language']));
      },
    ),
    runs,
  );
  await expectUnharmed();
});

test('any bytes on a connection never delete a job', async () => {
  const request = () =>
    requestText(service.baseUrl, completed(client.account, { jobIds, path: '/v1-sandbox/json/jobs-delete' }));
  const cut = fc.record({ at: fc.nat(600), remove: fc.nat(20), insert: fc.uint8Array({ maxLength: 20 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(cut, { minLength: 1, maxLength: 4 }), async (cuts) => {
      let bytes = request();
      for (const { at, remove, insert } of cuts)
        bytes = bytes.slice(0, at) + Buffer.from(insert).toString('latin1') + bytes.slice(at + remove);
      const connection = await openRaw(service.baseUrl);
      // Ends the stream: the server must not wait for more.
      connection.socket.end(Buffer.from(bytes, 'latin1'));
      const answers = await connection.untilClosed();
      connection.destroy();
      for (const { status, text } of answers) {
        expect(status).toBeLessThan(506);
        expect([500, 501, 502, 503, 504]).not.toContain(status);
        if (text.includes('"code"')) expect(codes).toContain((JSON.parse(text) as { code: string }).code);
      }
    }),
    runs,
  );
  await expectUnharmed();
});
