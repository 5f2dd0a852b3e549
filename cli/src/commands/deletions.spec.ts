import { beforeEach, describe, expect, test } from '@jest/globals';
import { removeAndRecord } from '@jobs-delete/deleter-service/testing/deletions';
import { useCommandLine } from '../program.fixture.ts';
import { acceptDeletion } from './deletions.fixture.ts';

const cli = useCommandLine();
beforeEach(async () => {
  for (const id of ['acme', 'other']) await cli.run('accounts', 'create', id);
  await cli.withStore(async (store) => {
    const postings = Array.from({ length: 400 }, (_, index) => ({ id: `JOB${1_000 + index}`, posting: {} }));
    await store.importJobs('acme', postings, 1);
  });
});

const time = (text: string) => Date.parse(`2030-01-02T${text}Z`);
const leaseOf = (deletionId: string) => ({
  deletionId,
  accountId: 'acme',
  leasedUntilMs: time('00:00:00'),
});

async function complete(deletionId: string, jobIds: readonly string[]) {
  await cli.withStore(async (store) => {
    const claims = await acceptDeletion(store, deletionId, jobIds);
    await store.markPublished([leaseOf(deletionId)], time('00:00:01'), time('00:10:00'));
    await removeAndRecord(
      store,
      [{ deletionId, accountId: 'acme', part: 0, parts: 1, claims }],
      time('00:00:02'),
    );
  });
}

const completed = {
  deletion_id: 'd-1',
  account_id: 'acme',
  state: 'completed',
  job_count: 2,
  removed_count: 2,
  kept_count: 0,
  kept_reason: null,
  accepted_at: '2030-01-02T00:00:00.000Z',
  published_at: '2030-01-02T00:00:01.000Z',
  completed_at: '2030-01-02T00:00:02.000Z',
  removal_at: null,
  cancelled_at: null,
};

describe('show', () => {
  test('prints the times and caller of a completed deletion', async () => {
    await complete('d-1', ['JOB1000', 'JOB1001']);
    const details = {
      ...completed,
      publications: 1,
      idempotency_key: null,
      request_id: 'r-1',
      trace_id: null,
      token_id: 't-1',
      caller: 'token:gateway',
      origin: 'https://acme.example',
      user_agent: 'acme-client/1.0',
      client_technology: 'PHP',
      language: 'fr',
      person: null,
    };
    expect(await cli.json('deletions', 'show', 'd-1')).toEqual(details);
    expect(await cli.json('deletions', 'show', 'd-1', '--job-ids')).toEqual({
      ...details,
      job_ids: ['JOB1000', 'JOB1001'],
    });
    const { stdout } = await cli.run('deletions', 'show', 'd-1', '--job-ids', '--account', 'acme');
    expect(stdout).toMatch(/^state +completed at 2030-01-02T00:00:02.000Z: 2 jobs removed$/m);
    expect(stdout).toMatch(/^published +2030-01-02T00:00:01.000Z$/m);
    expect(stdout).toMatch(/\nJOB1000\nJOB1001\n$/);
  });

  test('prints the state of an open deletion', async () => {
    await cli.withStore((store) => acceptDeletion(store, 'd-1', ['JOB1000']));
    expect(await cli.json('deletions', 'show', 'd-1')).toMatchObject({
      state: 'accepted',
      removed_count: null,
      published_at: null,
      completed_at: null,
    });
    expect((await cli.run('deletions', 'show', 'd-1')).stdout).toMatch(
      /^state +accepted at 2030-01-02T00:00:00.000Z: 1 job to be removed$/m,
    );
    await cli.withStore((store) => store.markPublished([leaseOf('d-1')], time('00:00:01'), time('00:10:00')));
    expect((await cli.run('deletions', 'show', 'd-1')).stdout).toMatch(
      /^state +published at 2030-01-02T00:00:01.000Z: 1 job to be removed$/m,
    );
  });

  test('says that a deletion completed at once was published before', async () => {
    await cli.withStore(async (store) => {
      const claims = await acceptDeletion(store, 'd-1', ['JOB1000']);
      await removeAndRecord(store, [{ deletionId: 'd-1', accountId: 'acme', part: 0, parts: 1, claims }], 1);
    });
    const { stdout } = await cli.run('deletions', 'show', 'd-1');
    expect(stdout).toMatch(/^published +before its completion; the time was not recorded$/m);
    expect(stdout).toMatch(/^publications +1$/m);
  });

  test.each([['d-2'], ['d-1', '--account', 'other']])(
    'exits 1 for %s, which there is not',
    async (id, ...args) => {
      await complete('d-1', ['JOB1000']);
      const refused = {
        exitCode: 1,
        stdout: '',
        stderr: `There is no deletion ${id}. List them: jobs-delete deletions list\n`,
      };
      expect(await cli.run('deletions', 'show', id, ...args)).toEqual(refused);
      expect(await cli.run('deletions', 'show', id, ...args, '--json')).toEqual(refused);
    },
  );
});

