import type { Clock, Random } from '@jobs-delete/runtime/time/clock';
import { openEmbeddedEventLog } from '../event-log/embedded-event-log.ts';
import type { EventLog } from '../event-log/event-log.ts';
import { openSqliteStore } from '../store/sqlite-store.ts';
import type { Store } from '../store/store.ts';

/** Opens the embedded adapters for the tests of the domain. */
export function openStore(path: string): Store {
  return openSqliteStore(path);
}

export function openEventLog(
  path: string,
  options: { clock: Clock; random: Random; maxBatch?: number; pollMs?: number },
): EventLog {
  return openEmbeddedEventLog(path, options);
}
