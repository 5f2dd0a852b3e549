import { describe, expect, test } from '@jest/globals';
import { bugs } from './bugs.ts';
import { compile, findBug, spawnSimulation } from './find-bugs.ts';
import { usePlainAbort } from './plain-abort.ts';
import { drawPlan } from './plan.ts';
import { simulate } from './simulate.ts';
import { World } from './world.ts';

/** These find each of the planted bugs (docs/reliability.md). `npm run simulate` plays more. */
const seeds = 4_000;
/** The machine of CI has two cores. */
const processes = 2;
const share = seeds / processes;

describe('the simulation of the service', () => {
  // The sandbox of jest would slow it down.
  test('keeps every guarantee, whatever the seed', async () => {
    const firsts = Array.from({ length: processes }, (_, index) => 1 + index * share);
    const play = (first: number) =>
      spawnSimulation(['--from', String(first), '--seeds', String(share), '--first']);
    const end = expect.stringContaining(`${String(share)} seeds, 0 failed`);
    for (const played of await Promise.all(firsts.map(play)))
      expect(played).toEqual({ stdout: end, stderr: '', status: 0 });
  });

  test('keeps every guarantee with 100 apis, 100 workers and 1,000 accounts', async () => {
    const end = expect.stringContaining('1 seeds, 0 failed');
    // This seed kills, cuts, freezes and hangs.
    const played = await spawnSimulation(['--huge', '--seeds', '1', '--from', '86']);
    expect(played).toEqual({ stdout: end, stderr: '', status: 0 });
  });

  test('tells the same story again for the same seed', async () => {
    const plan = drawPlan(7);
    expect(await simulate(plan)).toEqual(await simulate(plan));
  });

  test('tells the same story with the AbortController of Node', async () => {
    const plan = drawPlan(7);
    const story = await simulate(plan);
    const { AbortController } = globalThis;
    usePlainAbort();
    try {
      expect(await simulate(plan)).toEqual(story);
    } finally {
      globalThis.AbortController = AbortController;
    }
  });

  test('tells the same story if a turn follows every timer', async () => {
    const plan = drawPlan(7);
    const story = await simulate(plan);
    const { after } = World.prototype;
    World.prototype.after = function (ms, run) {
      after.call(this, ms, () => void run());
    };
    try {
      expect(await simulate(plan)).toEqual(story);
    } finally {
      World.prototype.after = after;
    }
  });
});

describe('the planted bugs', () => {
  test.each(bugs)('$name: the text is in its file', (bug) => {
    expect(compile(bug)).not.toBe('');
  });

  test.each(bugs.filter(({ isFoundAtOnce }) => isFoundAtOnce))(
    '$name: some of the first seeds find it',
    async (bug) => {
      expect(await findBug(bug, 60)).toBeDefined();
    },
  );
});
