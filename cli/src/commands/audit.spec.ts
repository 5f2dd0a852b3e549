import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { systemClock, systemRandom } from '@jobs-delete/runtime/time/clock';
import { startRemovalWorker } from '@jobs-delete/deleter-service/deletion/remove-jobs';
import { jobsSchema } from '@jobs-delete/deleter-service/store/sqlite/schema';
import { leaseDue, removeAndRecord } from '@jobs-delete/deleter-service/testing/deletions';
import { openSqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { useCommandLine } from '../program.fixture.ts';
import { acceptDeletion } from './deletions.fixture.ts';
import { withEventLog } from './event-log.fixture.ts';

const cli = useCommandLine();
const acceptedAtMs = Date.parse('2030-01-02T00:00:00Z');
const minute = 60_000;
const clock = { ...systemClock, now: () => acceptedAtMs + 30 * minute };
const manyIds = Array.from({ length: 1_500 }, (_, index) => `many${String(index).padStart(4, '0')}`);

/** Damages the data, as no program of this repository does. */
function corrupt(...statements: readonly string[]): void {
  const database = openSqlite(join(cli.dataDir(), 'jobs-delete.db'), jobsSchema);
  try {
    for (const statement of statements) database.exec(statement);
  } finally {
    database.close();
  }
}

/** Takes what is on the log, until `count` jobs are gone by it. */
function runWorker(count: number): Promise<void> {
  return cli.withStore((store) =>
    withEventLog(cli, async (eventLog) => {
      let removed = 0;
      let failed: (error: unknown) => void;
      const worker = await new Promise((resolve, reject) => {
        failed = reject;
        const starting = startRemovalWorker({
          store,
          eventLog,
          clock,
          random: systemRandom,
          jobDeletedEvents: false,
          onError: (error) => {
            failed(error);
          },
          onDeadLetter: ({ reason }) => {
            failed(new Error(reason));
          },
          onRemoved: ({ jobs }) => {
            removed += jobs;
            if (removed === count) resolve(starting);
          },
        });
        starting.catch(reject);
      });
      await (worker as Awaited<ReturnType<typeof startRemovalWorker>>).stop();
    }),
  );
}

beforeEach(async () => {
  await cli.run('accounts', 'create', 'acme');
  await cli.withStore((store) =>
    store.importJobs(
      'acme',
      ['job0001', 'job0002', 'job0003', 'job0004', ...manyIds].map((id) => ({ id, posting: {} })),
      1,
    ),
  );
  await withEventLog(cli, () => Promise.resolve());
  cli.setNow(acceptedAtMs + 30 * minute);
});

async function audit(...options: readonly string[]) {
  const { exitCode, stdout, stderr } = await cli.run('audit', '--json', ...options);
  expect(stderr).toBe('');
  const value = JSON.parse(stdout) as {
    healthy: boolean;
    finding_count: number;
    findings: { kind: string; deletion_id: string | null; message: string; republished: boolean }[];
  };
  expect(exitCode).toBe(value.healthy ? 0 : 1);
  return value;
}
const kindsOf = async (...options: readonly string[]) =>
  (await audit(...options)).findings.map(({ kind, deletion_id }) => `${kind} ${String(deletion_id)}`);
const accept = (id: string, jobIds: readonly string[], atMs?: number, removalAtMs?: number) =>
  cli.withStore((store) => acceptDeletion(store, id, jobIds, atMs, undefined, removalAtMs));
/** Records a publication like a relay, due again in a day. */
const publish = (id: string, atMs: number, leasedUntilMs = acceptedAtMs) => {
  const lease = { deletionId: id, accountId: 'acme', leasedUntilMs };
  return cli.withStore((store) => store.markPublished([lease], atMs, atMs + 86_400_000));
};
const complete = (id: string, atMs: number) =>
  `UPDATE deletions SET state = 'completed', due_at_ms = NULL, removed_parts = '[{"from":0,"to":1000}]', completed_at_ms = ${String(atMs)} WHERE id = '${id}'`;

describe('without violations', () => {
  test('audit prints the number of checked deletions and exits with 0', async () => {
    expect(await cli.run('audit')).toEqual({
      exitCode: 0,
      stdout: 'No findings in 0 open deletions and 0 completed deletions.\n',
      stderr: '',
    });
    expect(await cli.json('audit')).toEqual({
      healthy: true,
      open_count: 0,
      completed_count: 0,
      finding_count: 0,
      findings: [],
    });
  });

  test('recent, open and completed deletions are no findings', async () => {
    cli.setNow(acceptedAtMs + minute - 1);
    await accept('young', ['job0001']);
    await accept('at-work', ['job0002'], acceptedAtMs - 5 * minute);
    await publish('at-work', acceptedAtMs, acceptedAtMs - 5 * minute);
    await cli.withStore(async (store) => {
      const claims = await acceptDeletion(store, 'removed', ['job0003']);
      const part = { deletionId: 'removed', accountId: 'acme', part: 0, parts: 1, claims };
      await removeAndRecord(store, [part], acceptedAtMs);
      await store.importJobs('acme', [{ id: 'job0003', posting: {} }], 1);
    });
    expect(await cli.json('audit')).toMatchObject({ healthy: true, completed_count: 1, findings: [] });
  });
});

describe('a finding', () => {
  test('a deletion not published since its lease ended', async () => {
    await accept('d1', ['job0001', 'job0002']);
    cli.setNow(acceptedAtMs + 2 * minute);
    expect(await audit()).toMatchObject({
      healthy: false,
      finding_count: 1,
      findings: [
        {
          kind: 'not_published',
          deletion_id: 'd1',
          account_id: 'acme',
          dead_letter_id: null,
          message: 'accepted at 2030-01-02T00:00:00.000Z, never published: 2 jobs to be removed',
          republished: false,
        },
      ],
    });
  });

  test('a published deletion open for longer than --older-than', async () => {
    await accept('d1', ['job0001']);
    await publish('d1', acceptedAtMs + 20 * minute);
    expect(await kindsOf()).toEqual(['not_completed d1']);
    expect(await kindsOf('--older-than', '30m')).toEqual([]);
  });

  test('a completed deletion whose jobs exist, within --since', async () => {
    await accept('d1', ['job0001', 'job0002', 'job0003']);
    corrupt(complete('d1', acceptedAtMs), "DELETE FROM jobs WHERE id = 'job0002'");
    expect(await audit()).toMatchObject({
      findings: [
        {
          kind: 'jobs_left',
          deletion_id: 'd1',
          message: 'completed at 2030-01-02T00:00:00.000Z, and 2 of its jobs are there',
        },
      ],
    });
    expect(await kindsOf('--since', '29m')).toEqual([]);
    expect(await kindsOf('--since', '30m')).toEqual(['jobs_left d1']);
  });

  test("only a job of the deletion's own account, whatever its claims name", async () => {
    await cli.withStore((store) => store.importJobs('umbrella', [{ id: 'theirs01', posting: {} }], 1));
    await accept('d1', ['job0001']);
    const theirs = "(SELECT json_array(seq) FROM jobs WHERE account_id = 'umbrella')";
    corrupt(
      complete('d1', acceptedAtMs),
      "DELETE FROM jobs WHERE id = 'job0001'",
      `UPDATE deletions SET claims = ${theirs} WHERE id = 'd1'`,
    );
    expect(await kindsOf()).toEqual([]);
    corrupt("UPDATE jobs SET account_id = 'acme' WHERE id = 'theirs01'");
    expect(await kindsOf()).toEqual(['jobs_left d1']);
  });

  test('a completed deletion with too few jobs or removals on record', async () => {
    await accept('parts', manyIds);
    await accept('jobs', ['job0001', 'job0002']);
    corrupt(
      complete('parts', acceptedAtMs),
      complete('jobs', acceptedAtMs + 1),
      `UPDATE deletions SET job_ids = '["job0001"]' WHERE id = 'jobs'`,
      'DELETE FROM jobs',
    );
    const found = (deletion_id: string, message: RegExp) => ({
      kind: 'record_incomplete',
      deletion_id,
      message: expect.stringMatching(message),
    });
    expect((await audit()).findings).toMatchObject([
      found('parts', /with the removal of 1000 of \d+ jobs on record$/),
      found('jobs', /with 1 of 2 jobs on record$/),
    ]);
  });

  test('a dead letter that is not replayed or discarded', async () => {
    const event = { position: 'p/0/1', key: 'k', headers: { ce_id: 'e-1' }, value: Buffer.from('{') };
    await withEventLog(cli, (log) =>
      log.addDeadLetters([
        { id: 'e-1', reason: 'its value is not JSON', attempts: 1, failedAtMs: acceptedAtMs, event },
      ]),
    );
    expect((await audit()).findings).toEqual([
      {
        kind: 'dead_letter',
        deletion_id: null,
        account_id: null,
        dead_letter_id: 'e-1',
        message: 'given up at 2030-01-02T00:00:00.000Z: its value is not JSON',
        republished: false,
      },
    ]);
    await cli.run('dead-letters', 'discard', 'e-1');
    expect(await kindsOf()).toEqual([]);
  });

  test('--limit limits the findings shown, not counted', async () => {
    await accept('d1', ['job0001']);
    await accept('d2', ['job0002'], acceptedAtMs + 1);
    expect(await audit('--limit', '1')).toMatchObject({
      finding_count: 2,
      findings: [{ deletion_id: 'd1' }],
    });
    const { exitCode, stdout } = await cli.run('audit', '--limit', '1');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^FINDING .*\nnot_published {2}d1 .*\nThere are 2 findings; these are the first 1\. See --limit\.\n$/,
    );
  });
});

