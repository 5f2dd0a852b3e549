import { setTimeout as delay } from 'node:timers/promises';

/** Asks again until the answer is yes. How long that may take is for the test's own time limit to say. */
export async function waitUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(10);
}
