import type { EventLog } from '../event-log/event-log.ts';
import { eventLogAdapter } from '../event-log/open-event-log.ts';
import { openLater, type LateEventLog } from '../event-log/open-later.ts';
import type { Shared } from './shared.ts';

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
  return tracing.traceEvents(eventLog);
}

function watch(eventLog: LateEventLog, { config, health, stack }: Shared): void {
  stack.push('event log', () => eventLog.close());
  // An api accepts while the log is away.
  health.watch({ name: 'event_log', check: eventLog.check, required: !config.roles.has('api') });
}
