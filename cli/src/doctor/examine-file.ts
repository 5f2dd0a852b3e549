import { existsSync } from 'node:fs';
import { findings, ok, problem, type Finding } from './finding.ts';

const nouns = { database: 'database', event_log: 'event log' };

/** Checks a file of embedded storage. `open` verifies its integrity and durability. */
export function examineFile(
  subject: keyof typeof nouns,
  path: string,
  open: () => Promise<{ close(): Promise<void> }>,
): Promise<readonly Finding[]> {
  return findings(subject, 'Check the disk and its permissions, or restore a backup.', async () => {
    if (!existsSync(path)) {
      const advice =
        'Run jobs-delete serve to create it, or set DATA_DIR or DATABASE_URL if it is elsewhere.';
      return [problem(subject, `There is no ${nouns[subject]} at ${path}.`, advice)];
    }
    const opened = await open();
    await opened.close();
    return [ok(subject, `${path} is intact and durable: WAL with synchronous=FULL`)];
  });
}
