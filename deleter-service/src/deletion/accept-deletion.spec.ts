import { describe, expect, test } from '@jest/globals';
import { Fault } from '@jobs-delete/runtime/fault';
import { createVirtualClock } from '@jobs-delete/runtime/testing/virtual-clock';
import type { Deletion } from '../store/deletion.ts';
import type { DeletionAcceptor } from '../store/group-commit.ts';
import { noRules, type SafetyRules } from '../store/safety-rules.ts';
import type { AcceptOutcome, AcceptRequest } from '../store/store.ts';
import { acme, aDeletion, jobIds, origin } from '../testing/deletions.ts';
import { createSeededRandom } from '../testing/seeded-random.ts';
import { createAcceptDeletion, type AcceptOptions, type DeletionRequest } from './accept-deletion.ts';

const uuid = '0b36c3a1-1f9c-4f0d-8b7a-2f9d4a8c6e10';
const request: DeletionRequest = {
  accountId: acme,
  jobIds: ['job1', 'job2'],
  dryRun: false,
  idempotencyKey: undefined,
  origin,
  deadlineMs: undefined,
};

function setUp(
  answer: Partial<DeletionAcceptor> = {},
  relay?: AcceptOptions['relay'],
  rules: SafetyRules | AcceptOptions['readRules'] = noRules,
  maxJobsPerRequest = 5,
) {
  const asked: AcceptRequest[] = [];
  const store: DeletionAcceptor = {
    acceptDeletion: (wanted) => {
      asked.push(wanted);
      const deletion = aDeletion(wanted.jobIds, { id: wanted.deletionId });
      return Promise.resolve({ kind: 'accepted', deletion });
    },
    ...answer,
  };
  const clock = createVirtualClock();
  const random = createSeededRandom(1);
  const readRules = typeof rules === 'function' ? rules : () => Promise.resolve(rules);
  const acceptDeletion = createAcceptDeletion({
    store,
    relay,
    clock,
    random,
    readRules,
    maxJobsPerRequest,
  });
  return { acceptDeletion, asked, clock };
}

const answering = (outcome: AcceptOutcome): Partial<DeletionAcceptor> => ({
  acceptDeletion: () => Promise.resolve(outcome),
});

/** A relay, and how its reservations have ended. */
function reserving() {
  const ended: (Deletion | undefined)[] = [];
  const relay: AcceptOptions['relay'] = {
    reserve: (nowMs) => ({ dueAtMs: nowMs + 30_000, end: (accepted) => void ended.push(accepted) }),
  };
  return { relay, ended };
}

