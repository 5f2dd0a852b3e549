import { describe, expect, test } from '@jest/globals';
import { Fault } from '@jobs-delete/runtime/fault';
import { createVirtualClock } from '@jobs-delete/runtime/testing/virtual-clock';
import { acceptRequest, jobIds } from '../testing/deletions.ts';
import { accepted, setUpGroupCommit } from './group-commit.fixture.ts';
import { groupCommit } from './group-commit.ts';
import type { AcceptRequest, DeletionStore } from './store.ts';

/** What happens to a call that has a request of the account. */
type Trouble = 'none' | 'hangs' | 'fails' | { readonly slowMs: number };

const wellMs = 5;
const deadlineMs = 9_000;
const never = new Promise<never>(() => undefined);

/** A store whose calls answer nothing before the slowest of their accounts, like one query for all of them. */
function createTroubledStore(clock: ReturnType<typeof createVirtualClock>) {
  const troubles = new Map<string, Trouble>();
  const calls: (readonly AcceptRequest[])[] = [];
  const store: DeletionStore = {
    acceptDeletions: async (requests, answer) => {
      calls.push(requests);
      const found = [...new Set(requests.map(({ accountId }) => troubles.get(accountId) ?? 'none'))];
      const slowMs = found.map((trouble) => (typeof trouble === 'object' ? trouble.slowMs : 0));
      await clock.sleep(Math.max(wellMs, ...slowMs));
      if (found.includes('hangs')) await never;
      if (found.includes('fails')) throw new Fault('unavailable', 'a shard is away');
      for (const [index, request] of requests.entries()) answer(index, accepted(request));
    },
  };
  return { store, calls, troubles };
}

interface Answer {
  readonly accountId: string;
  readonly code: string;
  readonly askedMs: number;
  readonly tookMs: number;
}

/** 20 accounts send a request each every 50 ms. The trouble of some begins after 1 s and ends after 15 s. */
async function run(accountsInTrouble: readonly string[], trouble: Trouble, dryRun = false) {
  const clock = createVirtualClock();
  const { store, calls, troubles } = createTroubledStore(clock);
  const { acceptDeletion } = groupCommit(store, { clock });
  const answers: Answer[] = [];
  const startMs = clock.now();
  let asked = 0;
  for (let askedMs = 0; askedMs < 20_000; askedMs += 50) {
    const current = askedMs >= 1_000 && askedMs < 15_000 ? trouble : 'none';
    for (const accountId of accountsInTrouble) troubles.set(accountId, current);
    for (const accountId of everyAccount) {
      asked += 1;
      const request = acceptRequest(jobIds(1), { accountId, dryRun, deadlineMs: clock.now() + deadlineMs });
      const note = (code: string) =>
        answers.push({ accountId, code, askedMs, tookMs: clock.now() - startMs - askedMs });
      acceptDeletion(request).then(
        () => note('accepted'),
        (error: unknown) => note((error as Fault).code),
      );
    }
    await clock.advance(50);
  }
  await clock.advance(2 * deadlineMs);
  expect(answers).toHaveLength(asked);
  const sent = calls.flat();
  const attempts = new Map<string, number>();
  for (const { deletionId } of sent) attempts.set(deletionId, (attempts.get(deletionId) ?? 0) + 1);
  const others = answers.filter(({ accountId }) => !accountsInTrouble.includes(accountId));
  const troubled = answers.filter(({ accountId }) => accountsInTrouble.includes(accountId));
  return { answers, others, troubled, calls, mostAttempts: Math.max(...attempts.values()) };
}

const everyAccount = Array.from({ length: 20 }, (_, index) => `account-${index}`);
const isLate = ({ tookMs }: Answer) => tookMs > 1_000;

