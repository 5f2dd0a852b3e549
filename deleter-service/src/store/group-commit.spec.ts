import { describe, expect, test } from '@jest/globals';
import { asFault, Fault } from '@jobs-delete/runtime/fault';
import { systemClock } from '@jobs-delete/runtime/time/clock';
import { createVirtualClock } from '@jobs-delete/runtime/testing/virtual-clock';
import { acceptRequest, importJobs, jobIds } from '../testing/deletions.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { setUpGroupCommit } from './group-commit.fixture.ts';
import { groupCommit } from './group-commit.ts';
import { openSqliteStore } from './sqlite-store.ts';
import { storeContract } from './contract/store.contract.ts';
import type { Store } from './store.ts';

const newPath = temporaryFolder();

storeContract('SQLite behind group commit', () => {
  const path = newPath();
  const clock = systemClock;
  const open = (): Store => {
    const store = openSqliteStore(path);
    const { acceptDeletion } = groupCommit(store, { clock });
    return {
      ...store,
      acceptDeletions: async (requests, answer) => {
        const answering = requests.map(async (request, index) =>
          answer(index, await acceptDeletion(request).catch(asFault)),
        );
        await Promise.all(answering);
      },
    };
  };
  let store = open();
  return Promise.resolve({
    store,
    reopen: async () => {
      await store.close();
      return (store = open());
    },
    close: () => store.close(),
  });
});

