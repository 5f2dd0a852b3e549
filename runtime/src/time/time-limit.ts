import { systemClock, type Clock } from './clock.ts';

/** Settles like `promise`, or like `onLate` after `ms`. Then `promise` goes on, and its outcome is ignored. `Infinity`: no limit. */
export async function withTimeLimit<Result, Late>(
  promise: Promise<Result>,
  ms: number,
  onLate: () => Late,
  clock: Pick<Clock, 'sleep'> = systemClock,
): Promise<Result | Late> {
  if (ms === Infinity) return promise;
  const settled = new AbortController();
  const late = async () => {
    await clock.sleep(ms, settled.signal);
    return settled.signal.aborted ? promise : onLate();
  };
  try {
    return await Promise.race([promise, late()]);
  } finally {
    settled.abort();
  }
}
