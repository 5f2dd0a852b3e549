import { Fault } from '@jobs-delete/runtime/fault';
import { linkAbort, type Clock, withTimeLimit } from '@jobs-delete/runtime/time/clock';
import type { BatchControl } from '../event-log/event-log.ts';

/** The interval of heartbeats while a step waits. The event log may send fewer. */
const heartbeatMs = 1_000;

/**
 * Runs a step of a batch and sends heartbeats while the step waits, for example for a hung store. Rejects at once when a
 * heartbeat fails because another consumer has the batch, or after `limitMs`. The step then continues, so it may run twice.
 */
export async function withHeartbeats<Result>(
  step: () => Promise<Result>,
  batch: BatchControl,
  clock: Clock,
  limitMs = Infinity,
): Promise<Result> {
  const ended = linkAbort(batch.signal);
  const failLate = () => {
    throw new Fault('unknown-outcome', `no answer within ${String(limitMs)} ms`);
  };
  try {
    const attempt = Promise.race([step(), heartbeatUntilLost(batch, clock, ended.signal)]);
    // A heartbeat that hangs does not extend the limit.
    return await withTimeLimit(attempt, limitMs, failLate, clock);
  } finally {
    ended.unlink();
    ended.abort();
  }
}

/** Rejects when the batch is lost; otherwise stays pending. */
async function heartbeatUntilLost(batch: BatchControl, clock: Clock, ended: AbortSignal): Promise<never> {
  for (;;) {
    await clock.sleep(heartbeatMs, ended);
    batch.signal.throwIfAborted();
    if (ended.aborted) return new Promise(() => undefined);
    await batch.heartbeat();
  }
}
