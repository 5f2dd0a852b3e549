import { describe, expect, test } from '@jest/globals';
import { Fault } from '@jobs-delete/runtime/fault';
import { systemClock } from '../deletion/clock.ts';
import { acceptRequest, aDeletion, importJobs, jobIds } from '../testing/deletions.ts';
import { createGate } from '../testing/events.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { createVirtualClock } from '../testing/virtual-clock.ts';
import { groupCommit, type GroupCommitOptions } from './group-commit.ts';
import { openSqliteStore } from './sqlite-store.ts';
import { storeContract } from './store.contract.ts';
import type { AcceptOutcome, AcceptRequest, DeletionStore } from './store.ts';

const newPath = temporaryFolder();

storeContract('SQLite behind group commit', () => {
  const path = newPath();
  const clock = systemClock;
  const open = () => {
    const store = openSqliteStore(path);
    return { ...store, ...groupCommit(store, { clock }) };
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

interface Call {
  readonly requests: readonly AcceptRequest[];
  /** Whether it has come to its turn. */
  isWriting: boolean;
  succeed(): void;
  fail(error: Error): void;
}

/** A store that answers each call when the test says so. */
function createManualStore() {
  const calls: Call[] = [];
  const store: DeletionStore = {
    acceptDeletions: (requests, inTurn = (write) => write()) => {
      const answered = createGate();
      let failure: Error | undefined;
      const call: Call = {
        requests,
        isWriting: false,
        succeed: answered.open,
        fail: (error) => {
          failure = error;
          answered.open();
        },
      };
      calls.push(call);
      return inTurn(async () => {
        call.isWriting = true;
        await answered.opened;
        if (failure !== undefined) throw failure;
        return requests.map(({ deletionId, jobIds }): AcceptOutcome => ({
          kind: 'accepted',
          deletion: aDeletion(jobIds, { id: deletionId }),
        }));
      });
    },
    findUnavailableJobs: (accountId, ids) =>
      Promise.resolve({ positions: [ids.length], truncated: accountId === 'truncated' }),
  };
  return { store, calls };
}

function setUp(options: Partial<GroupCommitOptions> = {}) {
  const clock = createVirtualClock();
  const { store, calls } = createManualStore();
  const grouped = groupCommit(store, { clock, ...options });
  const answers: string[] = [];
  const ask = (jobs: number): string => {
    const request = acceptRequest(jobIds(jobs));
    grouped.acceptDeletions([request]).then(
      ([outcome]) => answers.push(outcome?.kind === 'accepted' ? outcome.deletion.id : 'not accepted'),
      (error: unknown) => answers.push(`${request.deletionId}: ${(error as Error).message}`),
    );
    return request.deletionId;
  };
  const call = (index: number): Call => {
    const found = calls[index];
    if (found === undefined) throw new Error(`there was no call ${index}`);
    return found;
  };
  const idsOf = (index: number) => call(index).requests.map(({ deletionId }) => deletionId);
  return { clock, calls, call, idsOf, ask, answers, grouped };
}

describe('group commit', () => {
  test('a request that waited past its deadline is refused, and nothing is asked for it', async () => {
    const { clock, calls, call, ask, grouped } = setUp();
    ask(1);
    await clock.settle();
    const late = acceptRequest(jobIds(1), { deadlineMs: clock.now() });
    const refused = expect(grouped.acceptDeletions([late])).rejects.toMatchObject({ code: 'unavailable' });
    call(0).succeed();
    await clock.settle();
    await refused;
    expect(calls).toHaveLength(1);
  });

  test('requests of one turn share one call, in their order, and each gets its own answer', async () => {
    const { clock, calls, call, idsOf, ask, answers } = setUp();
    const ids = [ask(1), ask(2), ask(3)];
    expect(calls).toHaveLength(0);
    await clock.settle();
    expect(calls).toHaveLength(1);
    expect(idsOf(0)).toEqual(ids);
    call(0).succeed();
    await clock.settle();
    expect(answers).toEqual(ids);
  });

  test('what comes while a group is in flight forms the next one, which leaves at once after it', async () => {
    const { clock, calls, call, idsOf, ask, answers } = setUp();
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
    const { clock, call, ask, answers } = setUp();
    const startMs = clock.now();
    const id = ask(1);
    await clock.settle();
    call(0).succeed();
    await clock.settle();
    expect(answers).toEqual([id]);
    expect(clock.now()).toBe(startMs);
  });

  test('a group is closed before it holds too many jobs', async () => {
    const { clock, calls, call, idsOf, ask } = setUp({ maxGroupJobs: 10 });
    const [a, b, c, d] = [ask(4), ask(6), ask(1), ask(10)];
    for (let index = 0; index < 3; index++) {
      await clock.settle();
      call(index).succeed();
    }
    await clock.settle();
    expect(calls).toHaveLength(3);
    expect([idsOf(0), idsOf(1), idsOf(2)]).toEqual([[a, b], [c], [d]]);
  });

  test('a request larger than a group is not held back for ever', async () => {
    const { clock, idsOf, ask } = setUp({ maxGroupJobs: 10 });
    const id = ask(99);
    await clock.settle();
    expect(idsOf(0)).toEqual([id]);
  });

  test('big requests go alone, one at a time and in order, and keep no small one waiting', async () => {
    const { clock, calls, call, idsOf, ask } = setUp();
    const big = [ask(500), ask(10_000)];
    const small = [ask(1), ask(499)];
    await clock.settle();
    expect(calls.map((_, index) => idsOf(index))).toEqual([[big[0]], small]);
    call(0).succeed();
    await clock.settle();
    expect(idsOf(2)).toEqual([big[1]]);
  });

  test('from so many jobs on a second group looks up its jobs while the first is written, and no third', async () => {
    const { clock, calls, call, idsOf, ask, answers } = setUp({ secondFromJobs: 10, maxGroupJobs: 20 });
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
    expect(calls.map(({ isWriting }) => isWriting)).toEqual([true, false]);

    call(0).fail(new Fault('unavailable', 'disk full'));
    await clock.settle();
    expect(answers).toEqual([`${first}: disk full`]);
    expect(idsOf(2)).toEqual([third]);
    expect(calls.map(({ isWriting }) => isWriting)).toEqual([true, true, false]);
  });

  test('a second group whose turn comes past its deadline is refused, and nothing is written for it', async () => {
    const { clock, calls, call, ask, grouped } = setUp({ secondFromJobs: 10 });
    ask(1);
    await clock.settle();
    const late = acceptRequest(jobIds(10), { deadlineMs: clock.now() + 1_000 });
    const refused = expect(grouped.acceptDeletions([late])).rejects.toMatchObject({ code: 'unavailable' });
    await clock.advance(1_000);
    call(0).succeed();
    await clock.settle();
    await refused;
    expect(calls.map(({ isWriting }) => isWriting)).toEqual([true, false]);
  });

  test('large requests are written one at a time, and keep no small one waiting', async () => {
    const { clock, calls, idsOf, ask } = setUp({ secondFromJobs: 500 });
    const [large, larger, small] = [ask(500), ask(10_000), ask(1)];
    await clock.settle();
    const writing = calls.map(({ isWriting }, index) => [idsOf(index), isWriting]);
    expect(writing).toEqual([
      [[large], true],
      [[larger], false],
      [[small], true],
    ]);
  });

  test('beyond so many jobs a request is told to come again at once, and then has room', async () => {
    const { clock, calls, call, ask, answers } = setUp({ maxJobsHeld: 1_000 });
    ask(900);
    const refused = ask(101);
    await clock.settle();
    expect(answers).toEqual([`${refused}: too many jobs wait to be accepted`]);
    call(0).succeed();
    await clock.settle();
    ask(1_000);
    await clock.settle();
    expect(calls).toHaveLength(2);
  });

  test('a Fault fails its whole group, and no other one', async () => {
    const { clock, call, ask, answers } = setUp();
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

  test('many at once are all answered, in order', async () => {
    const { clock, calls, call, ask, answers } = setUp();
    const ids = Array.from({ length: 5_000 }, () => ask(1));
    for (let index = 0; answers.length < ids.length; index++) {
      await clock.settle();
      call(index).succeed();
      await clock.settle();
    }
    expect(answers).toEqual(ids);
    expect(calls).toHaveLength(3);
  });

  test('asking which jobs are unavailable goes straight to the store', async () => {
    const { grouped } = setUp();
    expect(await grouped.findUnavailableJobs('truncated', jobIds(3))).toEqual({
      positions: [3],
      truncated: true,
    });
  });

  test('each request of a group still passes or fails alone', async () => {
    const store = openSqliteStore(newPath());
    await importJobs(store, 'acme', jobIds(3));
    const clock = createVirtualClock();
    const grouped = groupCommit(store, { clock });
    const asked = [['job0001'], ['missing'], ['job0001', 'job0002'], ['job0002']].map((ids) =>
      grouped.acceptDeletions([acceptRequest(ids)]),
    );
    await clock.settle();
    const outcomes = (await Promise.all(asked)).flat();
    expect(outcomes.map(({ kind }) => kind)).toEqual([
      'accepted',
      'jobs-unavailable',
      'jobs-unavailable',
      'accepted',
    ]);
    await store.close();
  });
});
