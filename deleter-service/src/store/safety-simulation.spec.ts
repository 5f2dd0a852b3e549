import { afterAll, describe, test } from '@jest/globals';
import { simulateSafety, type Replica, type SafetyWorld } from '../testing/simulate-safety.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openSqliteStore } from './sqlite-store.ts';

const newPath = temporaryFolder();
const firstSeed = Number(process.env.TEST_SEED ?? 1);
const seeds = Number(process.env.TEST_SEEDS ?? 100);

describe('guard and cancellation, by seeds, on SQLite', () => {
  const path = newPath();
  let nowMs = 0;
  /** Group commit sleeps only to find late calls, and no call of SQLite is late. */
  const clock = {
    now: () => nowMs,
    sleep: () => new Promise<void>(() => undefined),
    defer: (callback: () => void) => void setImmediate(callback),
  };
  const open = (): Replica => ({ store: openSqliteStore(path, { now: clock.now }), clock });
  const replicas = [open(), open(), open()];
  const world: SafetyWorld = {
    replicas,
    precision: { countedMs: (24 * 60 + 15) * 60_000, heldMs: 0, slackMs: 0, countsAtCheck: true },
    scale: 1,
    limitAtMs: () => nowMs,
    aheadMs: () => 0,
    advance: (ms) => {
      nowMs += ms;
      return Promise.resolve();
    },
    set: (_, byMs) => {
      nowMs += byMs;
    },
    kill: async (index) => {
      await replicas[index]?.store.close();
      replicas[index] = open();
    },
  };
  afterAll(() => Promise.all(replicas.map(({ store }) => store.close())));

  test('every answer is one of an order of the calls', async () => {
    for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
      nowMs = Date.UTC(2026, 0, 1);
      await simulateSafety(seed, world, 40);
    }
  });
});
