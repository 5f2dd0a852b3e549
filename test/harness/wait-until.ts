import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach } from '@jest/globals';

let isTestOn = true;

/** Asks again until the answer is yes. The limit is on hanging only, so that a failure names what did not come. */
export async function waitUntil(
  isSo: () => boolean | Promise<boolean>,
  { timeoutMs = 180_000 }: { readonly timeoutMs?: number } = {},
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await isSo())) {
    assertTestIsOn();
    if (performance.now() > deadline)
      throw new Error(`not within ${String(timeoutMs / 1_000)} s: ${String(isSo)}`);
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
