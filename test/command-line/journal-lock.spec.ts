import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { testedPrograms } from '../harness/programs.ts';

const newPath = temporaryFolder();

/** Locks the journal again and again. Says `overlap` when another process holds the lock at the same time. */
const contender = `
import { closeSync, openSync, rmSync } from 'node:fs';
const [journalModule, fileModule, journal, holder] = process.argv.slice(1);
const { lockJournal } = await import(journalModule);
const { lockFile } = await import(fileModule);
let held = 0;
while (held < 100) {
  let unlock;
  try { unlock = lockJournal(journal, lockFile); } catch { continue; }
  held += 1;
  try { closeSync(openSync(holder, 'wx')); } catch { console.log('overlap'); process.exit(); }
  // Long enough for others to try.
  for (const endMs = performance.now() + 2; performance.now() < endMs;);
  rmSync(holder);
  unlock();
}
console.log('done');
`;

test('several processes never hold the lock of one journal at the same time', async () => {
  const journal = newPath('run.journal');
  const { root } = testedPrograms();
  const contend = async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      contender,
      join(root, 'cli/dist/delete/run-deletion.js'),
      join(root, 'runtime/dist/sqlite/lock-data-folder.js'),
      journal,
      `${journal}.holder`,
    ]);
    return stdout.trim();
  };
  const ends = await Promise.all(Array.from({ length: 6 }, contend));
  expect(ends.filter((end) => end !== 'done')).toEqual([]);
  expect(existsSync(`${journal}.lock`)).toBe(false);
});
