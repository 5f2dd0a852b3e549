import { describe, expect, test } from '@jest/globals';
import { bugs } from './bugs.ts';
import { compile, findBug } from './find-bugs.ts';
import { drawPlan } from './plan.ts';
import { shrink } from './shrink.ts';
import { simulate } from './simulate.ts';

const seeds = 1_000;

describe('the simulation of the service', () => {
  test('keeps every guarantee, whatever the seed', async () => {
    for (let seed = 1; seed <= seeds; seed++) {
      const plan = drawPlan(seed);
      const { problem } = await simulate(plan);
      if (problem === undefined) continue;
      const { story } = await simulate(await shrink(plan, problem));
      throw new Error(`seed ${String(seed)}: ${problem}\n${story.join('\n')}`);
    }
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
