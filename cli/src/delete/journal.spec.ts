import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { draftJournal, openJournal, readJournal } from './journal.ts';
import type { JournalLine, RunLine } from './journal-line.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const path = () => join(folder, 'a.journal');
const run: RunLine = {
  ...{ kind: 'run', version: 1, base_url: 'http://127.0.0.1:1', sandbox: false },
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
