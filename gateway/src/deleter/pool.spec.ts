import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { largeRequestJobs } from '@jobs-delete/proto/ids';
import { setUpPair, setUpPool as setUp } from './testing/fake-deleter.ts';

const names = ['a', 'b', 'c'];
const large = { jobs: largeRequestJobs };

describe('where requests go', () => {
  test('the requests of an account go to the same replica, and accounts are spread', async () => {
    const { send, tick } = setUp();
    await tick(1);
    const replicaOf = (accountId: string) => send('x', { accountId });
    const accounts = Array.from({ length: 60 }, (_, index) => `account ${String(index)}`);
    const first = accounts.map(replicaOf);
    for (const name of names)
      expect(first.filter((each) => each === name).length).toBeGreaterThan(accounts.length / 6);
    expect(replicaOf('account 7')).toBe(first[7]);
  });

  test('an account uses more replicas when its own has more than 1.25 of the average load', async () => {
    const { deleter, send, tick } = setUp();
    await tick(1);
    for (let index = 0; index < 3_000; index++) send(String(index));
    for (const name of names) {
      expect(deleter(name).sent.length).toBeGreaterThan(400);
      expect(deleter(name).sent.length).toBeLessThan(1_300);
    }
  });

  test('a large request counts as the load of its jobs', async () => {
    const { send, tick } = setUp();
    await tick(1);
    const busy = send('large', large);
    expect(send('small')).not.toBe(busy);
  });

  test('requests wait for the first addresses, and fail if there are none', () => {
    const { pool, deleter, send, outcomes } = setUp([]);
    send('1');
    send('2');
    expect(outcomes).toEqual(new Map());
    pool.failResolution('no such name');
    expect([...outcomes.values()]).toEqual(['unavailable', 'unavailable']);
    send('3');
    expect(outcomes.get('3')).toBe('unavailable');
    pool.setAddresses(['a']);
    send('4');
    pool.failResolution('no such name any more');
    send('5');
    expect(deleter('a').ids).toEqual(['4', '5']);
  });

  test('a link that is back is used at once, not at the next tick', async () => {
    const { deleter, send, tick } = setUp(['a', 'b']);
    for (const name of ['a', 'b']) deleter(name).state = 'down';
    await tick(1);
    deleter('b').state = 'ready';
    const accounts = Array.from({ length: 10 }, (_, index) => `account ${String(index)}`);
    expect(accounts.map((accountId) => send(accountId, { accountId }))).toEqual(Array(10).fill('b'));
  });

  test('a removed address gets no more calls, and its connection closes after the last answer', async () => {
    const { pool, send, tick, outcomes, id, a } = await setUpPair();
    pool.setAddresses(['b', 'c']);
    await tick(1);
    for (const next of ['2', '3', '4']) send(next);
    expect([a.ids.filter((each) => each === id), a.isClosed]).toEqual([[id], false]);
    a.last.accept();
    expect([outcomes.get(id), a.isClosed]).toEqual(['accepted by a', true]);
  });

  test('a removed address is still watched: its requests move when it falls silent', async () => {
    const { pool, tick, outcomes, id, a, b } = await setUpPair();
    pool.setAddresses(['b']);
    a.isSilent = true;
    await tick(20);
    expect(b.last.id).toBe(id);
    b.last.accept();
    expect(outcomes.get(id)).toBe('accepted by b');
  });
});

