import { expect, test } from '@jest/globals';
import type { AuditEntry } from '@jobs-delete/accounts/people/audit-trail';
import type { DayCounts, DeletionCounts } from '../deleter/deleter-calls.ts';
import type { Services } from '../services.ts';
import { partOf } from '../testing/part-of.ts';
import { dayMs } from '../web/time.tsx';
import { findLimitStart } from './limit-start.ts';

const nowMs = 100 * dayMs;
const visit = { accountId: 'acme', nowMs };
const change = (agoMs: number, subject: string): AuditEntry => ({
  id: String(agoMs),
  accountId: 'acme',
  actor: 'ada@acme.example',
  action: 'limit.changed',
  atMs: nowMs - agoMs,
  subject,
});

/** Newest first. The deleter has accepted as many jobs as the milliseconds it is asked for. */
const startAfter = (...entries: readonly AuditEntry[]) =>
  findLimitStart(
    partOf<Services>({
      accounts: { listActions: ({ pageSize }) => Promise.resolve(entries.slice(0, pageSize)) },
      deleter: {
        countDeletions: ({ fromMs, toMs }) =>
          Promise.resolve(
            partOf<DeletionCounts>({ days: [partOf<DayCounts>({ jobsAccepted: toMs - fromMs })] }),
          ),
      },
    }),
    visit,
  );

test('a limit leaves out the jobs of the 24 hours that were deleted before it, while there was none', async () => {
  expect(await startAfter()).toBeUndefined();
  expect(await startAfter(change(10, '5 → 9'))).toBeUndefined();
  const start = { atMs: nowMs - 40, uncountedJobs: dayMs - 40 };
  expect(await startAfter(change(10, '5 → 9'), change(40, 'off → 5'))).toEqual(start);
  expect(await startAfter(change(40, 'off → 5'), change(70, '9 → off'))).toEqual({
    atMs: undefined,
    uncountedJobs: 30,
  });
  const earlier = [change(40, 'off → 5'), change(70, '9 → off'), change(90, 'off → 9')];
  expect(await startAfter(...earlier)).toEqual({ atMs: undefined, uncountedJobs: 30 + dayMs - 90 });
  expect(await startAfter(change(dayMs, 'off → 5'))).toBeUndefined();
});

test('a limit of the command line leaves out the jobs since one was ended there', async () => {
  expect(await startAfter(change(40, '5'), change(70, 'off'))).toEqual({
    atMs: undefined,
    uncountedJobs: 30,
  });
  expect(await startAfter(change(40, '5'))).toBeUndefined();
});

test('the start of a limit is found below many other entries of the trail', async () => {
  const others = Array.from({ length: 200 }, (): AuditEntry => ({ ...change(10, ''), action: 'signed-in' }));
  expect(await startAfter(...others, change(40, 'off → 5'))).toMatchObject({ atMs: nowMs - 40 });
});

test('the start of a limit is known without its jobs, if their count takes long', async () => {
  const services = partOf<Services>({
    accounts: { listActions: () => Promise.resolve([change(40, 'off → 5')]) },
    deleter: { countDeletions: () => new Promise(() => undefined) },
  });
  expect(await findLimitStart(services, visit)).toEqual({ atMs: nowMs - 40, uncountedJobs: undefined });
});
