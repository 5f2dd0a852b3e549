import { describe, expect, test } from '@jest/globals';
import { Fault } from '@jobs-delete/runtime/fault';
import { acceptRequest, aDeletion, jobIds } from '../testing/deletions.ts';
import { setUpGroupCommit } from './group-commit.fixture.ts';
import type { AcceptOutcome, AcceptRequest } from './store.ts';

const away = new Fault('unavailable', 'a shard is away');
const lost = new Fault('unknown-outcome', 'lost');

/** Asks for a deletion whose first call gets no answer in time, so a second call sends it again. */
async function sendAgain(more: Partial<AcceptRequest> = {}) {
  const setUp = setUpGroupCommit();
  const id = setUp.ask(1, { accountId: 'a', ...more });
  await setUp.clock.advance(1_200);
  return { ...setUp, id };
}

/** Sends a deletion of account a and one of account b in one call, which fails. Then each of them gets its own call. */
async function failTogether(more: Partial<AcceptRequest> = {}) {
  const setUp = setUpGroupCommit();
  const [a, b] = ['a', 'b'].map((accountId) => setUp.ask(1, { accountId, ...more }));
  await setUp.clock.settle();
  setUp.call(0).fail(away);
  await setUp.clock.settle();
  return { ...setUp, a, b };
}

describe('a second attempt', () => {
  const refused = async (outcome: AcceptOutcome, more: Partial<AcceptRequest> = {}) => {
    const { clock, call, answers } = await sendAgain(more);
    call(0).beginWrite(0);
    call(1).answer(0, outcome);
    await clock.settle();
    return answers;
  };

  test('is refused by a limit only if the first one writes nothing', async () => {
    expect(await refused({ kind: 'limit-exceeded', limit: 1, used: 1 })).toEqual([]);
  });

  test('is refused at once for a reason that does not pass, and in a dry run', async () => {
    expect(await refused({ kind: 'key-reused' })).toEqual(['key-reused']);
    expect(await refused({ kind: 'jobs-not-found', positions: [0] }, { dryRun: true })).toEqual([
      'jobs-not-found',
    ]);
  });

  test('that fails leaves the outcome unknown if the first one was lost', async () => {
    const { id, clock, call, answers } = await sendAgain();
    call(0).answer(0, lost);
    call(1).answer(0, away);
    await clock.settle();
    expect(answers).toEqual([`${id}: lost`]);
  });

  test('that is not answered leaves the outcome of a request unknown, not that of a dry run', async () => {
    const ends = async (dryRun: boolean) => {
      const { a, b, clock, answers } = await failTogether({ dryRun });
      expect(answers).toEqual([]);
      await clock.advance(9_100);
      return { answers, ids: [a, b] };
    };
    const late = 'the store did not answer before the deadline';
    const unknown = await ends(false);
    expect(unknown.answers).toEqual(unknown.ids.map((id) => `${String(id)}: ${late}`));
    const dryRuns = await ends(true);
    expect(dryRuns.answers).toEqual(dryRuns.ids.map((id) => `${String(id)}: ${away.message}`));
  });

  test('finds the record of the first one, which is no repetition before it is published', async () => {
    const repeated = async (state: 'accepted' | 'published') => {
      const { clock, call, grouped } = setUpGroupCommit();
      const outcome = grouped.acceptDeletion(acceptRequest(jobIds(1)));
      await clock.advance(1_200);
      call(1).answer(0, { kind: 'accepted', deletion: aDeletion(jobIds(1), { state }), isRepeated: true });
      return outcome;
    };
    expect(await repeated('accepted')).not.toHaveProperty('isRepeated');
    expect(await repeated('published')).toMatchObject({ isRepeated: true });
  });

  test('is not made for a busy store', async () => {
    const { clock, calls, call, ask, answers } = setUpGroupCommit();
    const [a] = ['a', 'b'].map((accountId) => ask(1, { accountId }));
    await clock.settle();
    call(0).answer(0, new Fault('busy', 'too much'));
    await clock.settle();
    expect([answers, calls.length]).toEqual([[`${String(a)}: too much`], 1]);
  });
});

test('an account that is set apart leaves the groups to the others', async () => {
  const { clock, calls, call, idsOf, ask } = setUpGroupCommit();
  ask(1, { accountId: 'late' });
  ask(1, { accountId: 'well' });
  await clock.settle();
  const queued = ['late', 'well', 'other'].map((accountId) => ask(1, { accountId }));
  call(0).answer(1);
  await clock.advance(1_000);
  expect(calls.map((_, index) => idsOf(index))).toContainEqual(queued.slice(1));
});

test('an account stays apart while its calls fail, and returns after one that is answered', async () => {
  const { clock, calls, call, idsOf, ask } = await failTogether();
  const [ofA, ofB] = [1, 2].map((index) => call(index));
  ofA?.fail(away);
  ofB?.succeed();
  await clock.settle();
  const apart = ['a', 'b', 'c'].map((accountId) => ask(1, { accountId }));
  await clock.settle();
  const sent = () => calls.slice(3).map((_, index) => idsOf(index + 3));
  expect(sent()).toHaveLength(2);
  expect(sent()).toContainEqual(apart.slice(0, 1));
  expect(sent()).toContainEqual(apart.slice(1));
});

test('no group starts while four hang; the next one starts after the last deadline of one of them', async () => {
  const { clock, calls, ask } = setUpGroupCommit();
  const sentTo = (accountId: string) =>
    calls.filter(({ requests }) => requests.some((one) => one.accountId === accountId)).length;
  ask(1, { accountId: 'first', deadlineMs: clock.now() + 6_000 });
  for (const accountId of ['first', 'second', 'third', 'fourth']) {
    ask(1, { accountId });
    await clock.advance(1_200);
  }
  // Each account is sent once more, alone.
  expect(calls).toHaveLength(8);
  ask(1, { accountId: 'next', deadlineMs: clock.now() + 20_000 });
  await clock.advance(4_000);
  expect(sentTo('next')).toBe(0);
  await clock.advance(300);
  expect(sentTo('next')).toBe(1);
});

test('large requests are late after 3 s, and those of another account wait while these hang', async () => {
  const { clock, calls, call, ask } = setUpGroupCommit();
  for (const accountId of ['a', 'b', 'c', 'd']) ask(500, { accountId });
  await clock.settle();
  ask(500, { accountId: 'e' });
  await clock.advance(2_900);
  expect(calls).toHaveLength(4);
  await clock.advance(300);
  expect(calls).toHaveLength(5);
  call(0).succeed();
  await clock.settle();
  ask(500, { accountId: 'a' });
  ask(500, { accountId: 'f' });
  await clock.settle();
  expect(calls.slice(5).map(({ requests }) => requests[0]?.accountId)).toEqual(['f']);
});