describe('a busy replica', () => {
  test('is not sick: the request goes to one other, and the next request comes again', async () => {
    const { send, outcomes, id, accountId, a, b } = await setUpPair();
    a.last.fail('busy');
    expect(b.last.id).toBe(id);
    b.last.accept();
    expect(outcomes.get(id)).toBe('accepted by b');
    expect(send('next', { accountId })).toBe('a');
  });

  test('costs one more attempt at most: a flood is not resent to all', async () => {
    const { deleter, send, tick, outcomes } = setUp();
    await tick(1);
    const first = send('flood') ?? '';
    deleter(first).last.fail('busy');
    const [second = ''] = names.filter((name) => name !== first && deleter(name).sent.length > 0);
    deleter(second).last.fail('busy');
    expect(outcomes.get('flood')).toBe('busy');
    expect(names.map((name) => deleter(name).sent.length).toSorted()).toEqual([0, 1, 1]);
  });

  test('is the answer when no other is well', async () => {
    const { tick, outcomes, id, a, b } = await setUpPair();
    b.isServing = false;
    await tick(5);
    a.last.fail('busy');
    expect([outcomes.get(id), b.ids.includes(id)]).toEqual(['busy', false]);
  });
});

describe('a request that fails', () => {
  test('is repeated on another replica with the same deletion id, and the first one is sick', async () => {
    const { send, outcomes, id, accountId, a, b } = await setUpPair();
    a.last.fail();
    expect(b.last).toMatchObject({ id, deletionId: `of ${id}` });
    b.last.accept();
    expect(outcomes.get(id)).toBe('accepted by b');
    expect(send('next', { accountId })).toBe('b');
  });

  test('everywhere has an unknown outcome after three attempts, and nobody is sick', async () => {
    const { pool, deleter, send, tick, outcomes } = setUp(['a', 'b', 'c', 'd']);
    await tick(1);
    const first = send('poison');
    for (let attempt = 0; attempt < 3; attempt++)
      for (const name of ['a', 'b', 'c', 'd']) {
        const { sent } = deleter(name);
        if (sent.length > 0) deleter(name).last.fail();
      }
    expect(outcomes.get('poison')).toBe('unknown-outcome');
    expect(['a', 'b', 'c', 'd'].reduce((sum, name) => sum + deleter(name).sent.length, 0)).toBe(3);
    expect(pool.replicas().map((replica) => replica.trouble())).toEqual(Array(4).fill(undefined));
    expect(send('next')).toBe(first);
  });

  test('blames nobody who answers other requests meanwhile', async () => {
    const { send, sendTo, id, accountId, a, b } = await setUpPair();
    const failed = a.last;
    sendTo('a', 'other');
    const other = a.last;
    failed.fail();
    other.accept();
    expect(b.last.id).toBe(id);
    b.last.accept();
    expect(send('next', { accountId })).toBe('a');
  });

  test('because of a defect is not repeated', async () => {
    const { outcomes, id, a, b } = await setUpPair();
    a.last.fail('internal');
    expect([outcomes.get(id), b.ids.includes(id)]).toEqual(['internal', false]);
  });

  test('without another replica, the caller gets the fault', async () => {
    const { deleter, send, tick, outcomes } = setUp(['a']);
    await tick(1);
    send('1');
    deleter('a').last.fail();
    expect([outcomes.get('1'), deleter('a').sent.length]).toEqual(['unknown-outcome', 1]);
  });

  test('when its connection breaks is repeated on the same replica if there is no other', async () => {
    const { deleter, send, tick, outcomes } = setUp(['a']);
    await tick(1);
    send('1');
    deleter('a').last.fail('unknown-outcome', 'lost');
    deleter('a').last.accept();
    expect([outcomes.get('1'), deleter('a').sent.length]).toEqual(['accepted by a', 2]);
    send('2');
    deleter('a').state = 'down';
    deleter('a').last.fail('unknown-outcome', 'lost');
    expect(outcomes.get('2')).toBe('unknown-outcome');
  });

  test('before a server has seen it is repeated until it is accepted', async () => {
    const { deleter, send, tick, outcomes } = setUp(['a']);
    await tick(1);
    send('1');
    for (let count = 1; count < 6; count++) {
      deleter('a').last.fail('unknown-outcome', 'untouched');
      while (deleter('a').sent.length === count) await delay(1);
    }
    deleter('a').last.accept();
    expect(outcomes.get('1')).toBe('accepted by a');
  });
});
