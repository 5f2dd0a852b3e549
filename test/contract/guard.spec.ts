import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Guard } from '@jobs-delete/deleter-service/store/safety-rules';
import { connectMongoStore } from '@jobs-delete/deleter-service/store/mongo-store';
import { processClock } from '@jobs-delete/runtime/time/clock';
import type { AcceptOutcome, AcceptRequest, Store } from '@jobs-delete/deleter-service/store/store';
import {
  acceptRequest,
  acme,
  answersTo,
  attempt,
  importJobs,
  jobIds,
} from '@jobs-delete/deleter-service/testing/deletions';
import { Fault } from '@jobs-delete/runtime/fault';
import { until } from '../harness/until.ts';
import { describeWith } from '../servers/describe-with.ts';
import { useStoreDatabase } from './use-store-database.ts';

const limitOf = (jobs: number): Guard => ({ limit: { kind: 'jobs', jobs }, allowances: [] });
const sizeOf = (one: AcceptRequest) => one.jobIds.length;

describeWith('mongodb', 'the guard on several replicas', (serverUrl) => {
  const database = useStoreDatabase(serverUrl, 'guard');
  let stores: Store[] = [];

  beforeEach(async () => {
    for (const each of [
      database.collections.jobs,
      database.collections.deletions,
      database.collections.deletionUsage,
    ])
      await each.deleteMany({});
  });
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    stores = [];
  });

  const open = async (count: number): Promise<[Store, ...Store[]]> => {
    const [first, ...others] = await Promise.all(
      Array.from({ length: count }, () => connectMongoStore(database.url)),
    );
    if (first === undefined) throw new Error('no store');
    stores.push(first, ...others);
    return [first, ...others];
  };
  const request = (ids: readonly string[], jobs: number, more: Partial<AcceptRequest> = {}) =>
    acceptRequest(ids, { acceptedAtMs: Date.now(), dueAtMs: Date.now(), guard: limitOf(jobs), ...more });
  const ask = (store: Store, ids: readonly string[], jobs: number) => attempt(store, ids, request(ids, jobs));
  /** Sums the jobs of the deletions on record. */
  const recorded = async () => {
    const found = await database.collections.deletions.find({ account_id: acme }).toArray();
    return found.reduce((sum, { job_count }) => sum + job_count, 0);
  };
  const kindOf = (answer: AcceptOutcome | Fault) => (answer instanceof Fault ? answer.code : answer.kind);
  /** The holds of dead processes are wanted for two minutes. */
  const ageHolds = () =>
    database.collections.deletionUsage.updateMany({ 'holds.wanted': { $exists: true } }, [
      {
        $set: {
          holds: {
            $map: {
              input: '$holds',
              in: { $mergeObjects: ['$$this', { wanted: { $subtract: ['$$this.wanted', 121_000] } }] },
            },
          },
        },
      },
    ]);

  test.each([1, 7, 100])(
    'single jobs that race over five replicas are accepted up to a limit of %i, never beyond',
    async (limit) => {
      const replicas = await open(5);
      await importJobs(replicas[0], acme, jobIds(200));
      const groups = replicas.map((store, index) => {
        const ids = jobIds(200).filter((_, job) => job % 5 === index);
        return answersTo(
          store,
          ids.map((id) => request([id], limit)),
        );
      });
      const answers = (await Promise.all(groups)).flat().map(kindOf);
      expect(answers.filter((kind) => kind === 'accepted')).toHaveLength(limit);
      expect(new Set(answers)).toEqual(new Set(['accepted', 'limit-exceeded']));
      expect(await recorded()).toBe(limit);
    },
  );

  test('requests of all sizes race: what is accepted stays within the limit, and a refused one did not fit', async () => {
    const limit = 500;
    const replicas = await open(4);
    await importJobs(replicas[0], acme, jobIds(1_500));
    let next = 0;
    const requests = Array.from({ length: 120 }, (_, index) => {
      const size = 1 + ((index * 37) % 23);
      next += size;
      return request(jobIds(size, next - size), limit);
    });
    const answers = await Promise.all(
      requests.map(async (one, index) => {
        const store = replicas[index % 4];
        if (store === undefined) throw new Error('no replica');
        const [answer] = await answersTo(store, [one]);
        if (answer === undefined) throw new Error('no answer');
        return { size: sizeOf(one), answer };
      }),
    );
    const accepted = answers.filter(({ answer }) => kindOf(answer) === 'accepted');
    const sum = accepted.reduce((total, { size }) => total + size, 0);
    expect(sum).toBeLessThanOrEqual(limit);
    expect(await recorded()).toBe(sum);
    const refused = answers.filter(({ answer }) => kindOf(answer) === 'limit-exceeded');
    expect(accepted.length + refused.length).toBe(answers.length);
    for (const { size } of refused) expect(sum + size).toBeGreaterThan(limit);
  });

  test('a replica returns what it has reserved when another one needs it', async () => {
    const [first, second] = await open(2);
    if (second === undefined) throw new Error('no store');
    await importJobs(first, acme, jobIds(400));
    expect(await ask(first, ['job0000'], 320)).toMatchObject({ kind: 'accepted' });
    expect((await first.readUsage(acme, limitOf(320))).held).toBe(10);
    expect(await ask(second, jobIds(319, 1), 320)).toMatchObject({ kind: 'accepted' });
    expect(await ask(second, ['job0399'], 320)).toEqual({ kind: 'limit-exceeded', limit: 320, used: 320 });
  });

  test('what a dead process has reserved is free again, apart from what it has accepted', async () => {
    const [first] = await open(1);
    await importJobs(first, acme, jobIds(400));
    for (const id of jobIds(3)) expect(await ask(first, [id], 320)).toMatchObject({ kind: 'accepted' });
    // This process knows nothing of the hold, as if the first one were dead: only its deletions tell.
    await database.collections.deletionUsage.updateMany({}, [
      {
        $set: {
          holds: { $map: { input: '$holds', in: { $mergeObjects: ['$$this', { wanted: '$$NOW' }] } } },
        },
      },
    ]);
    const [held] = await database.collections.deletionUsage.find({}).toArray();
    await first.close();
    await database.collections.deletionUsage.replaceOne({ _id: acme }, { holds: held?.holds ?? [] });
    const [second] = await open(1);
    const tooEarly = request(jobIds(317, 3), 320, { deadlineMs: Date.now() + 1_500 });
    expect((await answersTo(second, [tooEarly])).map(kindOf)).toEqual(['busy']);
    await ageHolds();
    expect(await ask(second, jobIds(318, 3), 320)).toEqual({ kind: 'limit-exceeded', limit: 320, used: 3 });
    expect(await ask(second, jobIds(317, 3), 320)).toMatchObject({ kind: 'accepted' });
    expect(await recorded()).toBe(320);
  });

  test('an allowance ends although a dead process has reserved jobs', async () => {
    const [first] = await open(1);
    await importJobs(first, acme, jobIds(1));
    expect(await ask(first, ['job0000'], 320)).toMatchObject({ kind: 'accepted' });
    const [held] = await database.collections.deletionUsage.find({}).toArray();
    await first.close();
    const wanted = new Date(Date.now() - 121_000);
    const old = new Date(Date.now() - 2 * 86_400_000);
    // The last one counts no more, and nobody has wanted it.
    const holds =
      held?.holds?.flatMap((hold) => [
        { ...hold, wanted },
        { ...hold, id: 'old', at: old },
      ]) ?? [];
    await database.collections.deletionUsage.replaceOne({ _id: acme }, { holds });
    const [second] = await open(1);
    const allowance = { id: 'a', jobs: 5, untilMs: Date.now() + 60_000 };
    await second.addAllowance(acme, allowance, Date.now());
    const { allowances } = await second.endAllowance(acme, 'a');
    expect(allowances).toEqual([{ ...allowance, jobs: 0 }]);
  });

  test('a request that waits is accepted once another one knows an allowance', async () => {
    const hung = await connectMongoStore(database.url, undefined, {
      // It never looks whether its holds are wanted.
      clock: { ...processClock, every: () => () => undefined },
    });
    const [store] = await open(1);
    stores.push(hung);
    await importJobs(store, acme, jobIds(70));
    expect(await ask(hung, ['job0000'], 64)).toMatchObject({ kind: 'accepted' });
    const waiting = ask(store, jobIds(63, 1), 64);
    await until(
      async () =>
        (await database.collections.deletionUsage.findOne({ 'holds.wanted': { $exists: true } })) ??
        undefined,
    );
    const allowed: Guard = {
      ...limitOf(64),
      allowances: [{ id: 'more', jobs: 6, untilMs: Date.now() + 60_000 }],
    };
    expect(await attempt(store, ['job0064'], { ...request(['job0064'], 64), guard: allowed })).toMatchObject({
      kind: 'accepted',
    });
    expect(await waiting).toMatchObject({ kind: 'accepted' });
  });

  test('what a dead process has accepted counts from then, not from when others find it', async () => {
    const [first] = await open(1);
    await importJobs(first, acme, jobIds(400));
    for (const id of jobIds(3)) expect(await ask(first, [id], 320)).toMatchObject({ kind: 'accepted' });
    const [held] = await database.collections.deletionUsage.find({}).toArray();
    await first.close();
    const hourMs = 3_600_000;
    const at = new Date(Date.now() - 23 * hourMs);
    const holds = held?.holds?.map((hold) => ({ ...hold, at, wanted: at })) ?? [];
    await database.collections.deletionUsage.replaceOne({ _id: acme }, { holds });
    const [second] = await open(1);
    expect(await ask(second, jobIds(318, 3), 320)).toEqual({ kind: 'limit-exceeded', limit: 320, used: 3 });
    const inTwoHours = {
      $map: { input: '$quarters', in: { at: { $subtract: ['$$this.at', 2 * hourMs] }, jobs: '$$this.jobs' } },
    };
    await database.collections.deletionUsage.updateMany({}, [{ $set: { quarters: inTwoHours } }]);
    expect(await ask(second, jobIds(320, 3), 320)).toMatchObject({ kind: 'accepted' });
  });

  test('jobs count for 24 hours, and a quarter of an hour more at most', async () => {
    const [store] = await open(1);
    await importJobs(store, acme, jobIds(20));
    const quarter = (agoMs: number, jobs: number) => ({ at: new Date(Date.now() - agoMs), jobs });
    const day = 86_400_000;
    const quarters = [quarter(day + 901_000, 100), quarter(day + 60_000, 3), quarter(60_000, 4)];
    await database.collections.deletionUsage.insertOne({ _id: acme, quarters });
    expect(await ask(store, jobIds(4), 10)).toEqual({ kind: 'limit-exceeded', limit: 10, used: 7 });
    expect(await ask(store, jobIds(3), 10)).toMatchObject({ kind: 'accepted' });
  });

  test('a hold is not used for a deletion whose time is outside its range', async () => {
    const [store] = await open(1);
    await importJobs(store, acme, jobIds(3));
    const times = [Date.now(), Date.now() - 3_600_000, Date.now() + 3_600_000];
    for (const [index, acceptedAtMs] of times.entries()) {
      const asked = request(jobIds(1, index), 1_000, { acceptedAtMs });
      expect((await answersTo(store, [asked])).map(kindOf)).toEqual(['accepted']);
    }
    const found = await database.collections.deletions.find({}).toArray();
    expect(new Set(found.map(({ hold }) => hold)).size).toBe(3);
  });

  test('an account at its limit does not delay another one of the same call', async () => {
    const [first, second] = await open(2);
    if (second === undefined) throw new Error('no store');
    await importJobs(first, acme, jobIds(100));
    await importJobs(first, 'other', jobIds(100));
    await ask(second, ['job0000'], 64);
    const order: string[] = [];
    const asked = [
      request(jobIds(63, 1), 64),
      request(['job0000'], 64, { accountId: 'other', guard: undefined }),
    ];
    await first.acceptDeletions(asked, (index, answer) => order.push(`${String(index)} ${kindOf(answer)}`));
    expect(order).toEqual(['1 accepted']);
  });
});
