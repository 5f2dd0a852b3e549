import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import {
  ExpiredKeyError,
  openFileJournal,
  type FileJournal,
  type FileJournalOptions,
} from './file-journal.ts';
import { ProblemError } from './errors.ts';
import { IdMap } from './id-map.ts';
import { accepted, connectToScript, ids, problem } from './scripted-server.fixture.ts';

let folder = '';
const opened: FileJournal[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
});
afterEach(() => {
  for (const journal of opened.splice(0)) journal.close();
  rmSync(folder, { recursive: true });
});

const path = () => join(folder, 'a.journal');

function open(options: FileJournalOptions = {}): FileJournal {
  const journal = openFileJournal(path(), options);
  opened.push(journal);
  return journal;
}

const nowhere = 'http://127.0.0.1:1';
const request = (idempotencyKey: string, jobIds: readonly string[]) => ({ idempotencyKey, jobIds });

/** A new journal of a call that has sent these requests, all without an outcome. */
async function journalOf(
  requests: Readonly<Record<string, readonly string[]>>,
  { baseUrl = nowhere, ...options }: FileJournalOptions & { readonly baseUrl?: string } = {},
) {
  const journal = open(options);
  await journal.onStart({ baseUrl, sandbox: false });
  for (const [key, jobIds] of Object.entries(requests)) await journal.onRequest(request(key, jobIds));
  return journal;
}

const reason = { code: 'job_not_found', message: 'déjà supprimée' };

test('tells the outcome of each job, also after it is opened again', async () => {
  const sent = { a: ['Job0', 'Job1'], b: ['Job2', 'Job3'], c: ['Job4'], d: ['Job5'], e: ['Job6'] };
  const other = { code: 'job_id_malformed', message: 'too short' };
  const journal = await journalOf(sent, { now: () => 0 });
  await journal.onOutcome(request('a', sent.a), { kind: 'accepted', deletionId: 'd1' });
  const refused = [
    { jobId: 'Job2', reason },
    { jobId: 'Job3', reason: other },
  ];
  await journal.onOutcome(request('b', sent.b), { kind: 'refused', jobs: refused });
  await journal.onOutcome(request('c', sent.c), { kind: 'too-large' });
  const problemOfAll = new ProblemError(403, undefined, { code: 'token_invalid' });
  await journal.onOutcome(request('d', sent.d), { kind: 'failed', problem: problemOfAll });
  for (const one of [journal, open({ now: () => 0 })]) {
    expect(ids(7).map((id) => one.outcomeOf(id))).toEqual([
      { kind: 'accepted', jobId: 'Job0', deletionId: 'd1' },
      { kind: 'accepted', jobId: 'Job1', deletionId: 'd1' },
      { kind: 'refused', jobId: 'Job2', reason },
      { kind: 'refused', jobId: 'Job3', reason: other },
      ...[undefined, undefined, undefined],
    ]);
    const { acceptedJobs, refusedJobs, deletionIds, unanswered } = one;
    expect({ acceptedJobs, refusedJobs, deletionIds }).toEqual({
      acceptedJobs: 2,
      refusedJobs: 2,
      deletionIds: ['d1'],
    });
    expect(unanswered).toEqual([{ idempotencyKey: 'e', jobIds: ['Job6'], sentAt: new Date(0) }]);
  }
  const lines = readFileSync(path(), 'utf8').trimEnd().split('\n');
  expect(lines.slice(-2).map((line) => JSON.parse(line) as unknown)).toEqual([
    { kind: 'reopened', key: 'c', code: 'too_large' },
    { kind: 'reopened', key: 'd', code: 'token_invalid' },
  ]);
});

test('an attempt that repeats a request keeps the time of the first one', async () => {
  let nowMs = 0;
  const journal = await journalOf({ a: ['Job0'] }, { now: () => nowMs });
  nowMs = 5;
  await journal.onRequest(request('a', ['Job0']));
  expect(journal.unanswered).toMatchObject([{ sentAt: new Date(0) }]);
  expect(readFileSync(path(), 'utf8').trimEnd().split('\n')).toHaveLength(2);
});

test('takes requests only while it is open', async () => {
  const journal = open();
  const send = () => journal.onRequest(request('a', ['Job0']));
  expect(send).toThrow('Cannot write the journal');
  await journal.onStart({ baseUrl: nowhere, sandbox: false });
  journal.close();
  journal.close();
  expect(send).toThrow('Cannot write the journal');
});

const start = { kind: 'start', version: 1, base_url: nowhere, sandbox: false };
test.each([
  ['another version', 1, [{ ...start, version: 2 }]],
  ['no start', 1, [{ kind: 'accepted', key: 'a', deletion_id: 'd1' }]],
  ['a second start', 2, [start, start]],
  ['an unknown kind', 2, [start, { kind: 'sold' }]],
  ['a line without members', 2, [start, null]],
])('a journal with %s is damaged at line %i', (_title, line, lines) => {
  writeFileSync(path(), lines.map((one) => `${JSON.stringify(one)}\n`).join(''));
  expect(() => open()).toThrow(`is damaged at line ${String(line)}. Restore it, or name another.`);
});

test('an error of the disk says what to correct', () => {
  const error = (message: RegExp) =>
    expect.objectContaining({ name: 'JournalError', message: expect.stringMatching(message) });
  expect(() => openFileJournal(folder)).toThrow(
    error(/^Cannot read the journal .*: EISDIR.*\. Correct this first\.$/),
  );
  const nowhereToWrite = openFileJournal(join(folder, 'absent', 'journal'));
  expect(() => nowhereToWrite.onStart({ baseUrl: nowhere, sandbox: false })).toThrow(
    error(/^Cannot write the journal .*: ENOENT.*\. Correct this first\.$/),
  );
});

