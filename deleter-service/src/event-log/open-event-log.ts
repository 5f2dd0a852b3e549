import type { EventLogUrl } from '@jobs-delete/runtime/config/storage-url';
import { systemClock, systemRandom } from '@jobs-delete/runtime/time/clock';
import { openEmbeddedEventLog, openEmbeddedEventLogInThread } from './embedded-event-log.ts';
import type { EventLog } from './event-log.ts';

export interface OpenEventLogOptions {
  /** Reads a database file as a whole and refuses a damaged one. */
  readonly checkIntegrity?: boolean;
  /** A database file has a thread of its own, so that who serves many never waits for the disk. */
  readonly inThread?: boolean;
  readonly onWarning?: (message: string) => void;
}

/** @throws StartupError */
export async function openEventLog(url: EventLogUrl, options: OpenEventLogOptions = {}): Promise<EventLog> {
  const { checkIntegrity = false, inThread = false, onWarning } = options;
  if (url.kind === 'embedded') {
    const open = inThread ? openEmbeddedEventLogInThread : openEmbeddedEventLog;
    return open(url.path, { clock: systemClock, random: systemRandom, checkIntegrity });
  }
  const { openKafkaEventLog } = await import('./kafka-event-log.ts');
  return openKafkaEventLog(url, onWarning);
}