describe('an account in trouble', () => {
  test.each<[string, Trouble]>([
    ['hangs', 'hangs'],
    ['fails', 'fails'],
    ['is slow', { slowMs: 3_000 }],
  ])('that %s holds only itself', async (_, trouble) => {
    const { others, troubled, mostAttempts } = await run(['account-7'], trouble);
    expect(new Set(others.map(({ code }) => code))).toEqual(new Set(['accepted']));
    expect(Math.max(...others.map(({ tookMs }) => tookMs))).toBeLessThanOrEqual(2_200);
    // It costs the others the groups of one moment, not of each of its requests.
    expect(others.filter(isLate).length / others.length).toBeLessThan(0.08);
    expect(mostAttempts).toBeLessThanOrEqual(2);
    const after = troubled.filter(({ askedMs }) => askedMs > 17_000);
    expect(new Set(after.map(({ code }) => code))).toEqual(new Set(['accepted']));
  });

  test('returns to the groups when it is well again', async () => {
    const { calls, answers } = await run(['account-7'], { slowMs: 3_000 });
    expect(calls.slice(-10).map((requests) => new Set(requests.map((each) => each.accountId)).size)).toEqual(
      Array(10).fill(20),
    );
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['accepted']));
  });

  test('gets the Fault of its own attempt', async () => {
    const { troubled } = await run(['account-7'], 'fails');
    const during = troubled.filter(({ askedMs }) => askedMs >= 1_000 && askedMs < 15_000);
    expect(new Set(during.map(({ code }) => code))).toEqual(new Set(['unavailable']));
  });

  test('that hangs is answered at its deadline: unknown for a request, unavailable for a dry run', async () => {
    for (const [dryRun, code] of [
      [false, 'unknown-outcome'],
      [true, 'unavailable'],
    ] as const) {
      const { troubled } = await run(['account-7'], 'hangs', dryRun);
      const [first] = troubled.filter(({ askedMs }) => askedMs === 1_000);
      expect(first?.code).toBe(code);
      expect(first?.tookMs).toBeLessThanOrEqual(deadlineMs + 250);
    }
  });

  test('and five more that hang at once hold only themselves', async () => {
    const sick = everyAccount.slice(0, 6);
    const { others } = await run(sick, 'hangs');
    expect(new Set(others.map(({ code }) => code))).toEqual(new Set(['accepted']));
    expect(Math.max(...others.map(({ tookMs }) => tookMs))).toBeLessThanOrEqual(2_200);
  });
});

test('a store that is slow for all gets each request twice at most, and recovers', async () => {
  const { answers, mostAttempts, calls } = await run(everyAccount, { slowMs: 2_500 });
  expect(mostAttempts).toBe(2);
  const refused = answers.filter(({ code }) => code !== 'accepted');
  expect(refused.length / answers.length).toBeLessThan(0.01);
  const after = answers.filter(({ askedMs }) => askedMs > 18_000);
  expect(new Set(after.map(({ code }) => code))).toEqual(new Set(['accepted']));
  expect(new Set((calls.at(-1) ?? []).map(({ accountId }) => accountId)).size).toBe(20);
});

test('a store that never answers holds no request longer than its deadline', async () => {
  const { answers } = await run(everyAccount, 'hangs');
  expect(Math.max(...answers.map(({ tookMs }) => tookMs))).toBeLessThanOrEqual(deadlineMs + 300);
});

describe('a request that is sent again, because its group is late', () => {
  const refusal = { kind: 'jobs-not-found', positions: [0] } as const;
  const sendAgain = async () => {
    const setUp = setUpGroupCommit();
    const id = setUp.ask(1);
    await setUp.clock.advance(1_200);
    return { ...setUp, id };
  };

  test('is not refused while the first attempt is being written', async () => {
    const { id, clock, call, answers } = await sendAgain();
    expect(call(0).beginWrite(0)).toBe(true);
    call(1).answer(0, refusal);
    await clock.settle();
    expect(answers).toEqual([]);
    call(0).answer(0);
    await clock.settle();
    expect(answers).toEqual([id]);
  });

  test('is refused when both attempts are, however often the store has asked whether to write', async () => {
    const { clock, call, answers } = await sendAgain();
    for (const index of [0, 0, 1, 1]) expect(call(index).beginWrite(0)).toBe(true);
    call(1).answer(0, refusal);
    await clock.settle();
    expect(answers).toEqual([]);
    call(0).answer(0, refusal);
    await clock.settle();
    expect(answers).toEqual(['jobs-not-found']);
  });

  test('has an unknown outcome if it is refused and the first write is lost', async () => {
    const { id, clock, call, answers } = await sendAgain();
    expect(call(0).beginWrite(0)).toBe(true);
    call(0).answer(0, new Fault('unknown-outcome', 'lost'));
    call(1).answer(0, refusal);
    await clock.settle();
    expect(answers).toEqual([`${id}: lost`]);
  });

  test('is refused at once if the first attempt writes nothing yet, and is never written then', async () => {
    const { clock, call, answers } = await sendAgain();
    call(1).answer(0, refusal);
    await clock.settle();
    expect(answers).toEqual(['jobs-not-found']);
    expect(call(0).beginWrite(0)).toBe(false);
  });
});
