import { expect, test } from '@jest/globals';
import { Fault } from '@jobs-delete/runtime/fault';
import { createVirtualClock } from '@jobs-delete/runtime/testing/virtual-clock';
import { noRules, type SafetyRules } from '../store/safety-rules.ts';
import { createRuleReader } from './read-rules.ts';

const delayed: SafetyRules = { ...noRules, removalDelayMs: 60_000 };
const away = new Fault('unavailable', 'the store is away');

type Answer = ReadonlyMap<string, SafetyRules> | Fault | 'never';

function setUp(answer: (accounts: readonly string[]) => Answer, maxAccounts?: number) {
  const queries: (readonly string[])[] = [];
  const clock = createVirtualClock();
  const findRules = async (accounts: readonly string[]) => {
    queries.push(accounts);
    const answered = answer(accounts);
    if (answered instanceof Fault) throw answered;
    return answered === 'never' ? new Promise<never>(() => undefined) : Promise.resolve(answered);
  };
  const readRules = createRuleReader({ store: { findRules }, clock, ...(maxAccounts && { maxAccounts }) });
  return { readRules, queries, clock };
}

const ofAcme = new Map([['acme', delayed]]);

test('the accounts of one turn share a query, and each account is asked for once in 5 s', async () => {
  const { readRules, queries, clock } = setUp(() => ofAcme);
  const first = await Promise.all(['acme', 'other', 'acme'].map((id) => readRules(id)));
  expect(first).toEqual([delayed, noRules, delayed]);
  await clock.advance(3_999);
  expect(await Promise.all(['acme', 'other'].map((id) => readRules(id)))).toEqual([delayed, noRules]);
  expect(queries).toEqual([['acme', 'other']]);
});

test('a change shows within 5 s, and a request waits only if no request came just before', async () => {
  let rules = noRules;
  const { readRules, queries, clock } = setUp(() => new Map([['acme', rules]]));
  await readRules('acme');
  rules = delayed;
  await clock.advance(4_999);
  expect(await readRules('acme')).toEqual(noRules);
  expect(await readRules('acme')).toEqual(noRules);
  await clock.settle();
  expect(await readRules('acme')).toEqual(delayed);
  expect(queries).toHaveLength(2);
  rules = noRules;
  await clock.advance(5_000);
  expect(await readRules('acme')).toEqual(noRules);
});

test('a request that wants the rules of now does not take those of the cache', async () => {
  let rules = noRules;
  const { readRules } = setUp(() => new Map([['acme', rules]]));
  await readRules('acme');
  rules = delayed;
  expect(await readRules('acme', 'now')).toEqual(delayed);
  expect(await readRules('acme')).toEqual(delayed);
});

test.each<[string, Answer]>([
  ['succeeds', new Map()],
  ['fails', away],
])(
  'a request that wants the rules of now does not take those of a read in flight that %s',
  async (_, old) => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let reads = 0;
    const findRules = async () => {
      reads += 1;
      if (reads > 1) return ofAcme;
      await held;
      if (old instanceof Map) return old;
      throw away;
    };
    const clock = createVirtualClock();
    const readRules = createRuleReader({ store: { findRules }, clock });
    const earlier = readRules('acme').catch(() => undefined);
    await clock.settle();
    const ofNow = Promise.allSettled([readRules('acme', 'now'), readRules('acme', 'now')]);
    release();
    await earlier;
    expect(await ofNow).toEqual(Array(2).fill({ status: 'fulfilled', value: delayed }));
    expect(reads).toBe(2);
  },
);

test('while reads fail, rules count for a minute, and then requests are refused', async () => {
  let isAway = true;
  const { readRules, clock } = setUp(() => (isAway ? away : ofAcme));
  await expect(readRules('acme')).rejects.toMatchObject({ name: 'Fault', code: 'unavailable' });
  isAway = false;
  expect(await readRules('acme')).toEqual(delayed);
  isAway = true;
  await clock.advance(59_999);
  expect(await readRules('acme')).toEqual(delayed);
  await clock.advance(1);
  await expect(readRules('acme')).rejects.toMatchObject({ code: 'unavailable' });
});

test('a fault that is not transient refuses the request as unavailable too', async () => {
  const { readRules } = setUp(() => new Fault('internal', 'not allowed'));
  await expect(readRules('acme')).rejects.toMatchObject({ code: 'unavailable' });
});

test.each<[string, Answer]>([
  ['fails', away],
  ['hangs', 'never'],
])(
  'an account whose read %s does not hold the others, and is read apart from then on',
  async (_, trouble) => {
    let isSick = true;
    const { readRules, queries, clock } = setUp((accounts) =>
      isSick && accounts.includes('sick') ? trouble : ofAcme,
    );
    const sick = readRules('sick').catch((error: unknown) => error);
    const well = readRules('acme');
    await clock.advance(1_000);
    expect(await well).toEqual(delayed);
    await clock.advance(5_000);
    queries.length = 0;
    const again = [readRules('sick').catch(() => undefined), readRules('acme'), readRules('third')];
    await clock.settle();
    expect(await again[1]).toEqual(delayed);
    expect(await again[2]).toEqual(noRules);
    expect(queries).toContainEqual(['acme', 'third']);
    isSick = false;
    if (trouble === 'never') return;
    expect(await sick).toMatchObject({ code: 'unavailable' });
    expect(await readRules('sick')).toEqual(noRules);
    await clock.advance(5_000);
    queries.length = 0;
    await Promise.all(['sick', 'acme'].map((id) => readRules(id)));
    expect(queries).toEqual([['sick', 'acme']]);
  },
);

test('rules read before the clock was set back are read again', async () => {
  const { readRules, queries, clock } = setUp(() => ofAcme);
  await readRules('acme');
  clock.step(-60_000);
  await readRules('acme');
  expect(queries).toHaveLength(2);
});

test('memory is bounded: beyond the limit, the longest unread account is read again', async () => {
  const { readRules, queries } = setUp(() => ofAcme, 2);
  for (const account of ['acme', 'one', 'two', 'two', 'one', 'acme']) await readRules(account);
  expect(queries).toEqual([['acme'], ['one'], ['two'], ['acme']]);
});
