import { describe, expect, test } from '@jest/globals';
import { Fault } from '@jobs-delete/runtime/fault';
import { acceptRequest, jobIds } from '../testing/deletions.ts';
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

  test('an account with a long backlog leaves room for others', async () => {
    const { clock, ask, answers } = setUpGroupCommit({ maxLargeJobs: 4_000 });
    const greedy = Array.from({ length: 4 }, () => ask(1_000, { accountId: 'greedy' }));
    ask(1_000, { accountId: 'modest' });
    await clock.settle();
    expect(answers).toEqual([`${greedy[3]}: too many jobs wait to be accepted`]);
  });

  test('a request that the store can’t take before its deadline is refused as busy', async () => {
    const { clock, calls, ask, grouped, answers } = setUpGroupCommit();
    ask(1, { deadlineMs: clock.now() + 60_000 });
    await clock.settle();
    const late = ask(1, { deadlineMs: clock.now() + 500 });
    const busy = grouped.acceptDeletion(acceptRequest(jobIds(1), { deadlineMs: clock.now() + 500 }));
    const isBusy = expect(busy).rejects.toMatchObject({ code: 'busy' });
    await clock.advance(750);
    await isBusy;
    expect(answers).toEqual([`${late}: the store was not free before the deadline`]);
    expect(calls).toHaveLength(1);
  });
});
