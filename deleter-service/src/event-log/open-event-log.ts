import type { EventLogUrl } from '@jobs-delete/runtime/config/storage-url';
import { Fault, messageOf } from '@jobs-delete/runtime/fault';
import { systemClock, systemRandom } from '@jobs-delete/runtime/time/clock';
import { openEmbeddedEventLog, openEmbeddedEventLogInThread } from './embedded-event-log.ts';
import type { EventLog } from './event-log.ts';

export interface OpenEventLogOptions {
  /** Reads the whole database file and refuses a damaged one. */
  readonly checkIntegrity?: boolean;
  /** Runs a database file in its own thread: disk access then does not block the event loop. */
  readonly inThread?: boolean;
  readonly onWarning?: (message: string) => void;
}

/** One kind of event log, with the differences that its users must know. */
export interface EventLogAdapter {
  /** True for a file that one process serves alone: the process locks the data folder and has every role. */
  readonly isEmbedded: boolean;
  /** @throws StartupError */
  open(options?: OpenEventLogOptions): Promise<EventLog>;
}

/** Returns the adapter that an event log URL names. A third kind of event log needs one more case here. */
export function eventLogAdapter(url: EventLogUrl): EventLogAdapter {
  switch (url.kind) {
    case 'embedded':
      return {
        isEmbedded: true,
        open: async ({ checkIntegrity = false, inThread = false } = {}) => {
          const open = inThread ? openEmbeddedEventLogInThread : openEmbeddedEventLog;
          return open(url.path, { clock: systemClock, random: systemRandom, checkIntegrity });
        },
      };
    case 'kafka':
      return {
        isEmbedded: false,
        open: async ({ onWarning } = {}) => {
          const { openKafkaEventLog } = await import('./kafka-event-log.ts');
          return openKafkaEventLog(url, onWarning);
        },
      };
  }
}

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
      throw new Fault('unavailable', messageOf(error), error);
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
