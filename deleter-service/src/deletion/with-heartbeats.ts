import type { BatchControl } from '../event-log/event-log.ts';
import type { Clock } from '@jobs-delete/runtime/time/clock';

/** The interval of heartbeats while a step waits. The event log may send fewer. */
const heartbeatMs = 1_000;

/**
 * Runs a step of a batch and sends heartbeats while the step waits, for example for a hung store. Rejects at once when a
 * heartbeat fails because another consumer has the batch. The step then continues, so it may run twice.
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
