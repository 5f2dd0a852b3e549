import { describe, expect, test } from '@jest/globals';
import { largeRequestJobs } from '@jobs-delete/proto/ids';
import { setUpPair, setUpPool as setUp, type FakeDeleter } from './testing/fake-deleter.ts';

const names = ['a', 'b', 'c'];
const large = { jobs: largeRequestJobs };

describe('a replica that is late', () => {
  test('by 1 s is compared with another one, and is sick if that one answers first', async () => {
    const { pool, send, tick, outcomes, id, accountId, a, b } = await setUpPair();
    send('waits', { accountId });
    await tick(9);
    expect(b.ids).not.toContain(id);
    await tick(1);
    expect(b.last.id).toBe(id);
    expect(b.ids).not.toContain('waits');
    b.last.accept();
    expect(outcomes.get(id)).toBe('accepted by b');
    await tick(2);
    expect(b.last.id).toBe('waits');
    expect(pool.replicas()[0]?.trouble()).toBeDefined();
    expect(send('next', { accountId })).toBe('b');
    a.sent.find((each) => each.id === 'waits')?.accept();
    b.sent.find((each) => each.id === 'waits')?.accept();
    expect(outcomes.get('waits')).toBe('accepted by a');
    expect(a.reads).toBe(0);
    await tick(30);
    expect([a.reads, pool.replicas()[0]?.trouble()]).toEqual([3, undefined]);
    expect(send('again', { accountId })).toBe('a');
  });

  test('is not sick if the other one answers at the same time', async () => {
    const { send, tick, id, accountId, a, b } = await setUpPair();
    await tick(10);
    expect(b.last.id).toBe(id);
    b.last.accept();
    await tick(1);
    a.last.accept();
    await tick(5);
    expect(send('next', { accountId })).toBe('a');
  });

  test.each([
    ['is late too', () => undefined],
    ['fails', (fail: () => void) => fail()],
  ])('is not sick if the other one %s: the trouble is that of the account', async (_name, act) => {
    const { pool, sendTo, tick, outcomes, id, a, b } = await setUpPair();
    const other = sendTo('a', 'other account');
    await tick(10);
    expect(b.last.id).toBe(id);
    act(() => b.last.fail());
    await tick(11);
    expect(pool.replicas().map((replica) => replica.trouble())).toStrictEqual([undefined, undefined]);
    expect(outcomes.get(id)).toBeUndefined();
    // The request of another account is compared next.
    expect(b.last.id).toBe(other.id);
    a.sent.find((each) => each.id === id)?.accept();
    expect(outcomes.get(id)).toBe('accepted by a');
  });

  test('makes one more attempt at a time, however many requests are late', async () => {
    const { deleter, send, tick } = setUp();
    await tick(1);
    for (let index = 0; index < 300; index++) send(String(index), { accountId: `account ${String(index)}` });
    await tick(19);
    expect(names.reduce((sum, name) => sum + deleter(name).sent.length, 0)).toBe(303);
  });

  test('keeps its large requests', async () => {
    const { deleter, send, tick, outcomes } = setUp(['a', 'b']);
    await tick(1);
    const name = send('large', large) ?? '';
    await tick(50);
    expect(['a', 'b'].map((each) => deleter(each).sent.length).toSorted()).toEqual([0, 1]);
    deleter(name).last.accept();
    expect(outcomes.get('large')).toBe(`accepted by ${name}`);
  });
});

describe('a replica that does not answer health checks', () => {
  test('for 1 s loses all its requests to another one, large ones too', async () => {
    const { deleter, send, tick, outcomes } = setUp(['a', 'b']);
    await tick(1);
    const name = send('large', large) ?? '';
    const other = name === 'a' ? 'b' : 'a';
    deleter(name).isSilent = true;
    await tick(9);
    expect(deleter(other).ids).toEqual([]);
    await tick(5);
    expect(deleter(other).ids).toEqual(['large']);
    deleter(other).last.accept();
    deleter(name).last.fail('unknown-outcome', 'lost');
    expect(outcomes.get('large')).toBe(`accepted by ${other}`);
  });

  test('keeps its requests while no other is well, and all get requests', async () => {
    const { deleter, send, tick, outcomes } = setUp(['a', 'b']);
    await tick(1);
    for (const name of ['a', 'b']) deleter(name).isSilent = true;
    for (let index = 0; index < 20; index++) send(String(index), { accountId: `account ${String(index)}` });
    await tick(50);
    expect(outcomes).toEqual(new Map());
    expect(deleter('a').sent.length).toBeGreaterThan(3);
    expect(deleter('b').sent.length).toBeGreaterThan(3);
    // The oldest request of each is compared before the silence is known.
    expect(deleter('a').sent.length + deleter('b').sent.length).toBeLessThanOrEqual(22);
  });
});

test('a replica that does not serve gets no new requests, and answers its old ones', async () => {
  const { send, tick, outcomes, id, accountId, a } = await setUpPair();
  a.isServing = false;
  await tick(5);
  expect(send('next', { accountId })).toBe('b');
  a.last.accept();
  expect(outcomes.get(id)).toBe('accepted by a');
});

test('a replica that does not serve loses the large requests that wait for 3 s', async () => {
  const { deleter, send, tick, outcomes } = setUp(['a', 'b']);
  await tick(1);
  const name = send('large', large) ?? '';
  const other = name === 'a' ? 'b' : 'a';
  deleter(name).isServing = false;
  await tick(29);
  expect(deleter(other).ids).toEqual([]);
  await tick(2);
  expect(deleter(other).ids).toEqual(['large']);
  deleter(other).last.accept();
  expect(outcomes.get('large')).toBe(`accepted by ${other}`);
});

describe('a refusal beside an attempt on a silent replica, which may still be accepted', () => {
  test.each([
    ['is not the answer if that attempt is accepted', (a: FakeDeleter) => a.last.accept(), 'accepted by a'],
    ['is the answer if that attempt is refused too', (a: FakeDeleter) => a.last.refuse(), 'jobs-not-found'],
    [
      'gives an unknown outcome if that attempt is lost',
      (a: FakeDeleter) => a.last.fail('unknown-outcome', 'lost'),
      'unknown-outcome',
    ],
  ])('%s', async (_, end, outcome) => {
    const { tick, outcomes, id, a, b } = await setUpPair();
    a.isSilent = true;
    await tick(15);
    expect(b.last.id).toBe(id);
    b.last.refuse();
    expect(outcomes.get(id)).toBeUndefined();
    end(a);
    expect(outcomes.get(id)).toBe(outcome);
  });
});
