import { setTimeout as delay } from 'node:timers/promises';

/** Stops a wait whose condition never holds. It is no limit on speed: machines under load are slow. */
const timeoutMs = 300_000;

/** Set by `watchTestEnd`. Loops must then end: they would keep the run alive. */
export const currentTest = { isOver: false };

export function assertTestIsOn(): void {
  if (currentTest.isOver) throw new Error('The test ended before its condition held.');
}

/** Polls until the result is neither undefined nor false, and returns it. Throws with the condition after the timeout. */
export async function until<Result>(
  condition: () => Promise<Result | undefined | false> | Result | undefined | false,
  { what = String(condition) }: { what?: string } = {},
): Promise<Result> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const result = await condition();
    if (result !== undefined && result !== false) return result;
    assertTestIsOn();
    if (performance.now() > deadline) throw new Error(`not within ${String(timeoutMs / 1_000)} s: ${what}`);
    await delay(5);
  }
}
