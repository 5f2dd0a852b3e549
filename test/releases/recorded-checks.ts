import { expect } from '@jest/globals';
import type { TestAccount } from '../harness/service.ts';
import { acceptedBy, deleteJobs, idempotencyKey, jobs } from './recording.ts';

/** The data of an earlier release, used by this version. */
export interface Installation {
  readonly caller: TestAccount;
  /** Runs a command of jobs-delete on the data. Returns its JSON output. */
  jobsDelete(...args: readonly string[]): Promise<unknown>;
}

interface Listed {
  readonly deletion_id: string;
  readonly state: string;
}

export async function listDeletions({ jobsDelete }: Installation): Promise<readonly Listed[]> {
  return (await jobsDelete('deletions', 'list')) as Listed[];
}

/** Expects every deletion with its state and jobs, and the dead letter. */
export async function expectAllShown(installation: Installation): Promise<void> {
  const { caller, jobsDelete } = installation;
  const listed = await listDeletions(installation);
  expect(listed.map(({ state }) => state)).toEqual(['accepted', 'published', 'completed']);
  for (const { deletion_id, state } of listed)
    expect(await jobsDelete('deletions', 'show', deletion_id, '--job-ids')).toMatchObject({
      state,
      account_id: caller.accountId,
      origin: caller.origin,
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      job_ids: jobs[state as keyof typeof jobs],
    });
  expect(await jobsDelete('dead-letters', 'list')).toMatchObject([
    {
      event_key: listed[1]?.deletion_id,
      reason: expect.stringMatching(/^the account has no such/),
    },
  ]);
}

/** Expects, once all deletions are completed: valid credentials, a replay for the key, and a clean audit. */
export async function expectToServe(
  installation: Installation,
  baseUrl: string,
  untilSettled: () => Promise<unknown>,
): Promise<void> {
  const { caller, jobsDelete } = installation;
  expect(await jobsDelete('jobs', 'count')).toMatchObject({ job_count: jobs.untouched.length });
  const listed = await listDeletions(installation);
  const again = deleteJobs(baseUrl, caller, jobs.completed, idempotencyKey);
  expect(await acceptedBy(again)).toBe(listed[2]?.deletion_id);
  expect((await deleteJobs(baseUrl, caller, jobs.completed)).status).toBe(404);
  await acceptedBy(deleteJobs(baseUrl, caller, jobs.untouched));
  await untilSettled();
  expect(await jobsDelete('audit', '--since', '3650d')).toMatchObject({
    healthy: true,
    open_count: 0,
    completed_count: 4,
  });
}
