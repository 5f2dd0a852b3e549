import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach } from '@jest/globals';

let isTestOn = true;

/** Asks again until the answer is yes. How long that may take is for the test's own time limit to say. */
export async function waitUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    assertTestIsOn();
    await delay(10);
  }
}

/** What goes on after its test has run out of time must not keep the run from ending. */
export function testIsOver(): boolean {
  return !isTestOn;
}

export function assertTestIsOn(): void {
  if (!isTestOn) throw new Error('The test is over, and what it waited for has not come.');
}

export function watchTestEnd(): void {
  beforeEach(() => {
    isTestOn = true;
  });
  afterEach(() => {
    isTestOn = false;
  });
}