describe('accepting a deletion', () => {
  test('takes the rules of now for a person, who was shown them', async () => {
    const reads: unknown[] = [];
    const readRules: AcceptOptions['readRules'] = (_, age) => {
      reads.push(age);
      return Promise.resolve(noRules);
    };
    const { acceptDeletion } = setUp({}, undefined, readRules);
    await acceptDeletion(request);
    await acceptDeletion({ ...request, origin: { ...origin, person: 'ada@example.com' } });
    expect(reads).toEqual(['recent', 'now']);
  });

  test('passes all jobs to the store, under a new id each time', async () => {
    const { acceptDeletion, asked, clock } = setUp();
    const answer = await acceptDeletion({ ...request, idempotencyKey: 'key', deadlineMs: 99 });
    await acceptDeletion(request);
    expect(answer).toMatchObject({ kind: 'accepted', replayed: false, deletion: { jobIds: request.jobIds } });
    expect(asked[0]).toEqual({
      deletionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      accountId: acme,
      jobIds: ['job1', 'job2'],
      dryRun: false,
      idempotencyKey: 'key',
      origin,
      acceptedAtMs: clock.now(),
      dueAtMs: clock.now(),
      deadlineMs: 99,
    });
    expect(asked[1]?.deletionId).not.toBe(asked[0]?.deletionId);
    await acceptDeletion({ ...request, deletionId: uuid });
    expect(asked[2]?.deletionId).toBe(uuid);
  });

  test('passes the limit of the account and its allowances to the store', async () => {
    const guard = {
      limit: { kind: 'share', percent: 10 },
      allowances: [{ id: 'a', jobs: 5, untilMs: 9 }],
    } as const;
    const { acceptDeletion, asked } = setUp({}, undefined, { ...noRules, ...guard });
    await acceptDeletion(request);
    expect(asked).toMatchObject([{ guard }]);
  });

  describe('of an account with a delay', () => {
    const readRules = (accountId: string) =>
      Promise.resolve({ ...noRules, removalDelayMs: accountId === acme ? 60_000 : 0 });

    test('is due at the end of the delay, and is not offered to the relay', async () => {
      const { relay, ended } = reserving();
      const asked: AcceptRequest[] = [];
      const acceptWaiting: DeletionAcceptor['acceptDeletion'] = ({ removalAtMs, ...wanted }) => {
        asked.push({ ...wanted, removalAtMs });
        const deletion = aDeletion(wanted.jobIds, { state: 'waiting' });
        return Promise.resolve({ kind: 'accepted', deletion });
      };
      const { acceptDeletion, clock } = setUp({ acceptDeletion: acceptWaiting }, relay, readRules);
      await acceptDeletion(request);
      const removalAtMs = clock.now() + 60_000;
      expect(asked).toMatchObject([{ acceptedAtMs: clock.now(), dueAtMs: removalAtMs, removalAtMs }]);
      await acceptDeletion({ ...request, dryRun: true });
      expect(ended).toStrictEqual([]);
    });

    test('is not offered to the relay either if an earlier attempt found the delay, and this one none', async () => {
      const { relay, ended } = reserving();
      const answer = answering({ kind: 'accepted', deletion: aDeletion(['job1'], { state: 'waiting' }) });
      const { acceptDeletion } = setUp(answer, relay);
      await acceptDeletion(request);
      expect(ended).toStrictEqual([undefined]);
    });

    test('is refused if the delay can’t be read', async () => {
      const { relay, ended } = reserving();
      const away = new Fault('unavailable', 'away');
      const { acceptDeletion, asked } = setUp({}, relay, () => Promise.reject(away));
      await expect(acceptDeletion(request)).rejects.toBe(away);
      expect([asked, ended]).toStrictEqual([[], []]);
    });
  });

  test('offers an accepted deletion to the relay of its process, with the reserved time', async () => {
    const { relay, ended } = reserving();
    const { acceptDeletion, asked, clock } = setUp({}, relay);
    await acceptDeletion(request);
    expect(asked[0]?.dueAtMs).toBe(clock.now() + 30_000);
    expect(ended.map((deletion) => deletion?.id)).toEqual([asked[0]?.deletionId]);
  });

  test.each<[string, AcceptOutcome]>([
    ['a replay', { kind: 'replayed', deletion: aDeletion(['job1']) }],
    ['a repetition', { kind: 'accepted', deletion: aDeletion(['job1']), isRepeated: true }],
    ['a key reused', { kind: 'key-reused' }],
    ['a refusal', { kind: 'jobs-not-found', positions: [0] }],
  ])('offers nothing to the relay for %s', async (_, outcome) => {
    const { relay, ended } = reserving();
    const { acceptDeletion } = setUp(answering(outcome), relay);
    await acceptDeletion(request);
    expect(ended).toStrictEqual([undefined]);
  });

  test('gives the memory of the relay back when the store fails', async () => {
    const { relay, ended } = reserving();
    const acceptDeletion = () => Promise.reject(new Fault('unknown-outcome', 'timed out'));
    await expect(setUp({ acceptDeletion }, relay).acceptDeletion(request)).rejects.toThrow('timed out');
    expect(ended).toStrictEqual([undefined]);
  });

  test('marks a replay and passes refusals on', async () => {
    const deletion = aDeletion(['job1']);
    const replayed = await setUp(answering({ kind: 'replayed', deletion })).acceptDeletion(request);
    expect(replayed).toEqual({ kind: 'accepted', deletion, replayed: true });
    const refusal = { kind: 'jobs-not-found', positions: [1] } as const;
    expect(await setUp(answering(refusal)).acceptDeletion(request)).toEqual(refusal);
    const reused = { kind: 'key-reused' } as const;
    expect(await setUp(answering(reused)).acceptDeletion(request)).toEqual(reused);
  });

  test('rejects with the Fault of the store', async () => {
    const fault = new Fault('unknown-outcome', 'timed out');
    const { acceptDeletion } = setUp({ acceptDeletion: () => Promise.reject(fault) });
    await expect(acceptDeletion(request)).rejects.toBe(fault);
  });

  test('a dry run goes to the store like any request, and to no relay', async () => {
    const outcome = { kind: 'would-be-accepted' } as const;
    const reserved: string[] = [];
    const relay: AcceptOptions['relay'] = {
      reserve: (dueAtMs, accountId) => {
        reserved.push(accountId);
        return { dueAtMs, end: () => undefined };
      },
    };
    const asked: AcceptRequest[] = [];
    const acceptDeletion = (wanted: AcceptRequest) => {
      asked.push(wanted);
      return Promise.resolve(outcome);
    };
    const accepting = setUp({ acceptDeletion }, relay);
    const dryRun = { ...request, dryRun: true, idempotencyKey: 'key' };
    expect((await accepting.acceptDeletion({ ...dryRun, jobIds: ['?'] })).kind).toBe('invalid');
    expect(await accepting.acceptDeletion(dryRun)).toEqual(outcome);
    expect(asked).toMatchObject([{ dryRun: true, jobIds: request.jobIds }]);
    expect(reserved).toEqual([]);
  });
});

