import { setTimeout as delay } from 'node:timers/promises';
import { createSeededRandom, type SeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';
import { drawKills, type Target, type Targets } from './targets.ts';

/** The share of freezes. The rest are kills. */
const shareOfFreezes = 0.3;

export interface PlanOptions {
  readonly seed: number;
  readonly kills: number;
  /** The longest pause between kills. The mean is half of it. */
  readonly pauseMs: number;
  readonly maxFrozenMs: number;
  /** Called after each kill or freeze has begun, with its index. */
  readonly onKill?: (index: number) => Promise<void> | undefined;
}

/** Kills and freezes targets by a plan that the seed decides. All targets run at its end. */
export async function killByPlan(targets: Targets, options: PlanOptions): Promise<void> {
  const { seed, kills, pauseMs, maxFrozenMs, onKill } = options;
  const random = createSeededRandom(seed);
  const plan = drawKills(kills, targets, random);
  const reviving = new Map<Target, Promise<void>>();
  const following: (Promise<void> | undefined)[] = [];
  for (const [index, target] of plan.entries()) {
    await reviving.get(target);
    // In the middle, all targets at once.
    const struck = index === Math.floor(kills / 2) ? Object.values(targets).flat() : [target];
    await Promise.all(struck.flatMap((each) => reviving.get(each) ?? []));
    const freezes = struck.length === 1 && random.fraction() < shareOfFreezes;
    for (const each of struck)
      reviving.set(each, freezes ? freeze(each, random, maxFrozenMs) : kill(each, random));
    following.push(onKill?.(index));
    // Some kills come together.
    if (random.fraction() < 0.7) await delay(random.fraction() * pauseMs);
  }
  await Promise.all([...reviving.values(), ...following]);
}

async function kill(target: Target, random: SeededRandom) {
  const downMs = random.fraction() * 1_000;
  await target.kill();
  await delay(downMs);
  await target.revive();
}

/** May last longer than calls and keep-alives wait. A worker may keep its partitions or lose them. */
async function freeze(target: Target, random: SeededRandom, maxFrozenMs: number) {
  target.freeze();
  await delay(random.fraction() * maxFrozenMs);
  target.resume();
}
