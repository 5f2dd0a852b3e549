import { afterEach, beforeEach } from '@jest/globals';
import { currentTest } from './until.ts';

/** Ends the loops of each test with the test. Call it once per file. */
export function watchTestEnd(): void {
  beforeEach(() => {
    currentTest.isOver = false;
  });
  afterEach(() => {
    currentTest.isOver = true;
  });
}