describe('--repair', () => {
  test('publishes stuck deletions again, and a worker completes them', async () => {
    await accept('never', ['job0001', 'job0002']);
    await accept('lost', manyIds);
    await publish('lost', acceptedAtMs + minute);
    expect(await kindsOf()).toEqual(['not_published never', 'not_completed lost']);
    expect((await audit('--repair')).findings).toMatchObject([
      { deletion_id: 'never', republished: true },
      { deletion_id: 'lost', republished: true },
    ]);
    await runWorker(2 + manyIds.length);
    expect(await cli.json('audit')).toMatchObject({ healthy: true, open_count: 0, completed_count: 2 });
    expect(await cli.json('jobs', 'count')).toMatchObject({ job_count: 2 });
  });

  test('ends the wait of a deletion whose delay is over', async () => {
    await accept('delayed', ['job0001'], acceptedAtMs, acceptedAtMs + 5 * minute);
    expect(await cli.json('deletions', 'show', 'delayed')).toMatchObject({ state: 'waiting' });
    expect((await audit('--repair')).findings).toMatchObject([{ deletion_id: 'delayed', republished: true }]);
    await runWorker(1);
    expect(await cli.json('audit')).toMatchObject({ healthy: true, open_count: 0, completed_count: 1 });
  });

  test('records the publication, so a relay publishes again only when due', async () => {
    await accept('d1', ['job0001']);
    await audit('--repair');
    const nowMs = acceptedAtMs + 30 * minute;
    await cli.withStore(async (store) => {
      expect(await store.findDeletion('d1', 'acme')).toMatchObject({ publishedAtMs: nowMs, publications: 1 });
      expect(await leaseDue(store, nowMs + 10 * minute - 1, nowMs * 2, { maxDeletions: 1 })).toEqual([]);
      expect(await leaseDue(store, nowMs + 10 * minute, nowMs * 2, { maxDeletions: 1 })).toHaveLength(1);
    });
  });

  test('is required to publish or record anything', async () => {
    await accept('d1', ['job0001']);
    await audit();
    expect(await cli.withStore((store) => store.findDeletion('d1', 'acme'))).toMatchObject({
      state: 'accepted',
      publications: 0,
    });
    expect(
      await withEventLog(cli, (log) => log.measureLag('jobs.deletion-accepted.v1', 'any')),
    ).toMatchObject([{ events: 0 }]);
  });

  test('does not change what it cannot repair', async () => {
    await accept('d1', ['job0001']);
    corrupt(complete('d1', acceptedAtMs));
    expect((await audit('--repair')).findings).toMatchObject([{ kind: 'jobs_left', republished: false }]);
  });
});
