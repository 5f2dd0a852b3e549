import { describe, expect, test } from '@jest/globals';
import { Fault } from '@jobs-delete/runtime/fault';
import { createVirtualClock } from '../testing/virtual-clock.ts';
import { startExpiry } from './expire-records.ts';

const hourMs = 3_600_000;

function setUp(receipts: number, events: number, failures = 0) {
  const clock = createVirtualClock();
  const calls: string[] = [];
  const errors: unknown[] = [];
  const left = { receipts, events, failures };
  const take = (what: 'receipts' | 'events', beforeMs: number, max: number) => {
    calls.push(`${what} of ${(clock.now() - beforeMs) / hourMs} h`);
    if (left.failures-- > 0) return Promise.reject(new Fault('unavailable', 'locked'));
    const taken = Math.min(max, left[what]);
    left[what] -= taken;
    return Promise.resolve(taken);
  };
  const expiry = startExpiry({
    store: { expireReceipts: (beforeMs, max) => take('receipts', beforeMs, max) },
    eventLog: { expireEvents: (beforeMs, max) => take('events', beforeMs, max) },
    clock,
    receiptRetentionMs: 24 * hourMs,
    eventRetentionMs: 7 * hourMs,
    onError: (error) => errors.push(error),
  });
  return { clock, calls, errors, left, expiry };
}

describe('the expiry of records', () => {
  test('deletes what is past its own time, a little at a time, until nothing is left', async () => {
    const { clock, calls, left, expiry } = setUp(1_200, 10);
    await clock.advance(1_000);
    expect(left).toMatchObject({ receipts: 0, events: 0 });
    expect(calls).toEqual([...Array<string>(3).fill('receipts of 24 h'), 'events of 7 h']);
    await expiry.stop();
  });

  test('looks again every ten minutes', async () => {
    const { clock, calls, expiry } = setUp(0, 0);
    await clock.advance(hourMs);
    expect(calls).toHaveLength(2 * 7);
    await expiry.stop();
  });

  test('goes on after a failure, and tells of it', async () => {
    const { clock, errors, left, expiry } = setUp(10, 10, 1);
    await clock.advance(hourMs);
    expect(errors).toHaveLength(1);
    expect(left).toMatchObject({ receipts: 0, events: 0 });
    await expiry.stop();
  });

  test('stops at once, in the midst of its work', async () => {
    const { clock, left, expiry } = setUp(10_000, 0);
    await clock.settle();
    await expiry.stop();
    expect(left.receipts).toBeGreaterThan(0);
  });
});
