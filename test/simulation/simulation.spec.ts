import { describe, expect, test } from '@jest/globals';
import { bugs } from './bugs.ts';
import { compile, findBug, spawnSimulation } from './find-bugs.ts';
import { drawPlan } from './plan.ts';
import { simulate } from './simulate.ts';

describe('the simulation of the service', () => {
  // The sandbox of jest would slow it down.
  test('keeps every guarantee, whatever the seed', () => {
    const { stdout, stderr, status } = spawnSimulation(['--seeds', '1000', '--first']);
    const end = expect.stringContaining('1000 seeds, 0 failed') as unknown;
    expect({ stdout, stderr, status }).toEqual({ stdout: end, stderr: '', status: 0 });
  });

  test('tells the same story again for the same seed', async () => {
    const plan = drawPlan(7);
    expect(await simulate(plan)).toEqual(await simulate(plan));
  });
});

describe('the planted bugs', () => {
  test.each(bugs)('$name: the text is in its file', (bug) => {
    expect(compile(bug)).not.toBe('');
  });

  test.each(bugs.filter(({ isFoundAtOnce }) => isFoundAtOnce))(
    '$name: some of the first seeds find it',
    (bug) => {
      expect(findBug(bug, 60)).toBeDefined();
    },
  );
});
