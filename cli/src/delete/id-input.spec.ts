import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { useCommandLine } from '../program.fixture.ts';
import { idsOfFile, InputChangedError, summarizeIds, validIds } from './id-input.ts';

const cli = useCommandLine();

test.each([
  ['other ids', 'JOB3\nJOB4\nJOB5\n'],
  ['more ids', 'JOB1\nJOB2\nJOB3\n'],
])('no id of a file that was replaced by %s after it was counted is read', async (_name, later) => {
  const file = join(cli.dataDir(), 'a.txt');
  writeFileSync(file, 'JOB1\nJOB2\n');
  const stdin = Object.assign(Readable.from([]), { isTTY: false });
  const input = await idsOfFile({ file, format: 'txt', column: 'id' }, stdin);
  const summary = await summarizeIds(input, () => undefined);
  writeFileSync(file, later);
  await expect(validIds(input, summary).next()).rejects.toThrow(InputChangedError);
});

test('no more ids are read than were counted', async () => {
  const read = async function* () {
    for (const jobId of ['JOB1', 'JOB2']) yield await Promise.resolve({ line: 1, jobId });
  };
  const ids = validIds({ read, close: () => Promise.resolve() }, { jobCount: 1, digest: '' });
  expect(await ids.next()).toMatchObject({ value: 'JOB1' });
  await expect(ids.next()).rejects.toThrow(InputChangedError);
});
