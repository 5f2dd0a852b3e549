import { beforeEach, expect, test } from '@jest/globals';
import { useCommandLine } from '../program.fixture.ts';
import { acceptDeletion } from './deletions.fixture.ts';

const cli = useCommandLine();
beforeEach(async () => {
  for (const id of ['acme', 'other']) await cli.run('accounts', 'create', id);
  await cli.withStore(async (store) => {
    const atMs = Date.parse('2030-01-01T00:00:00Z');
    await store.importJobs('acme', [{ id: 'ABC123', posting: { title: 'Dév', pay: { min: 1 } } }], atMs);
    await store.importJobs('acme', [{ id: 'BOTH', posting: {} }], atMs);
    await store.importJobs('other', [{ id: 'BOTH', posting: {} }], atMs);
  });
});

test('count counts the jobs of one account or of all', async () => {
  expect(await cli.json('jobs', 'count')).toEqual({ account_id: null, job_count: 3 });
  expect(await cli.json('jobs', 'count', '--account', 'other')).toEqual({
    account_id: 'other',
    job_count: 1,
  });
  expect((await cli.run('jobs', 'count', '--account', 'other')).stdout).toBe('1 job\n');
});

test.each([['ABC123'], ['ABC123', '--account', 'acme']])(
  'show %s shows a job that is posted',
  async (...args) => {
    expect(await cli.json('jobs', 'show', ...args)).toEqual({
      job_id: 'ABC123',
      exists: true,
      account_id: 'acme',
      imported_at: '2030-01-01T00:00:00.000Z',
      state: 'posted',
      deletion_id: null,
      posting: { title: 'Dév', pay: { min: 1 } },
    });
    expect(await cli.run('jobs', 'show', ...args)).toEqual({
      exitCode: 0,
      stdout: [
        'job            ABC123',
        'account        acme',
        'imported       2030-01-01T00:00:00.000Z',
        'state          posted',
        'posting.title  Dév',
        'posting.pay    {"min":1}',
        '',
      ].join('\n'),
      stderr: '',
    });
  },
);

test('show names the deletion that has claimed a job', async () => {
  await cli.withStore((store) => acceptDeletion(store, 'd-1', ['ABC123']));
  expect(await cli.json('jobs', 'show', 'ABC123')).toMatchObject({
    state: 'accepted_for_deletion',
    deletion_id: 'd-1',
  });
  expect((await cli.run('jobs', 'show', 'ABC123')).stdout).toMatch(/\nstate +accepted for deletion by d-1\n/);
});

test.each([['NOPE1'], ['abc123'], ['ABC123', '--account', 'other'], ['not an id']])(
  'show %s, which does not exist, exits 1',
  async (id, ...args) => {
    expect(await cli.run('jobs', 'show', id, ...args)).toEqual({
      exitCode: 1,
      stdout: 'Job ID does not exist.\n',
      stderr: '',
    });
    expect(await cli.run('jobs', 'show', id, ...args, '--json')).toEqual({
      exitCode: 1,
      stdout: `${JSON.stringify({ job_id: id, exists: false })}\n`,
      stderr: '',
    });
  },
);

test('show requires --account for an id in several accounts', async () => {
  expect(await cli.run('jobs', 'show', 'BOTH')).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: 'Several accounts have a job BOTH: acme, other. Choose one with --account.\n',
  });
  expect(await cli.json('jobs', 'show', 'BOTH', '--account', 'other')).toMatchObject({ account_id: 'other' });
});

test('control characters of a posting are escaped', async () => {
  const title = '\u001b[2J\u009b1m\u202egnp.exe\nstate  deleted';
  await cli.withStore((store) => store.importJobs('acme', [{ id: 'EVIL', posting: { title } }], 1));
  const { stdout } = await cli.run('jobs', 'show', 'EVIL');
  expect(stdout).toContain('\\u{1b}[2J\\u{9b}1m\\u{202e}gnp.exe\\u{a}state  deleted\n');
  expect(await cli.json('jobs', 'show', 'EVIL')).toMatchObject({ posting: { title } });
});
