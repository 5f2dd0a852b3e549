import { describe, expect, test } from '@jest/globals';
import { Fault } from '@jobs-delete/runtime/fault';
import { createVirtualClock } from '@jobs-delete/runtime/testing/virtual-clock';
import { createSeededRandom } from '../testing/seeded-random.ts';
import { startExpiry } from './expire-records.ts';

const hourMs = 3_600_000;

function setUp(receipts: number, events: number, failures = 0) {
  const clock = createVirtualClock();
  const calls: string[] = [];
  const times: number[] = [];
  const errors: unknown[] = [];
  const left = { receipts, events, failures };
  const take = (what: 'receipts' | 'events', beforeMs: number, max: number) => {
    calls.push(`${what} of ${(clock.now() - beforeMs) / hourMs} h`);
    times.push(clock.now());
    if (left.failures-- > 0) return Promise.reject(new Fault('unavailable', 'locked'));
    const taken = Math.min(max, left[what]);
    left[what] -= taken;
    return Promise.resolve(taken);
  };
  const start = (expireReceipts: Expire, seed: number) =>
    startExpiry({
      store: { expireReceipts },
      eventLog: { expireEvents: (beforeMs, max) => take('events', beforeMs, max) },
      clock,
      random: createSeededRandom(seed),
      receiptRetentionMs: 24 * hourMs,
      eventRetentionMs: 7 * hourMs,
      onError: (error) => errors.push(error),
    });
  const expireReceipts: Expire = (retentionMs, max) => take('receipts', clock.now() - retentionMs, max);
  return { clock, calls, times, errors, left, start, expireReceipts };
}

type Expire = (retentionMs: number, maxDeletions: number) => Promise<number>;

function setUpOne(receipts: number, events: number, failures = 0) {
  const { start, expireReceipts, ...rest } = setUp(receipts, events, failures);
  return { ...rest, expiry: start(expireReceipts, 1) };
}

describe('the expiry of records', () => {
  test('deletes expired records in small batches until none is left', async () => {
    const { clock, calls, left, expiry } = setUpOne(1_200, 10);
    await clock.advance(1_000);
    expect(left).toMatchObject({ receipts: 0, events: 0 });
    expect(calls.filter((call) => call.startsWith('receipts of 24'))).toHaveLength(4);
    expect(calls.filter((call) => call.startsWith('events of 7'))).toHaveLength(2);
    expect(calls).toHaveLength(6);
    await expiry.stop();
  });

  test('runs about every ten minutes, at varying intervals', async () => {
    const { clock, times, expiry } = setUpOne(0, 0);
    await clock.advance(50 * hourMs);
    expect(times.length).toBeGreaterThan(2 * 280);
    expect(times.length).toBeLessThan(2 * 320);
    const looks = [...new Set(times)];
    const gaps = looks.slice(1).map((time, index) => time - (looks[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(300_000);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(900_000);
    expect(new Set(gaps).size).toBe(gaps.length);
    await expiry.stop();
  });

  test('continues while a batch finds anything, even less than the limit', async () => {
    const { clock, start, left } = setUp(1_000, 0);
    const expiry = start(() => Promise.resolve(left.receipts > 0 ? (left.receipts--, 1) : 0), 1);
    await clock.advance(100_000);
    expect(left.receipts).toBe(0);
    await expiry.stop();
  });

  test('several workers that find the same receipts continue until none is left', async () => {
    const { clock, start, left } = setUp(100_000, 0);
    const calls = [0, 0, 0];
    // Finding and deleting are two steps: what is found in the same moment is deleted once.
    const worker = (index: number): Expire => {
      return async (_retentionMs, max) => {
        calls[index] = (calls[index] ?? 0) + 1;
        const found = Math.min(max, left.receipts);
        const end = left.receipts - found;
        await clock.sleep(20);
        left.receipts = Math.min(left.receipts, end);
        return found;
      };
    };
    const workers = calls.map((_, index) => start(worker(index), index + 1));
    await clock.advance(60_000);
    expect(left.receipts).toBe(0);
    for (const count of calls) expect(count).toBeGreaterThan(50);
    // Together they are faster than one alone, which would need 200 calls.
    expect(Math.max(...calls)).toBeLessThan(150);
    await Promise.all(workers.map((expiry) => expiry.stop()));
  });

  test('events expire even if receipts fail', async () => {
    const { clock, left, start } = setUp(10, 10);
    const expiry = start(() => Promise.reject(new Fault('unavailable', 'locked')), 1);
    await clock.advance(1_000);
    expect(left.events).toBe(0);
    await expiry.stop();
  });

  test('reports a failure and retries within two minutes', async () => {
    const { clock, errors, left, expiry } = setUpOne(10, 10, 1);
    await clock.advance(120_000);
    expect(errors).toHaveLength(1);
    expect(left).toMatchObject({ receipts: 0, events: 0 });
    await expiry.stop();
  });

  test('stops at once while it works', async () => {
    const { clock, left, expiry } = setUpOne(10_000, 0);
    await clock.settle();
    await expiry.stop();
    expect(left.receipts).toBeGreaterThan(0);
  });
});
