import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Store } from '../store/store.ts';
import type { StateCounts } from '../store/receipt-store.ts';
import {
  accept,
  acme,
  importJobs,
  jobIds,
  origin,
  other,
  partsOf,
  removeAndRecord,
} from '../testing/deletions.ts';
import { openStore } from '../testing/open-adapters.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { createCountByDay, dayLengthMs, type CountByDay } from './count-by-day.ts';

const newPath = temporaryFolder();
const firstDayMs = Date.UTC(2026, 1, 27);
const dayMs = (day: number) => firstDayMs + day * dayLengthMs;

/** A sleep ends only with its signal, or with `endSleeps`. */
let endSleeps: (() => void)[];
const clock = {
  now: () => nowMs,
  sleep: (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      signal?.addEventListener('abort', () => resolve());
      endSleeps.push(resolve);
    }),
};
let store: Store;
let nowMs: number;
let reads: string[];
let countByDay: CountByDay;

beforeEach(async () => {
  store = openStore(newPath());
  await importJobs(store, acme, jobIds(20));
  nowMs = dayMs(2) + 3_600_000;
  reads = [];
  endSleeps = [];
  countByDay = createCountByDay({
    clock,
    store: {
      countDeletions: (query) => {
        reads.push(`${query.accountId} ${String((query.fromMs - firstDayMs) / dayLengthMs)}`);
        return store.countDeletions(query);
      },
    },
  });
});
afterEach(() => store.close());

const sumOf = (states: readonly StateCounts[], field: 'deletions' | 'jobs') =>
  states.reduce((sum, state) => sum + state[field], 0);
const count = (accountId = acme) =>
  countByDay({ accountId, fromMs: dayMs(0), toMs: dayMs(3) }, undefined).then((days) => {
    expect(days.map((day) => day.dayMs)).toEqual([dayMs(0), dayMs(1), dayMs(2)]);
    return days.map(({ states }) => [
      sumOf(states, 'deletions'),
      sumOf(
        states.filter(({ state }) => state === 'completed'),
        'jobs',
      ),
    ]);
  });
const complete = async (ids: readonly string[], acceptedAtMs: number) =>
  removeAndRecord(store, partsOf(await accept(store, ids, { acceptedAtMs })), acceptedAtMs);

test('a deletion counts on the UTC day of its acceptance', async () => {
  await complete(['job0000'], dayMs(0));
  await complete(['job0001', 'job0002'], dayMs(1) - 1);
  await complete(['job0003'], dayMs(1));
  expect(await count()).toEqual([
    [2, 3],
    [1, 1],
    [0, 0],
  ]);
});

test('partial days at both ends have only the deletions of the range', async () => {
  await complete(['job0000'], dayMs(0));
  await complete(['job0001'], dayMs(0) + 10);
  await complete(['job0002'], dayMs(1) + 10);
  await complete(['job0003'], dayMs(1));
  const range = { accountId: acme, fromMs: dayMs(0) + 1, toMs: dayMs(1) + 10 };
  const days = await countByDay(range, undefined);
  expect(days.map((day) => [day.dayMs, sumOf(day.states, 'deletions')])).toEqual([
    [dayMs(0), 1],
    [dayMs(1), 1],
  ]);
  expect((await count()).map(([deletions]) => deletions)).toEqual([2, 2, 0]);
});

test('a past day is read again only after an hour', async () => {
  await complete(['job0000'], dayMs(0));
  await count();
  reads.length = 0;
  expect((await count())[0]).toEqual([1, 1]);
  expect(reads).toEqual([`${acme} 2`]);
  await count(other);
  expect(reads.slice(1)).toEqual([`${other} 0`, `${other} 1`, `${other} 2`]);
  reads.length = 0;
  nowMs += 3_600_000;
  await count();
  expect(reads).toEqual([`${acme} 0`, `${acme} 1`, `${acme} 2`]);
});

test('30,000 days stay in memory, and the oldest is read again', async () => {
  const days: string[] = [];
  const countNone = createCountByDay({
    clock,
    store: {
      countDeletions: ({ accountId, fromMs }) => {
        days.push(`${accountId} ${String((fromMs - firstDayMs) / dayLengthMs)}`);
        return Promise.resolve([]);
      },
    },
  });
  await countNone({ accountId: acme, fromMs: dayMs(-15_000), toMs: dayMs(1) }, undefined);
  await countNone({ accountId: other, fromMs: dayMs(-14_999), toMs: dayMs(1) }, undefined);
  days.length = 0;
  await countNone({ accountId: acme, fromMs: dayMs(-15_000), toMs: dayMs(-14_998) }, undefined);
  expect(days).toEqual([`${acme} -15000`]);
});

