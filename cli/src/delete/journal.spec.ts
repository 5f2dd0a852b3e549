import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { testIf } from '@jobs-delete/runtime/testing/test-if';
import { draftJournal, openJournal, readJournal } from './journal.ts';
import type { JournalLine, RunLine } from './journal-line.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const path = () => join(folder, 'a.journal');
const run: RunLine = {
  ...{ kind: 'run', version: 1, base_url: 'http://127.0.0.1:1', sandbox: false, named: true },
  ...{ job_count: 9, digest: 'sha256:00', started_at: '2030-01-02T03:04:05.000Z' },
};
const sent: JournalLine = { kind: 'sent', key: 'a', from: 0, to: 9, at: '2030-01-02T03:04:05.000Z' };
const refused: JournalLine = {
  ...{ kind: 'refused', key: 'a' },
  jobs: [{ job_id: 'JOB1', code: 'job_not_found', message: 'déjà supprimée', position: 0 }],
};

async function kinds(): Promise<string[]> {
  const found: string[] = [];
  for await (const { line } of readJournal(path())) found.push(line.kind);
  return found;
}

test('a last line that a crash cut inside a character is removed', async () => {
  const journal = draftJournal(path()).begin(run);
  for (const line of [sent, refused]) journal.append(line);
  journal.close();
  const whole = readFileSync(path());
  writeFileSync(path(), whole.subarray(0, whole.indexOf('é') + 1));
  const opened = await openJournal(path());
  opened.append(refused);
  opened.close();
  expect(readFileSync(path())).toEqual(whole);
});

test('a line longer than a chunk of the file is read', async () => {
  const journal = draftJournal(path()).begin(run);
  journal.append({
    kind: 'accepted',
    key: 'a',
    deletion_id: 'd',
    job_ids: Array<string>(10_000).fill('JOB00001'),
  });
  journal.append(sent);
  journal.close();
  expect(await kinds()).toEqual(['run', 'accepted', 'sent']);
});

/** A writer of a journal whose disk is full while it writes the line `refused`. */
const writerOnFullDisk = `
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { draftJournal } from ${JSON.stringify(new URL('../../dist/delete/journal.js', import.meta.url).href)};
const [path, run, sent, refused, reopened] = JSON.parse(process.argv[1]);
const limitFiles = (bytes) =>
  execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=' + bytes + ':'], { stdio: 'pipe' });
const journal = draftJournal(path).begin(run);
journal.append(sent);
limitFiles(statSync(path).size + 20);
try {
  journal.append(refused);
} catch (error) {
  process.stdout.write(error.message);
}
limitFiles('unlimited');
journal.append(reopened);
journal.close();
`;

const canLimitFiles = spawnSync('prlimit', ['--version']).status === 0;
testIf(canLimitFiles, 'a line that does not fit on the disk leaves no part of itself', async () => {
  const reopened: JournalLine = { kind: 'reopened', key: 'a', code: 'too_large' };
  const program = ['--input-type=module', '--eval', writerOnFullDisk];
  const input = JSON.stringify([path(), run, sent, refused, reopened]);
  const message = execFileSync(process.execPath, [...program, input], { encoding: 'utf8' });
  expect(message).toMatch(/^Cannot write the journal .*: EFBIG: .*\. Correct this first\.$/);
  expect(await kinds()).toEqual(['run', 'sent', 'reopened']);
});
