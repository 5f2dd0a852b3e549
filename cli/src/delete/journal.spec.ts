import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openFileJournal } from '@jobs-delete/client/file-journal';
import { testIf } from '@jobs-delete/runtime/testing/test-if';
import { useDelete } from '../commands/delete.fixture.ts';
import { useCommandLine } from '../program.fixture.ts';

const cli = useCommandLine();
const { startServer } = useDelete(cli);
const journal = () => join(cli.dataDir(), 'a.journal');

const tokenOf = (digit: string) => `jdt_${digit.repeat(24)}_${'1'.repeat(64)}`;

test.each([
  ['another account', 'acme', '2', 'other', '1', /^The journal .* belongs to a run of the account acme\. /],
  ['the same account with a new token', 'acme', '1', 'acme', '2', /^$/],
  ['the same token without a profile', 'acme', '1', undefined, '1', /^$/],
  [
    'another token of an unknown account',
    undefined,
    '1',
    'acme',
    '2',
    /belongs to a run with the token jdt_1{24}\. /,
  ],
])('a journal continued by %s', async (_name, account, token, laterAccount, laterToken, stderr) => {
  const { server } = await startServer();
  const runAs = (accountId: string | undefined, digit: string) => {
    const profile = join(cli.dataDir(), 'p.json');
    const credentials = { base_url: server.baseUrl, secret_key: 's', origin: 'https://x.example' };
    const body = { ...credentials, token: tokenOf(digit), account_id: accountId };
    writeFileSync(profile, JSON.stringify(body), { mode: 0o600 });
    return cli.run('delete', 'JOB1', '--journal', journal(), '--profile', profile);
  };
  expect((await runAs(account, token)).exitCode).toBe(0);
  expect(readFileSync(journal(), 'utf8')).not.toContain('1'.repeat(64));
  expect((await runAs(laterAccount, laterToken)).stderr).toMatch(stderr);
  expect(server.received).toHaveLength(1);
});

/** A writer of a journal whose disk is full while it writes the first outcome. */
const writerOnFullDisk = `
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { openFileJournal } from ${JSON.stringify(new URL('../../../client/dist/file-journal.js', import.meta.url).href)};
const [path] = process.argv.slice(1);
const limitFiles = (bytes) =>
  execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=' + bytes + ':'], { stdio: 'pipe' });
const journal = openFileJournal(path);
journal.onStart({ baseUrl: 'http://127.0.0.1:1', sandbox: false });
const request = { idempotencyKey: 'a', jobIds: ['JOB1', 'JOB2'] };
journal.onRequest(request);
limitFiles(statSync(path).size + 20);
try {
  journal.onOutcome(request, { kind: 'accepted', deletionId: 'd1' });
} catch (error) {
  process.stdout.write(error.message);
}
limitFiles('unlimited');
journal.onOutcome(request, { kind: 'too-large' });
journal.close();
`;

const canLimitFiles = spawnSync('prlimit', ['--version']).status === 0;
testIf(canLimitFiles, 'a line that does not fit on the disk leaves no part of itself', () => {
  const program = ['--input-type=module', '--eval', writerOnFullDisk, journal()];
  const message = execFileSync(process.execPath, program, { encoding: 'utf8' });
  expect(message).toMatch(/^Cannot write the journal .*: EFBIG: .*\. Correct this first\.$/);
  const { acceptedJobs, unanswered } = openFileJournal(journal());
  expect({ acceptedJobs, unanswered }).toEqual({ acceptedJobs: 0, unanswered: [] });
  return Promise.resolve();
});
