import { expect } from '@jest/globals';
import { checkHistory } from './check-history.ts';
import type { History } from './history.ts';

/** Checks the history of a kill campaign, and prints how much was checked. */
export async function expectLinearizable(checker: string, history: History): Promise<void> {
  history.save();
  const { story, ...verdict } = await checkHistory(checker, history.path);
  process.stderr.write(`history: ${JSON.stringify(verdict)}\n`);
  expect(story).toEqual([]);
  expect(verdict).toMatchObject({ operations: history.size(), violations: 0, undecided: 0 });
  expect(verdict.outcomes['delete accepted']).toBeGreaterThan(0);
}