describe('list', () => {
  test('shows the newest first, of one account or state', async () => {
    await complete('d-1', ['JOB1000', 'JOB1001']);
    await cli.withStore((store) => acceptDeletion(store, 'd-2', ['JOB1002'], time('01:00:00')));
    const accepted = {
      deletion_id: 'd-2',
      account_id: 'acme',
      state: 'accepted',
      job_count: 1,
      removed_count: null,
      kept_count: 0,
      kept_reason: null,
      accepted_at: '2030-01-02T01:00:00.000Z',
      published_at: null,
      completed_at: null,
      removal_at: null,
      cancelled_at: null,
    };
    expect(await cli.json('deletions', 'list')).toEqual([accepted, completed]);
    expect(await cli.json('deletions', 'list', '--state', 'completed')).toEqual([completed]);
    expect(await cli.json('deletions', 'list', '--account', 'acme', '--limit', '1')).toEqual([accepted]);
    expect(await cli.json('deletions', 'list', '--account', 'other')).toEqual([]);
    expect((await cli.run('deletions', 'list')).stdout).toBe(
      [
        'DELETION  ACCOUNT  STATE      JOBS  ACCEPTED                  COMPLETED',
        'd-2       acme     accepted   1     2030-01-02T01:00:00.000Z  -',
        'd-1       acme     completed  2     2030-01-02T00:00:00.000Z  2030-01-02T00:00:02.000Z',
        '',
      ].join('\n'),
    );
  });

  test('finds deletions by a job, also after its removal, by a key and by a time', async () => {
    await complete('d-1', ['JOB1000', 'JOB1001']);
    await cli.withStore((store) => acceptDeletion(store, 'd-2', ['JOB1002'], time('03:00:00'), 'a-key'));
    const idsOf = async (...args: string[]) =>
      ((await cli.json('deletions', 'list', ...args)) as { deletion_id: string }[]).map(
        (one) => one.deletion_id,
      );
    expect(await idsOf('--job', 'JOB1001')).toEqual(['d-1']);
    expect(await idsOf('--job', 'JOB1002', '--account', 'acme')).toEqual(['d-2']);
    expect(await idsOf('--job', 'JOB1002', '--account', 'other')).toEqual([]);
    expect(await idsOf('--key', 'a-key')).toEqual(['d-2']);
    expect(await idsOf('--since', '1h')).toEqual(['d-2']);
    expect(await idsOf('--since', '1d')).toEqual(['d-2', 'd-1']);
    expect(await idsOf('--since', '1h', '--job', 'JOB1000')).toEqual([]);
  });

  test('reads pages up to the limit and reports that there are more', async () => {
    await cli.withStore(async (store) => {
      for (let index = 0; index < 250; index += 1)
        await acceptDeletion(store, `d-${String(index)}`, [`JOB${1_000 + index}`], time('00:00:00') + index);
    });
    const ids = (list: unknown) => (list as { deletion_id: string }[]).map(({ deletion_id }) => deletion_id);
    const all = Array.from({ length: 250 }, (_, index) => `d-${249 - index}`);
    expect(ids(await cli.json('deletions', 'list', '--limit', '1000'))).toEqual(all);
    expect(ids(await cli.json('deletions', 'list', '--limit', '101'))).toEqual(all.slice(0, 101));
    expect(ids(await cli.json('deletions', 'list'))).toEqual(all.slice(0, 50));
    expect((await cli.run('deletions', 'list')).stdout).toMatch(
      /\nThere are more deletions; these are the newest 50\. See --limit\.\n$/,
    );
    expect((await cli.run('deletions', 'list', '--limit', '250')).stdout).not.toContain('There are more');
  });

  test('reports that there are none', async () => {
    expect((await cli.run('deletions', 'list')).stdout).toBe('There are no deletions.\n');
  });
});

describe('cancel', () => {
  const removalAtMs = time('12:00:00');
  const acceptWaiting = (id: string, jobIds: readonly string[]) =>
    cli.withStore((store) => acceptDeletion(store, id, jobIds, undefined, undefined, removalAtMs));

  test('frees the jobs of a waiting deletion, and says who has cancelled it', async () => {
    await acceptWaiting('d-1', ['JOB1000', 'JOB1001']);
    const { stdout } = await cli.run('deletions', 'show', 'd-1');
    expect(stdout).toMatch(/^state +waits until 2030-01-02T12:00:00.000Z: 2 jobs to be removed/m);
    expect(await cli.json('deletions', 'list', '--state', 'waiting')).toMatchObject([
      { deletion_id: 'd-1', removal_at: '2030-01-02T12:00:00.000Z' },
    ]);
    expect((await cli.run('deletions', 'cancel', 'd-1', '--account', 'acme')).stdout).toBe(
      'Cancelled d-1: 2 jobs of account acme can be deleted again.\n',
    );
    const cancelled = { deletion_id: 'd-1', state: 'cancelled', removed_count: null, removal_at: null };
    expect(await cli.json('deletions', 'cancel', 'd-1', '--account', 'acme')).toMatchObject(cancelled);
    expect((await cli.run('deletions', 'show', 'd-1')).stdout).toMatch(/^cancelled by +operator$/m);
    expect(await cli.json('jobs', 'show', 'JOB1000', '--account', 'acme')).toMatchObject({ state: 'posted' });
    await acceptWaiting('d-2', ['JOB1000']);
  });

  test('refuses what can’t be cancelled, and changes nothing', async () => {
    await complete('d-1', ['JOB1000']);
    await acceptWaiting('d-2', ['JOB1001']);
    const cancel = async (...args: string[]) => {
      const { exitCode, stderr } = await cli.run('deletions', 'cancel', ...args);
      return [exitCode, stderr];
    };
    expect(await cancel('d-1', '--account', 'acme')).toEqual([
      1,
      expect.stringContaining('Nothing was changed.'),
    ]);
    expect(await cancel('d-2', '--account', 'other')).toEqual([
      1,
      expect.stringContaining('has no deletion d-2'),
    ]);
    expect(await cancel('d-2', '--account', 'nobody')).toEqual([
      1,
      expect.stringContaining('no account nobody'),
    ]);
    expect(await cancel('d-2')).toEqual([2, expect.stringContaining('--account')]);
    expect(await cli.json('deletions', 'show', 'd-2')).toMatchObject({ state: 'waiting' });
  });
});