describe('group commit', () => {
  test('a request that waits past its deadline is refused without a call of the store', async () => {
    const { clock, calls, call, ask, grouped } = setUpGroupCommit();
    ask(1);
    await clock.settle();
    const late = acceptRequest(jobIds(1), { deadlineMs: clock.now() });
    const refused = expect(grouped.acceptDeletion(late)).rejects.toMatchObject({ code: 'busy' });
    call(0).succeed();
    await clock.settle();
    await refused;
    expect(calls).toHaveLength(1);
  });

  test('requests of one turn share one call, and each gets its own answer', async () => {
    const { clock, calls, call, idsOf, ask, answers } = setUpGroupCommit();
    const ids = [ask(1), ask(2), ask(3)];
    expect(calls).toHaveLength(0);
    await clock.settle();
    expect(calls).toHaveLength(1);
    expect(idsOf(0)).toEqual(ids);
    call(0).succeed();
    await clock.settle();
    expect(answers).toEqual(ids);
  });

  test('requests that arrive during a call form the next group, which starts right after it', async () => {
    const { clock, calls, call, idsOf, ask, answers } = setUpGroupCommit();
    const first = ask(1);
    await clock.settle();
    const later = [ask(1), ask(1)];
    await clock.settle();
    expect(calls).toHaveLength(1);
    call(0).succeed();
    await clock.settle();
    expect(answers).toEqual([first]);
    expect(idsOf(1)).toEqual(later);
  });

  test('a request never waits for time', async () => {
    const { clock, call, ask, answers } = setUpGroupCommit();
    const startMs = clock.now();
    const id = ask(1);
    await clock.settle();
    call(0).succeed();
    await clock.settle();
    expect(answers).toEqual([id]);
    expect(clock.now()).toBe(startMs);
  });

  test('a group has at most the maximum number of jobs', async () => {
    const { clock, calls, call, idsOf, ask } = setUpGroupCommit({ maxGroupJobs: 10 });
    const [a, b, c, d] = [ask(4), ask(6), ask(1), ask(10)];
    for (let index = 0; index < 3; index++) {
      await clock.settle();
      call(index).succeed();
    }
    await clock.settle();
    expect(calls).toHaveLength(3);
    expect([idsOf(0), idsOf(1), idsOf(2)]).toEqual([[a, b], [c], [d]]);
  });

  test('a request larger than a group is sent alone', async () => {
    const { clock, idsOf, ask } = setUpGroupCommit({ maxGroupJobs: 10 });
    const id = ask(99);
    await clock.settle();
    expect(idsOf(0)).toEqual([id]);
  });

  test('large requests go alone, one of each account at a time, and never delay small ones', async () => {
    const { clock, calls, call, idsOf, ask } = setUpGroupCommit();
    const big = [ask(200), ask(10_000), ask(300, { accountId: 'other' })];
    const small = [ask(1), ask(199)];
    await clock.settle();
    expect(calls.map((_, index) => idsOf(index))).toEqual([[big[0]], [big[2]], small]);
    call(0).succeed();
    await clock.settle();
    expect(idsOf(3)).toEqual([big[1]]);
  });

  test('at most four large requests are in flight, of accounts round robin', async () => {
    const { clock, calls, call, idsOf, ask } = setUpGroupCommit();
    const accounts = ['a', 'b', 'c', 'd', 'e'];
    const ids = accounts.map((accountId) => ask(1_000, { accountId }));
    const second = ask(1_000, { accountId: 'a' });
    await clock.settle();
    expect(calls).toHaveLength(4);
    call(0).succeed();
    await clock.settle();
    call(1).succeed();
    await clock.settle();
    expect([idsOf(4), idsOf(5)]).toEqual([[ids[4]], [second]]);
  });

  test('a second group starts beside the first if enough jobs are queued, and a third one never does', async () => {
    const { clock, calls, call, idsOf, ask, answers } = setUpGroupCommit({
      secondFromJobs: 10,
      maxGroupJobs: 20,
    });
    const first = ask(1);
    await clock.settle();
    const second = [ask(4), ask(5)];
    await clock.settle();
    expect(calls).toHaveLength(1);
    second.push(ask(1));
    await clock.settle();
    expect(idsOf(1)).toEqual(second);
    const third = ask(20);
    await clock.settle();
    expect(calls).toHaveLength(2);

    call(0).fail(new Fault('unavailable', 'disk full'));
    await clock.settle();
    expect(answers).toEqual([`${first}: disk full`]);
    expect(idsOf(2)).toEqual([third]);
  });

  test('one late caller fails alone', async () => {
    const { clock, calls, call, idsOf, ask, answers } = setUpGroupCommit();
    ask(1);
    await clock.settle();
    const late = ask(1, { deadlineMs: clock.now() + 60 });
    const inTime = ask(1);
    await clock.advance(60);
    call(0).succeed();
    await clock.settle();
    expect(idsOf(1)).toEqual([inTime]);
    expect(answers.slice(1)).toEqual([`${late}: the store was not free before the deadline`]);
    call(1).succeed();
    await clock.settle();
    expect(answers.at(-1)).toBe(inTime);
    expect(calls).toHaveLength(2);
  });

  test('each request is answered as soon as its own outcome is known, also after the call', async () => {
    const { clock, calls, call, ask, answers } = setUpGroupCommit();
    ask(2);
    const failing = ask(3);
    const good = ask(1);
    await clock.settle();
    call(0).answer(2);
    await clock.settle();
    expect(answers).toEqual([good]);
    const next = ask(1);
    call(0).return();
    await clock.settle();
    expect(calls).toHaveLength(2);
    call(1).succeed();
    call(0).answer(1, new Fault('unavailable', 'no answer'));
    call(0).answer(0, { kind: 'key-reused' });
    await clock.settle();
    expect([...answers].sort()).toEqual([good, next, 'key-reused', `${failing}: no answer`].sort());
  });

  test('an account that is set apart takes its queued requests out of the groups', async () => {
    const { clock, calls, call, idsOf, ask } = setUpGroupCommit();
    const late = ask(1, { accountId: 'late' });
    ask(1, { accountId: 'well' });
    await clock.settle();
    const queued = [ask(1, { accountId: 'late' }), ask(1, { accountId: 'well' })];
    call(0).answer(1);
    await clock.advance(1_000);
    const sent = calls.slice(1).map((_, index) => idsOf(index + 1));
    expect(sent.sort()).toEqual([[late, queued[0]], [queued[1]]].sort());
  });

  test('accounts are served round robin: the backlog of one does not delay another', async () => {
    const { clock, call, idsOf, ask } = setUpGroupCommit({ maxGroupJobs: 2 });
    ask(1);
    await clock.settle();
    const first = Array.from({ length: 6 }, () => ask(1, { accountId: 'greedy' }));
    const other = ask(1, { accountId: 'modest' });
    await clock.settle();
    call(0).succeed();
    await clock.settle();
    expect(idsOf(1)).toEqual([first[0], other]);
  });

  test('a Fault of a group of one account fails it, and no other one', async () => {
    const { clock, call, ask, answers } = setUpGroupCommit();
    const [a, b] = [ask(1), ask(1)];
    await clock.settle();
    const c = ask(1);
    const big = ask(500);
    await clock.settle();
    call(0).fail(new Fault('unavailable', 'disk full'));
    await clock.settle();
    expect(answers).toEqual([`${a}: disk full`, `${b}: disk full`]);
    call(1).succeed();
    call(2).succeed();
    await clock.settle();
    expect([...answers].slice(2).sort()).toEqual([big, c].sort());
  });

  test('many concurrent requests are all answered, in order', async () => {
    const { clock, calls, call, ask, answers } = setUpGroupCommit();
    const ids = Array.from({ length: 5_000 }, () => ask(1));
    for (let index = 0; answers.length < ids.length; index++) {
      await clock.settle();
      call(index).succeed();
      await clock.settle();
    }
    expect(answers).toEqual(ids);
    expect(calls).toHaveLength(3);
  });

  test('each request of a group is accepted or refused alone', async () => {
    const store = openSqliteStore(newPath());
    await importJobs(store, 'acme', jobIds(3));
    const clock = createVirtualClock();
    const grouped = groupCommit(store, { clock });
    const asked = [['job0001'], ['missing'], ['job0001', 'job0002'], ['job0002']].map((ids) =>
      grouped.acceptDeletion(acceptRequest(ids)),
    );
    await clock.settle();
    const outcomes = await Promise.all(asked);
    expect(outcomes.map(({ kind }) => kind)).toEqual([
      'accepted',
      'jobs-not-found',
      'jobs-not-found',
      'accepted',
    ]);
    await store.close();
  });
});