describe('a request that is not valid', () => {
  const violationsOf = async (more: Partial<DeletionRequest>, maxJobs?: number) => {
    const { acceptDeletion, asked } = setUp({}, undefined, noRules, maxJobs);
    const answer = await acceptDeletion({ ...request, ...more });
    if (answer.kind !== 'invalid') return answer;
    expect(asked).toEqual([]);
    return answer.violations;
  };

  test.each([
    ['no account', { accountId: '' }, ['account_id']],
    ['an id of its own in capitals', { deletionId: uuid.toUpperCase() }, ['deletion_id']],
    ['an id of its own that is too long', { deletionId: `${uuid}0` }, ['deletion_id']],
    ['an id of its own that starts too early', { deletionId: `0${uuid}` }, ['deletion_id']],
    ['an id of its own without hyphens', { deletionId: uuid.replaceAll('-', '') }, ['deletion_id']],
    ['no ids', { jobIds: [] }, ['job_ids']],
    ['too many ids', { jobIds: jobIds(6) }, ['job_ids']],
    ['an id too short', { jobIds: ['job1', 'abc'] }, ['job_ids[1]']],
    ['an id too long', { jobIds: ['x'.repeat(129)] }, ['job_ids[0]']],
    ['an empty id', { jobIds: [''] }, ['job_ids[0]']],
    ['an id of other characters', { jobIds: ['job-1', 'jöb1', 'job1\n', ' job1'] }, [0, 1, 2, 3].map(field)],
    ['an id twice', { jobIds: ['job1', 'job2', 'job1'] }, ['job_ids[2]']],
    ['an empty key', { idempotencyKey: '' }, ['idempotency_key']],
    ['a key too long', { idempotencyKey: 'x'.repeat(256) }, ['idempotency_key']],
    ['a key of other characters', { idempotencyKey: 'clé' }, ['idempotency_key']],
    ['a key with a line break', { idempotencyKey: 'key\n' }, ['idempotency_key']],
  ])('with %s is refused before the store is called, and the field is named', async (_, more, fields) => {
    const violations = await violationsOf(more);
    expect(violations).toEqual(fields.map((name) => ({ field: name, description: expect.any(String) })));
  });

  test('is answered with its first 50 violations, because many clients take little metadata', async () => {
    expect(await violationsOf({ jobIds: Array<string>(60).fill('a') }, 60)).toHaveLength(50);
  });

  test('is answered with all its violations at once', async () => {
    const violations = await violationsOf({
      accountId: '',
      idempotencyKey: '',
      jobIds: ['a', 'job1', 'job1'],
    });
    expect(violations).toMatchObject([
      { field: 'account_id' },
      { field: 'idempotency_key' },
      { field: 'job_ids[0]' },
      { field: 'job_ids[2]' },
    ]);
  });

  test.each([
    ['ids of 4 and of 128 characters', { jobIds: ['aB09', 'x'.repeat(128)] }],
    ['as many ids as are allowed', { jobIds: jobIds(5) }],
    ['ids that differ in case only', { jobIds: ['job1', 'JOB1'] }],
    ['a key of 255 printable characters', { idempotencyKey: '~ '.repeat(127) + '!' }],
  ])('is not one with %s', async (_, more) => {
    expect(await violationsOf(more)).toMatchObject({ kind: 'accepted' });
  });
});

function field(index: number): string {
  return `job_ids[${index}]`;
}
