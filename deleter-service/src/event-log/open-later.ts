import { Fault } from '@jobs-delete/runtime/fault';
import type { EventLog } from './event-log.ts';

export type LateEventLog = Pick<EventLog, 'publish' | 'check' | 'close'>;

/**
 * Returns a log that opens at its first use, and tries again at each use until that succeeds. So a process can start and
 * accept deletions during an outage of the log. Publishing fails with a Fault until the log is open.
 */
export function openLater(open: () => Promise<EventLog>): LateEventLog {
  let opening: Promise<EventLog> | undefined;
  let closed = false;

  const opened = async (): Promise<EventLog> => {
    if (closed) throw new Fault('unavailable', 'the event log is closed');
    const attempt = (opening ??= open());
    try {
      return await attempt;
    } catch (error) {
      if (opening === attempt) opening = undefined;
      throw new Fault('unavailable', error instanceof Error ? error.message : String(error), error);
    }
  };

  return {
    publish: async (topic, events) => (await opened()).publish(topic, events),
    check: () =>
      opened().then(
        (log) => log.check(),
        (error: unknown) => (error as Fault).message,
      ),
    close: async () => {
      closed = true;
      const log = await opening?.catch(() => undefined);
      await log?.close();
    },
  };
}
