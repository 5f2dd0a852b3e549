import type { StopStack, WaitFor } from '@jobs-delete/runtime/process/service-context';
import type { Health } from '@jobs-delete/runtime/telemetry/health';
import type { Logger } from '@jobs-delete/runtime/telemetry/logger';
import type { Tracing } from '@jobs-delete/runtime/telemetry/tracing';
import type { Clock, Random } from '@jobs-delete/runtime/time/clock';
import type { DeleterConfig } from '../config.ts';
import type { EventLog } from '../event-log/event-log.ts';
import { type LateEventLog, eventLogAdapter, openLater } from '../event-log/open-event-log.ts';
import type { DeleterMetrics } from '../metrics.ts';
import type { Store } from '../store/store.ts';
import { traceEvents } from '../tracing.ts';

/** The parts that all roles of a process share. */
export interface Shared {
  readonly config: DeleterConfig;
  readonly log: Logger;
  readonly health: Health;
  readonly waitFor: WaitFor;
  /** Each role pushes how it stops. */
  readonly stack: StopStack;
  readonly store: Store;
  /** Resolves to the reason why the database can't be used, or undefined. */
  readonly checkDatabase: () => Promise<string | undefined>;
  readonly metrics: DeleterMetrics;
  /** Undefined without a collector. */
  readonly tracing: Tracing | undefined;
  readonly clock: Clock;
  readonly random: Random;
}

/** Returns a handler that counts and logs each failed attempt. */
export function onRetry({ metrics, log }: Shared, what: 'publication' | 'removal') {
  return (error: unknown, attempt: number): void => {
    metrics.onRetry(what);
    log.warn({ err: error, attempt }, `a ${what} failed and is tried again`);
  };
}

/** Opens the event log, and waits until it is reachable. @throws StartupError */
export async function openRoleLog(shared: Shared): Promise<EventLog> {
  const eventLog = await shared.waitFor('event_log', () => openTraced(shared));
  watch(eventLog, shared);
  return eventLog;
}

/** Returns a log that is opened in the background: the start does not wait for it. */
export function openRoleLogLater(shared: Shared): LateEventLog {
  const eventLog = openLater(() => openTraced(shared));
  watch(eventLog, shared);
  return eventLog;
}

async function openTraced({ config, log, tracing }: Shared): Promise<EventLog> {
  const onWarning = (message: string) => log.warn(message);
  const eventLog = await eventLogAdapter(config.eventLog).open({
    checkIntegrity: true,
    inThread: true,
    onWarning,
  });
  return traceEvents(eventLog, tracing);
}

function watch(eventLog: LateEventLog, { config, health, stack }: Shared): void {
  stack.push('event log', () => eventLog.close());
  // An api accepts while the log is away.
  health.watch({ name: 'event_log', check: eventLog.check, required: !config.roles.has('api') });
}
