import { join } from 'node:path';
import { systemClock, systemRandom } from '@jobs-delete/runtime/time/clock';
import { openEmbeddedEventLog } from '@jobs-delete/deleter-service/event-log/embedded-event-log';
import type { EventLog } from '@jobs-delete/deleter-service/event-log/event-log';
import type { CommandLine } from '../program.fixture.ts';

/** The event log that the commands have, open for a moment. */
export async function withEventLog<Result>(
  cli: CommandLine,
  use: (log: EventLog) => Promise<Result>,
): Promise<Result> {
  const log = openEmbeddedEventLog(join(cli.dataDir(), 'events.db'), {
    clock: systemClock,
    random: systemRandom,
    pollMs: 5,
  });
  try {
    return await use(log);
  } finally {
    await log.close();
  }
}
