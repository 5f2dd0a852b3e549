import type { EventLogUrl } from '@jobs-delete/runtime/config/storage-url';
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

/** Opens the event log that a URL names. @throws StartupError */
export function openEventLog(url: EventLogUrl, options?: OpenEventLogOptions): Promise<EventLog> {
  return eventLogAdapter(url).open(options);
}
