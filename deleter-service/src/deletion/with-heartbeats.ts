import type { BatchControl } from '../event-log/event-log.ts';
import type { Clock } from '@jobs-delete/runtime/time/clock';

/** Heartbeats are asked for this often while a step waits. The event log may send fewer. */
const heartbeatMs = 1_000;

/**
 * Runs a step of a batch with heartbeats while it waits, for a hung store for example. When a heartbeat tells that the
 * batch is no longer this consumer's, rejects at once and leaves the step to end by itself: it may run twice.
 */
export async function withHeartbeats<Result>(
  step: () => Promise<Result>,
  batch: BatchControl,
  clock: Clock,
): Promise<Result> {
  const ended = new AbortController();
  try {
    return await Promise.race([step(), heartbeatUntilLost(batch, clock, ended.signal)]);
  } finally {
    ended.abort();
  }
}

/** Rejects when the batch is lost; otherwise stays pending. */
async function heartbeatUntilLost(batch: BatchControl, clock: Clock, ended: AbortSignal): Promise<never> {
  for (;;) {
    await clock.sleep(heartbeatMs, ended);
    if (ended.aborted) return await new Promise<never>(() => undefined);
    await batch.heartbeat();
  }
}