test.each([
  ['another address', { baseUrl: 'http://127.0.0.1:2', sandbox: false }],
  ['the sandbox', { baseUrl: nowhere, sandbox: true }],
])('does not continue a call to %s', async (_title, target) => {
  const journal = await journalOf({});
  expect(() => journal.onStart(target)).toThrow(`belongs to a call to ${nowhere}. Name another journal.`);
});

test('a last line that a crash cut inside a character is removed', async () => {
  const journal = await journalOf({ a: ['Job0'] });
  const refuse = (one: FileJournal) =>
    one.onOutcome(request('a', ['Job0']), { kind: 'refused', jobs: [{ jobId: 'Job0', reason }] });
  await refuse(journal);
  const whole = readFileSync(path());
  writeFileSync(path(), whole.subarray(0, whole.indexOf('é') + 1));
  await refuse(open());
  expect(readFileSync(path())).toEqual(whole);
});

test('a line longer than a chunk of the file is read', async () => {
  const long = ids(200_000);
  await journalOf({ a: long, b: ['JobX'] });
  expect(open().unanswered.map(({ jobIds }) => jobIds.length)).toEqual([long.length, 1]);
});

test('a file that is no journal stays as it is', () => {
  writeFileSync(path(), 'not a journal');
  expect(() => open()).toThrow(/^The file .* is no journal\. Name another\.$/);
  expect(readFileSync(path(), 'utf8')).toBe('not a journal');
});

test.each([
  ['a program with its own runs', undefined, { name: 'nightly' }],
  ['a program without runs', { name: 'nightly' }, undefined],
])('%s does not continue the journal of another program', async (_title, first, later) => {
  await journalOf({}, { run: first });
  expect(() => open({ run: later })).toThrow('belongs to another program');
  expect(open({ run: first }).start).toEqual({ baseUrl: nowhere, sandbox: false, run: first });
});

test('a key that expires after the journal is opened is not sent again', async () => {
  const { client, received, baseUrl } = await connectToScript(() => accepted);
  let nowMs = 0;
  await journalOf({ a: ['Job0'] }, { baseUrl, now: () => nowMs });
  nowMs = 3_600_000;
  const journal = open({ now: () => nowMs, keyLifetimeMs: nowMs });
  nowMs += 1;
  await expect(client.deleteJobs(['Job0'], { journal })).rejects.toMatchObject({
    cause: expect.any(ExpiredKeyError),
  });
  expect(received).toEqual([]);
});

test('the key of each request must work when it is sent again', async () => {
  let nowMs = 0;
  const { unfinished } = await journalOf({ a: ['Job0'], b: ['Job1'] }, { now: () => nowMs });
  const requests = unfinished[Symbol.asyncIterator]();
  nowMs = 24 * 3_600_000;
  const first = { idempotencyKey: 'a', jobIds: ['Job0'], maySplit: false };
  expect(await requests.next()).toEqual({ done: false, value: first });
  nowMs += 1;
  await expect(requests.next()).rejects.toMatchObject({
    name: 'ExpiredKeyError',
    message: expect.stringMatching(/1970-01-01T00:00:00.000Z.* Set resendExpired to send/),
    requests: [{ idempotencyKey: 'b' }],
  });
  expect(() => open({ now: () => nowMs })).toThrow(ExpiredKeyError);
  expect(open({ now: () => nowMs, resendExpired: true }).unanswered).toHaveLength(2);
});

test('what is left of a request that is sent again is not sent twice', async () => {
  const arrived = new Set<string>();
  let wake = (): void => undefined;
  const { client, received, baseUrl } = await connectToScript(
    async ({ jobIds }) => {
      for (const id of jobIds) arrived.add(id);
      wake();
      // The first request is answered, and the ids are read, while half of the second one waits for its answer.
      const awaited = { Job0: 'Job1', Job1: 'Job3' }[jobIds.join()];
      while (awaited !== undefined && !arrived.has(awaited))
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      return jobIds.length > 1 ? problem(413, 'body_too_large') : accepted;
    },
    { concurrency: 2, maxJobsPerRequest: 1 },
  );
  await journalOf({ a: ['Job0'], b: ['Job1', 'Job2'] }, { baseUrl });
  await client.deleteJobs(ids(4), { journal: open({ resendExpired: true }) });
  expect(received.map(({ jobIds }) => jobIds.join()).sort()).toEqual([
    'Job0',
    'Job1',
    'Job1,Job2',
    'Job2',
    'Job3',
  ]);
});

test('a journal continues a call of the same process', async () => {
  const { client, received, baseUrl } = await connectToScript(
    (_received, index) => (index === 1 ? problem(500, 'internal_error') : accepted),
    { maxJobsPerRequest: 1 },
  );
  const journal = await journalOf({}, { baseUrl });
  const call = () => client.deleteJobs(ids(3), { journal });
  await expect(call()).rejects.toThrow('internal_error');
  await call();
  expect(received.map(({ jobIds }) => jobIds.join())).toEqual(['Job0', 'Job1', 'Job1', 'Job2']);
});

test('a map of ids keeps the value of each id, however many there are', () => {
  const many = ids(20_000);
  const map = new IdMap();
  expect(many.filter((id, index) => map.set(id, index + 1) !== 0)).toEqual([]);
  expect(many.filter((id, index) => map.get(id) !== index + 1)).toEqual([]);
  expect([map.set('Job0', 7), map.get('Job0'), map.get('job0'), map.size]).toEqual([1, 7, 0, many.length]);
});
