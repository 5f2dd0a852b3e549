import { beforeEach, test } from '@jest/globals';
import { defaultJobsMapping } from '@jobs-delete/deleter-service/store/jobs-mapping';
import { processClock, type ProcessClock } from '@jobs-delete/runtime/time/clock';
import { openMongoStore } from '@jobs-delete/deleter-service/store/mongo-store';
import type { Store } from '@jobs-delete/deleter-service/store/store';
import {
  simulateSafety,
  type Replica,
  type SafetyWorld,
} from '@jobs-delete/deleter-service/testing/simulate-safety';
import { openMongo } from '@jobs-delete/runtime/mongo/open-mongo';
import { systemClock } from '@jobs-delete/runtime/time/clock';
import { describeWith } from '../servers/describe-with.ts';
import { useStoreDatabase } from './use-store-database.ts';

const minuteMs = 60_000;
/** Limits are counted by these. */
const quarterMs = 15 * minuteMs;
/** Timers run faster, clocks do not: replicas look more often at what others want. */
const timerSpeed = 50;
const firstSeed = Number(process.env.TEST_SEED ?? 1);
const seeds = Number(process.env.TEST_SEEDS ?? 4);

describeWith('mongodb', 'guard and cancellation, by seeds, on several replicas', (serverUrl) => {
  const database = useStoreDatabase(serverUrl, 'safety');

  beforeEach(async () => {
    for (const each of [
      database.collections.jobs,
      database.collections.deletions,
      database.collections.deletionUsage,
    ])
      await each.deleteMany({});
  });

  /** The clock of the server can't be moved. So its times on record move into the past instead. */
  const moveIntoPast = async (ms: number) => {
    const earlier = (field: string) => ({ $subtract: [field, ms] });
    const all = (array: string, moved: object) => ({
      $map: { input: { $ifNull: [array, []] }, in: { $mergeObjects: ['$$this', moved] } },
    });
    const at = { at: earlier('$$this.at') };
    const wanted = { $cond: [{ $gt: ['$$this.wanted', null] }, earlier('$$this.wanted'), '$$REMOVE'] };
    await database.collections.deletionUsage.updateMany({}, [
      {
        $set: {
          quarters: all('$quarters', at),
          counts: all('$counts', at),
          holds: all('$holds', { ...at, wanted }),
          counted_at: { $cond: [{ $gt: ['$counted_at', null] }, earlier('$counted_at'), '$$REMOVE'] },
        },
      },
    ]);
    const ended = { completed_at: { $exists: true } };
    await database.collections.deletions.updateMany(ended, [
      { $set: { completed_at: earlier('$completed_at') } },
    ]);
  };
  const wantAllHolds = () => {
    const wanted = { wanted: { $ifNull: ['$$this.wanted', '$$NOW'] } };
    const holds = { $map: { input: '$holds', in: { $mergeObjects: ['$$this', wanted] } } };
    return database.collections.deletionUsage.updateMany({ 'holds.0': { $exists: true } }, [
      { $set: { holds } },
    ]);
  };

  const openReplica = async (aheadMs: () => number) => {
    const connection = await openMongo(database.url, { maxPoolSize: 10 });
    const timers = new Set<() => void>();
    let skewMs = 0;
    const clock: ProcessClock & Replica['clock'] = {
      now: () => Date.now() + aheadMs() + skewMs,
      uptime: () => performance.now() + aheadMs(),
      sleep: (ms, signal) => systemClock.sleep(ms / timerSpeed, signal),
      defer: systemClock.defer,
      every: (ms, callback) => {
        const end = processClock.every(ms / timerSpeed, callback);
        timers.add(end);
        return end;
      },
    };
    const store: Store = await openMongoStore(connection, defaultJobsMapping, { clock });
    return {
      store,
      clock,
      set: (byMs: number) => {
        skewMs += byMs;
      },
      die: async () => {
        for (const end of timers) end();
        await connection.close(true);
      },
    };
  };
  const openWorld = async () => {
    let aheadMs = 0;
    const open = () => openReplica(() => aheadMs);
    const replicas = await Promise.all([open(), open(), open()]);
    const advance = async (ms: number) => {
      const rounded = Math.ceil(ms / quarterMs) * quarterMs;
      await moveIntoPast(rounded);
      aheadMs += rounded;
    };
    const world: SafetyWorld = {
      replicas,
      precision: {
        countedMs: (24 * 60 + 17) * minuteMs,
        heldMs: 75_000,
        slackMs: 10_000,
        countsAtCheck: false,
      },
      scale: 20,
      limitAtMs: () => Date.now() + aheadMs,
      aheadMs: () => aheadMs,
      advance,
      set: (index, byMs) => replicas[index]?.set(byMs),
      kill: async (index) => {
        await replicas[index]?.die();
        // Others ask for what it has reserved, and count for it two minutes later.
        await wantAllHolds();
        await advance(quarterMs);
        replicas[index] = await open();
      },
    };
    return { world, close: () => Promise.all(replicas.map(({ store }) => store.close())) };
  };

  test('every answer is one of an order of the calls', async () => {
    const { world, close } = await openWorld();
    try {
      for (let seed = firstSeed; seed < firstSeed + seeds; seed++) await simulateSafety(seed, world, 40);
    } finally {
      await close();
    }
  });
});
