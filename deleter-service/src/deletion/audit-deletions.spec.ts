import { expect, test } from '@jest/globals';
import type { EventRecord } from '../event-log/event-log.ts';
import type { DeletionKey, OpenDeletion } from '../store/store.ts';
import { aDeletion, jobIds } from '../testing/deletions.ts';
import { auditDeletions, type AuditFinding, type AuditOptions } from './audit-deletions.ts';

const startedAtMs = Date.parse('2030-01-02T00:00:00Z');
const hourMs = 3_600_000;

/** Audits these deletions only. @returns the findings, and the counts */
async function audit(
  open: readonly OpenDeletion[],
  more: Partial<Omit<AuditOptions, 'store'>> & { store?: Partial<AuditOptions['store']> } = {},
) {
  const findings: AuditFinding[] = [];
  const { store, ...options } = more;
  const audited = await auditDeletions({
    eventLog: { listDeadLetters: () => Promise.resolve([]), publish: () => Promise.resolve() },
    now: () => startedAtMs,
    olderThanMs: 30_000,
    sinceMs: hourMs,
    maxDeadLetters: 10,
    repair: false,
    onFinding: (finding) => findings.push(finding),
    ...options,
    store: {
      openDeletions: () => pagesOf(open),
      completedDeletions: () => pagesOf([]),
      leaseOpen: () => Promise.resolve([]),
      markPublished: () => Promise.resolve(),
      endCancelled: () => Promise.resolve(),
      ...store,
    },
  });
  return { audited, findings };
}

/** One page for each item. */
async function* pagesOf<Item>(items: readonly Item[]): AsyncGenerator<Item[]> {
  for (const item of items) yield await Promise.resolve([item]);
}

/** In milliseconds. */
interface Ages {
  readonly due: number;
  readonly accepted?: number;
  readonly removal?: number;
  readonly published?: number;
}

function anOpen(
  state: OpenDeletion['state'],
  { due, accepted = hourMs, removal, published }: Ages,
): OpenDeletion {
  return {
    id: 'd',
    accountId: 'acme',
    state,
    jobCount: 1,
    acceptedAtMs: startedAtMs - accepted,
    dueAtMs: startedAtMs - due,
    removalAtMs: removal === undefined ? undefined : startedAtMs - removal,
    publishedAtMs: published === undefined ? undefined : startedAtMs - published,
  };
}

const never = 'accepted at 2030-01-01T23:00:00.000Z, never published: 1 job to be removed';
const published =
  'accepted at 2030-01-01T23:00:00.000Z, published at 2030-01-01T23:59:59.000Z: 1 job to be removed';
const cancelled = 'accepted at 2030-01-01T23:00:00.000Z, cancelled: its event is not published';

test.each([
  ['leased, accepted in time', anOpen('accepted', { due: -20_000, accepted: 30_000 }), undefined],
  ['leased for too long', anOpen('accepted', { due: -20_000 }), `not_completed ${never}`],
  ['due for a minute', anOpen('accepted', { due: 60_000, removal: 0 }), undefined],
  ['due for longer', anOpen('accepted', { due: 60_001 }), `not_published ${never}`],
  [
    'published, to be completed in time',
    anOpen('published', { due: 60_001, removal: 30_000, published: 1 }),
    undefined,
  ],
  ['published', anOpen('published', { due: 60_001, published: 1_000 }), `not_completed ${published}`],
  ['published by this audit', anOpen('published', { due: 60_001, published: 0 }), undefined],
  ['waiting, its delay just over', anOpen('waiting', { due: 60_000, removal: 60_000 }), undefined],
  ['waiting, its delay over', anOpen('waiting', { due: 60_001, removal: 60_001 }), `not_published ${never}`],
  ['just cancelled', anOpen('cancelled', { due: 60_000 }), undefined],
  ['cancelled', anOpen('cancelled', { due: 60_001 }), `not_published ${cancelled}`],
])('an open deletion: %s', async (_, deletion, finding) => {
  const { audited, findings } = await audit([deletion]);
  expect(findings.map(({ kind, message }) => `${kind} ${message}`)).toEqual(finding ? [finding] : []);
  expect(audited).toEqual({ openDeletions: 1, completedDeletions: 0 });
});

test.each([
  [30_000, 30_000],
  [hourMs, 60_000],
])('looks at deletions older than %i ms, or a minute if that is less: %i ms', async (olderThanMs, ageMs) => {
  let acceptedBeforeMs: number | undefined;
  const openDeletions = (beforeMs: number) => {
    acceptedBeforeMs = beforeMs;
    return pagesOf<OpenDeletion>([]);
  };
  await audit([], { olderThanMs, store: { openDeletions } });
  expect(acceptedBeforeMs).toBe(startedAtMs - ageMs);
});

test.each([
  [1_000, 0, []],
  [1_001, 1_000, ['record_incomplete']],
  [1_001, 1_001, []],
])(
  'a completed deletion of %i jobs, %i of them in recorded parts: %j',
  async (jobCount, coveredJobs, kinds) => {
    const completed = {
      jobCount,
      coveredJobs,
      recordedJobs: jobCount,
      jobsLeft: 0,
      completedAtMs: startedAtMs,
    };
    const completedDeletions = () => pagesOf([{ ...completed, id: 'd', accountId: 'acme' }]);
    const { audited, findings } = await audit([], { store: { completedDeletions } });
    expect(findings.map(({ kind }) => kind)).toEqual(kinds);
    expect(audited).toEqual({ openDeletions: 0, completedDeletions: 1 });
  },
);

test('a repair leases and publishes about 10,000 jobs at a time, without deletions that ended meanwhile', async () => {
  const stuck = ['a', 'b', 'ended'].map((id) => ({
    ...anOpen('accepted', { due: hourMs }),
    id,
    jobCount: 5_001,
  }));
  const calls: string[] = [];
  const leaseOpen = (keys: readonly DeletionKey[], untilMs: number) => {
    calls.push(`lease ${keys.map(({ deletionId }) => deletionId).join()} for ${untilMs - startedAtMs} ms`);
    const open = keys.filter(({ deletionId }) => deletionId !== 'ended');
    return Promise.resolve(open.map(({ deletionId: id }) => aDeletion(jobIds(1), { id })));
  };
  const publish = (_: string, events: readonly EventRecord[]) => {
    if (events.length > 0) calls.push(`publish ${events.map(({ key }) => key).join()}`);
    return Promise.resolve();
  };
  const openDeletions = async function* () {
    yield await Promise.resolve(stuck);
  };
  const { findings } = await audit([], {
    repair: true,
    eventLog: { listDeadLetters: () => Promise.resolve([]), publish },
    store: { leaseOpen, openDeletions },
  });
  expect(calls).toEqual([
    ...['lease a for 30000 ms', 'publish a', 'lease b for 30000 ms', 'publish b'],
    'lease ended for 30000 ms',
  ]);
  expect(findings.map(({ republished }) => republished)).toEqual([true, true, false]);
});