test('the counts of one token are kept apart', async () => {
  await complete(['job0000'], dayMs(0));
  await count();
  const range = { accountId: acme, fromMs: dayMs(0), toMs: dayMs(1) };
  const ofToken = (tokenId: string) => countByDay({ ...range, tokenId }, undefined);
  expect(await ofToken('unknown')).toEqual([{ dayMs: dayMs(0), states: [] }]);
  expect((await ofToken(origin.tokenId))[0]?.states).toHaveLength(1);
});

test('a past day with an open deletion is read again', async () => {
  const open = await accept(store, jobIds(3), { acceptedAtMs: dayMs(0) });
  expect((await count())[0]).toEqual([1, 0]);
  await removeAndRecord(store, partsOf(open), nowMs);
  expect((await count())[0]).toEqual([1, 3]);
});

test('a day that ended 15 minutes ago is read again', async () => {
  nowMs = dayMs(1) + 900_000;
  await count();
  await complete(['job0000'], dayMs(1) - 1);
  expect((await count())[0]).toEqual([1, 1]);
});

test('all counts together read two days at the same time, and accounts take turns', async () => {
  const waiting: (() => void)[] = [];
  const accounts: string[] = [];
  const countSlowly = createCountByDay({
    clock,
    store: {
      countDeletions: ({ accountId }) => {
        accounts.push(accountId);
        return new Promise((resolve) => waiting.push(() => resolve([])));
      },
    },
  });
  const range = { fromMs: dayMs(0), toMs: dayMs(2) };
  const counts = [acme, acme, acme, other].map((accountId, index) =>
    countSlowly({ ...range, accountId, tokenId: String(index) }, undefined),
  );
  expect(accounts).toEqual([acme, acme]);
  for (let read = 0; read < 8; read++) {
    waiting.shift()?.();
    await new Promise(setImmediate);
    expect(waiting.length).toBeLessThanOrEqual(2);
  }
  expect(await Promise.all(counts)).toHaveLength(4);
  expect(accounts.slice(2, 6)).toContain(other);
});

test('a count that waits for others ends with a Fault when its time is up', async () => {
  let finish: () => void = () => undefined;
  const free = new Promise<void>((resolve) => (finish = resolve));
  const countSlowly = createCountByDay({
    clock,
    store: { countDeletions: () => free.then(() => []) },
  });
  const range = { accountId: acme, fromMs: dayMs(0), toMs: dayMs(2) };
  const first = countSlowly(range, undefined);
  const second = expect(countSlowly(range, nowMs + 1)).rejects.toMatchObject({ code: 'unavailable' });
  nowMs += 1;
  finish();
  await Promise.all([first, second]);
});

test('a count is refused with a Fault while too many wait', async () => {
  const countSlowly = createCountByDay({
    clock,
    store: { countDeletions: () => new Promise(() => undefined) },
  });
  const range = { accountId: acme, fromMs: dayMs(0), toMs: dayMs(1) };
  const counts = Array.from({ length: 203 }, () => countSlowly(range, undefined));
  await expect(Promise.race(counts)).rejects.toMatchObject({
    code: 'unavailable',
    message: 'too many counts of days wait',
  });
});

test('a count that hangs keeps other accounts waiting no longer than its caller waits', async () => {
  const countWithTrouble = createCountByDay({
    clock,
    store: {
      countDeletions: ({ accountId }) =>
        accountId === acme ? new Promise(() => undefined) : Promise.resolve([]),
    },
  });
  const range = { fromMs: dayMs(0), toMs: dayMs(2) };
  const hung = expect(countWithTrouble({ ...range, accountId: acme }, nowMs + 1)).rejects.toMatchObject({
    code: 'unavailable',
  });
  const others = countWithTrouble({ ...range, accountId: other }, undefined);
  endSleeps.forEach((end) => end());
  await hung;
  expect(await others).toHaveLength(2);
});

test('the count ends with a Fault when the caller no longer waits', async () => {
  const range = { accountId: acme, fromMs: dayMs(0), toMs: dayMs(3) };
  await expect(countByDay(range, nowMs)).rejects.toMatchObject({
    code: 'unavailable',
    message: 'the counts of the days took too long',
  });
  expect(reads).toEqual([]);
});
