import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach } from '@jest/globals';

let isTestOn = true;

/** Polls until the condition holds. Throws after a long timeout, with the text of the condition. */
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

/** Returns true when the test is over. Loops must then end: they would keep the run alive. */
export function testIsOver(): boolean {
  return !isTestOn;
}

export function assertTestIsOn(): void {
  if (!isTestOn) throw new Error('The test ended before its condition held.');
}

export function watchTestEnd(): void {
  beforeEach(() => {
    isTestOn = true;
  });
  afterEach(() => {
    isTestOn = false;
  });
}
