import { describe, expect, test } from '@jest/globals';
import { Fault } from '@jobs-delete/runtime/fault';
import { setUpGroupCommit } from './group-commit.fixture.ts';

describe('what group commit refuses at once', () => {
  test.each(['succeed', 'fail'] as const)(
    'a request over the budget is refused at once, and finds room when the store %ss',
    async (how) => {
      const { clock, calls, call, ask, answers } = setUpGroupCommit({ maxLargeJobs: 1_000 });
      ask(900);
      const refused = ask(501);
      await clock.settle();
      expect(answers).toEqual([`${refused}: too many jobs wait to be accepted`]);
      if (how === 'succeed') call(0).succeed();
      else call(0).fail(new Fault('unavailable', 'disk full'));
      await clock.settle();
      ask(1_000);
      await clock.settle();
      expect(calls).toHaveLength(2);
    },
  );

  test('large requests at their limit leave the limit of small ones free', async () => {
    const { clock, calls, idsOf, ask, answers } = setUpGroupCommit({
      maxLargeJobs: 1_000,
      maxSmallJobs: 100,
    });
    ask(1_000);
    const refused = ask(1_000);
    const small = ask(100);
    await clock.settle();
    expect(answers).toEqual([`${refused}: too many jobs wait to be accepted`]);
    expect(calls.map((_, index) => idsOf(index))).toContainEqual([small]);
  });

  test('at the limit, a request of the account with the longest backlog is dropped', async () => {
    const { clock, call, idsOf, ask, answers } = setUpGroupCommit({ maxLargeJobs: 4_000 });
    const greedy = Array.from({ length: 4 }, () => ask(1_000, { accountId: 'greedy' }));
    await clock.settle();
    const modest = ask(1_000, { accountId: 'modest' });
    await clock.settle();
    expect(answers).toEqual([`${greedy[3]}: too many jobs of the account wait to be accepted`]);
    const tooMuch = ask(1_000, { accountId: 'modest' });
    await clock.settle();
    expect(answers.slice(1)).toEqual([`${tooMuch}: too many jobs wait to be accepted`]);
    call(0).succeed();
    await clock.settle();
    call(1).succeed();
    await clock.settle();
    expect(idsOf(2)).toEqual([modest]);
  });

  test('a request that can’t make its deadline is refused at once, by its number of jobs', async () => {
    const { clock, call, ask, answers, calls } = setUpGroupCommit();
    ask(1_000);
    await clock.settle();
    await clock.advance(1_000);
    call(0).succeed();
    await clock.settle();
    // From now on a job takes a millisecond.
    ask(5_000);
    await clock.settle();
    const deadlineMs = clock.now() + 7_000;
    const hopeless = ask(2_001, { deadlineMs });
    const feasible = ask(2_000, { deadlineMs });
    await clock.settle();
    expect(answers.slice(1)).toEqual([`${hopeless}: too many jobs wait: the deadline is out of reach`]);
    call(1).succeed();
    await clock.settle();
    call(2).succeed();
    await clock.settle();
    expect(answers.at(-1)).toBe(feasible);
    // No request is in flight: the throughput is unknown, and the request is accepted.
    const lucky = ask(9_999, { deadlineMs: clock.now() + 1 });
    await clock.settle();
    call(3).succeed();
    await clock.settle();
    expect(answers.at(-1)).toBe(lucky);
    expect(calls).toHaveLength(4);
  });
});
