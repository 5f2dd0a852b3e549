import { expect, test } from '@jest/globals';
import { createAttemptLimits, createAttemptCounts, type Attempt } from './attempt-limits.ts';

const minute = 60_000;
const unknown = { knownBrowser: undefined };
const from = (network: string, email = 'ada@acme.example'): Attempt => ({ network, email, ...unknown });

function startLimits(then: 'wait' | 'block' = 'wait') {
  const clock = { nowMs: 0 };
  const limits = createAttemptLimits({ now: () => clock.nowMs, everywhere: { limit: 50, then } });
  const fail = (attempt: Attempt, count: number) =>
    Array.from({ length: count }, () => limits.begin(attempt).kind);
  return { clock, limits, fail };
}

test('ten failures block a person in a network for the rest of 15 minutes', () => {
  const { clock, limits, fail } = startLimits();
  expect(new Set(fail(from('a'), 10))).toEqual(new Set(['allowed']));
  clock.nowMs = 5 * minute;
  expect(limits.begin(from('a'))).toEqual({ kind: 'blocked', waitMs: 10 * minute });
  expect(limits.begin(from('b')).kind).toBe('allowed');
  clock.nowMs = 15 * minute;
  expect(limits.begin(from('a')).kind).toBe('allowed');
});

test('thirty failures block a network for everybody without a known browser', () => {
  const { limits, fail } = startLimits();
  for (const name of ['ada', 'bob', 'cid']) fail(from('a', `${name}@acme.example`), 10);
  expect(limits.begin(from('a', 'dan@acme.example')).kind).toBe('blocked');
  expect(limits.begin({ ...from('a', 'dan@acme.example'), knownBrowser: 'dans' }).kind).toBe('allowed');
});

test('a known browser has ten attempts of its own, which count for nobody else', () => {
  const { limits, fail } = startLimits();
  const known = { ...from('a'), knownBrowser: 'adas' };
  fail(from('a'), 30);
  expect(fail(known, 11)).toEqual([...Array<string>(10).fill('allowed'), 'blocked']);
  expect(limits.begin({ ...known, knownBrowser: 'another' }).kind).toBe('allowed');
});

test('a success is no failure', () => {
  const { limits } = startLimits();
  for (let count = 0; count < 40; count += 1) {
    expect(limits.begin(from('a')).kind).toBe('allowed');
    limits.succeeded(from('a'));
  }
});

test('attempts count before their result is known', () => {
  const { fail } = startLimits();
  expect(fail(from('a'), 12).filter((kind) => kind === 'allowed')).toHaveLength(10);
});

test('failures from many networks make unknown browsers wait and block nobody', () => {
  const { limits, fail } = startLimits();
  for (const network of ['a', 'b', 'c', 'd', 'e']) fail(from(network), 10);
  expect(limits.begin(from('f'))).toEqual({ kind: 'allowed', delayMs: 2_000 });
  expect(limits.begin({ ...from('f'), knownBrowser: 'adas' })).toEqual({ kind: 'allowed', delayMs: 0 });
  expect(limits.begin(from('f', 'bob@acme.example'))).toEqual({ kind: 'allowed', delayMs: 0 });
});

test('failed codes from many networks block unknown browsers, because a code has six digits', () => {
  const { limits, fail } = startLimits('block');
  for (const network of ['a', 'b', 'c', 'd', 'e']) fail(from(network), 10);
  expect(limits.begin(from('f')).kind).toBe('blocked');
  expect(limits.begin({ ...from('f'), knownBrowser: 'adas' }).kind).toBe('allowed');
});

test('the number of counted keys is limited', () => {
  const counts = createAttemptCounts(() => 0, { maxKeys: 2 });
  for (const key of ['a', 'b', 'c']) counts.add(key, 1);
  expect(['a', 'b', 'c'].map(counts.count)).toEqual([0, 1, 1]);
});
