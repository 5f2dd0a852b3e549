import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { status } from '@grpc/grpc-js';
import { setUpPool as setUp } from './testing/fake-deleter.ts';

const key = (idempotencyKey: string) => ({ idempotencyKey });
const large = { jobIds: Array.from({ length: 500 }, (_, index) => `big${String(index)}`) };

describe('the pool of deleters', () => {
  test('the deleter with the fewest batches in flight gets the next batch', async () => {
    const { deleter, send } = setUp();
    for (const id of ['1', '2', '3', '4', '5', '6', '7']) await send(id);
    expect(['a', 'b', 'c'].map((name) => deleter(name).batches.map(({ ids }) => ids))).toEqual([
      [[['1']], [['4']]],
      [[['2']], [['5']]],
      [[['3']], [['6']]],
    ]);
    await send('8');
    deleter('b').batches[1]?.accept();
    await turn();
    expect(deleter('b').last.ids).toEqual([['7'], ['8']]);
  });

  test('a batch has the latest deadline of its calls, and no expired call', async () => {
    const { deleter, send } = setUp(['a']);
    await send('1');
    await send('2');
    const calls = [
      ['late', 0],
      ['long', 60_000],
      ['short', 30_000],
    ] as const;
    for (const [id, timeoutMs] of calls) void send(id, {}, timeoutMs);
    const startedAtMs = Date.now();
    deleter('a').batches[0]?.accept();
    await turn();
    await turn();
    expect(deleter('a').last.ids).toEqual([['long'], ['short']]);
    expect(deleter('a').last.deadlineMs).toBeGreaterThan(startedAtMs + 40_000);
  });

  test('a batch of calls with large headers stays below half of the message limit', async () => {
    const { deleter, send } = setUp(['a']);
    await send('1');
    await send('2');
    const origin = { userAgent: 'x'.repeat(16_000) };
    await Promise.all(Array.from({ length: 300 }, (_, index) => send(`big${String(index)}`, { origin })));
    deleter('a').batches[0]?.accept();
    await turn();
    const { length } = deleter('a').last.ids;
    expect(length).toBeGreaterThan(30);
    expect(length * 2 * 16_000).toBeLessThanOrEqual(2 * 1024 * 1024);
  });

  test('a flood of one account does not delay the calls of another', async () => {
    const { deleter, send } = setUp(['a']);
    await send('1');
    await send('2');
    const flood = Array.from({ length: 2_500 }, (_, index) => send(`flood${String(index)}`));
    await Promise.all([...flood, send('small', { accountId: 'Other' })]);
    deleter('a').batches[0]?.accept();
    await turn();
    expect(deleter('a').last.ids).toHaveLength(2_000);
    expect(deleter('a').last.ids[1]).toEqual(['small']);
  });

  test('calls on a silent deleter go to another after 1 s, and fail after 1.5 s if they may not be repeated', async () => {
    const { deleter, send, tick, outcomes } = setUp(['a', 'b']);
    deleter('a').isSilent = true;
    await send('plain');
    await send('to b');
    await send('keyed', key('k'));
    expect(deleter('a').batches.map(({ ids }) => ids)).toEqual([[['plain']], [['keyed']]]);
    await tick(10);
    expect(deleter('b').batches).toHaveLength(1);
    await tick(1);
    expect(deleter('b').last.ids).toEqual([['keyed']]);
    await tick(4);
    expect(outcomes.get('plain')).toBeUndefined();
    await tick(1);
    expect(outcomes.get('plain')).toBe('unknown-outcome');
  });

  test('while all deleters are silent, no call ends and all get calls', async () => {
    const { deleter, send, tick, outcomes } = setUp(['a', 'b']);
    for (const name of ['a', 'b']) deleter(name).isSilent = true;
    await send('1', key('k'));
    await send('2');
    await tick(50);
    await send('3');
    await send('4');
    expect(outcomes).toEqual(new Map());
    expect(['a', 'b'].map((name) => deleter(name).batches.length)).toEqual([2, 2]);
  });

  test('while the database is slow for all deleters, no call ends', async () => {
    const { deleter, send, tick, outcomes } = setUp(['a', 'b']);
    for (const id of ['1', '2', '3']) await send(id, key(id));
    await send('4');
    await tick(50);
    expect(outcomes).toEqual(new Map());
    expect(['a', 'b'].map((name) => deleter(name).batches.length)).toEqual([2, 2]);
  });

  test('a deleter that is overtaken for 1 s gets no calls until it answers three reads', async () => {
    const { deleter, send, tick, outcomes, overtake } = setUp(['a', 'b']);
    await send('keyed', key('k'));
    await overtake('b');
    await tick(10);
    expect(deleter('b').last.ids).toEqual([['keyed']]);
    deleter('b').last.accept();
    await turn();
    expect(outcomes.get('keyed')).toBe('accepted by b');
    for (let each = 0; each < 4; each++) await overtake('b');
    expect(deleter('a').batches).toHaveLength(1);

    deleter('a').last.accept();
    await turn();
    expect(deleter('a').reads).toBe(0);
    await tick(30);
    expect(deleter('a').reads).toBe(3);
    await send('again');
    await send('again too');
    expect(deleter('a').batches).toHaveLength(2);
  });

  test('a large call only ends when its deleter is silent', async () => {
    const { deleter, send, tick, outcomes, overtake } = setUp(['a', 'b']);
    await send('large', large);
    expect(deleter('a').batches).toHaveLength(1);
    await overtake('b');
    await tick(30);
    expect(outcomes.get('large')).toBeUndefined();
    deleter('a').isSilent = true;
    await tick(30);
    expect(outcomes.get('large')).toBe('unknown-outcome');
  });

  test('a deleter that does not serve gets no new calls, and answers its old ones', async () => {
    const { deleter, send, tick, outcomes } = setUp(['a', 'b']);
    await send('plain');
    await send('to b');
    deleter('a').isServing = false;
    await tick(30);
    expect(outcomes.get('plain')).toBeUndefined();
    deleter('b').last.accept();
    await send('next');
    expect(deleter('a').batches).toHaveLength(1);
    expect(deleter('b').last.ids).toEqual([['next']]);
    deleter('a').last.accept();
    await turn();
    expect(outcomes.get('plain')).toBe('accepted by a');
  });

  test('a deleter that answers only faults gets no calls, and calls with a key go to another', async () => {
    const { deleter, send, outcomes } = setUp(['a', 'b']);
    await send('keyed', key('k'));
    deleter('a').last.refuse();
    await turn();
    deleter('b').last.accept();
    await turn();
    expect(outcomes.get('keyed')).toBe('accepted by b');
    await send('next');
    await send('one more');
    expect(deleter('a').batches).toHaveLength(1);
  });

  test('without another deleter, the caller gets the fault', async () => {
    const { deleter, send, outcomes } = setUp(['a']);
    await send('keyed', key('k'));
    deleter('a').last.refuse();
    await turn();
    expect(outcomes.get('keyed')).toBe('unknown-outcome');
  });

  test.each([
    ['is sent again if it has a key', key('k'), 'Connection dropped', 'accepted by b'],
    ['is sent again if it is of the sandbox', { dryRun: true }, 'Connection dropped', 'accepted by b'],
    ['has an unknown outcome if it has no key', {}, 'Connection dropped', 'unknown-outcome'],
    [
      'is sent again if it was never sent',
      {},
      'No connection established. Last error: none',
      'accepted by b',
    ],
    ['is sent again if the server refused it unprocessed', {}, 'Stream refused by server', 'accepted by b'],
  ])('a call on a lost connection %s', async (_, further, details, outcome) => {
    const { deleter, send, outcomes } = setUp(['a', 'b']);
    await send('call', further);
    deleter('a').state = 'connecting';
    deleter('a').last.fail(status.UNAVAILABLE, details);
    while (!outcomes.has('call')) {
      await turn();
      deleter('b').batches.at(-1)?.accept();
    }
    expect(outcomes.get('call')).toBe(outcome);
    expect(deleter('a').batches).toHaveLength(1);
  });

  test('an accepted first attempt is no replay for the caller', async () => {
    const { deleter, send, outcomes } = setUp(['a', 'b']);
    for (const first of ['own', 'other']) {
      await send(first, { ...key(first), origin: { requestId: 'own' } });
      deleter('a').last.fail(status.UNAVAILABLE, 'Connection dropped');
      await turn();
      deleter('b').last.accept(first);
      await turn();
    }
    expect([...outcomes.values()]).toEqual(['accepted by b', 'replayed by b']);
  });

  test('the late answer of a first attempt counts if it is an acceptance, but not if it is a fault', async () => {
    const { deleter, send, tick, outcomes, overtake } = setUp(['a', 'b']);
    await send('1', key('k'));
    await overtake('b');
    await send('2', key('l'));
    expect(deleter('a').batches).toHaveLength(1);
    await overtake('a');
    deleter('b').last.accept();
    await tick(10);
    expect(deleter('b').last.ids).toEqual([['1']]);
    deleter('a').batches[0]?.refuse();
    await turn();
    expect(outcomes.get('1')).toBeUndefined();
    deleter('b').last.accept();
    await turn();
    expect(outcomes.get('1')).toBe('accepted by b');
  });

  test('a removed address gets no more calls, and its connection closes after the last answer', async () => {
    const { pool, deleter, send, outcomes } = setUp(['a', 'b']);
    await send('1');
    pool.setAddresses(['b', 'c']);
    for (const id of ['2', '3']) await send(id);
    expect(['a', 'b', 'c'].map((name) => deleter(name).batches.length)).toEqual([1, 1, 1]);
    expect(deleter('a').isClosed).toBe(false);
    deleter('a').last.accept();
    await turn();
    expect([outcomes.get('1'), deleter('a').isClosed]).toEqual(['accepted by a', true]);
  });

  test('calls wait for the first addresses, and fail if there are none', async () => {
    const { pool, deleter, send, outcomes } = setUp([]);
    await send('1');
    expect(outcomes).toEqual(new Map());
    pool.failResolution('no such name');
    await turn();
    expect(outcomes.get('1')).toBe('unknown-outcome');
    pool.setAddresses(['a']);
    await send('2');
    pool.failResolution('no such name any more');
    await send('3');
    expect(deleter('a').batches.map(({ ids }) => ids)).toEqual([[['2']], [['3']]]);
  });
});
