import { join } from 'node:path';
import type { Deletion } from '@jobs-delete/deleter-service/store/deletion';
import { eventsSchema } from '@jobs-delete/deleter-service/event-log/embedded/log-file';
import { jobsSchema } from '@jobs-delete/deleter-service/store/sqlite/schema';
import { openSqliteStore } from '@jobs-delete/deleter-service/store/sqlite-store';
import { allDeletions } from '@jobs-delete/deleter-service/testing/deletions';
import {
  deletionAcceptedTopic,
  deletionCancelledTopic,
  jobsDeletedTopic,
  type DeletionCancelledData,
  type JobsDeletedData,
} from '@jobs-delete/proto/events';
import { openSqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { until } from '../harness/until.ts';

/** Contents of the data folder, read from its files. */
export interface Aftermath {
  readonly deletions: readonly Deletion[];
  readonly jobs: readonly JobLeft[];
  /** Events of jobs.deleted.v1, in the order of the log. */
  readonly removals: readonly Removal[];
  /** The deletions that events of jobs.deletion-cancelled.v1 name. */
  readonly cancelled: readonly string[];
  readonly deadLetters: number;
}

export interface JobLeft {
  readonly accountId: string;
  readonly jobId: string;
  readonly claimedBy: number | null;
}

export interface Removal extends JobsDeletedData {
  readonly key: string;
  readonly eventId: string;
}

export async function readAftermath(dataDir: string): Promise<Aftermath> {
  return { deletions: await readDeletions(dataDir), jobs: readJobs(dataDir), ...readEvents(dataDir) };
}

async function readDeletions(dataDir: string): Promise<Deletion[]> {
  const store = openSqliteStore(databasePath(dataDir), { checkIntegrity: true });
  try {
    return await allDeletions(store, undefined);
  } finally {
    await store.close();
  }
}

function readJobs(dataDir: string): JobLeft[] {
  const database = openSqlite(databasePath(dataDir), jobsSchema);
  try {
    const rows = database.prepare('SELECT account_id, id, claimed_by FROM jobs').raw().all();
    return (rows as [string, string, number | null][]).map(([accountId, jobId, claimedBy]) => ({
      accountId,
      jobId,
      claimedBy,
    }));
  } finally {
    database.close();
  }
}

function readEvents(dataDir: string): Pick<Aftermath, 'removals' | 'cancelled' | 'deadLetters'> {
  const database = openSqlite(eventsPath(dataDir), eventsSchema, { checkIntegrity: true });
  try {
    const rows = database
      .prepare('SELECT key, headers, value FROM events WHERE topic = ? ORDER BY seq')
      .raw();
    const removals = (rows.all(jobsDeletedTopic) as [string, string, Buffer][]).map(
      ([key, headers, value]) => ({
        key,
        eventId: (JSON.parse(headers) as { ce_id: string }).ce_id,
        ...(JSON.parse(Buffer.from(value).toString('utf8')) as JobsDeletedData),
      }),
    );
    const cancelled = (rows.all(deletionCancelledTopic) as [string, string, Buffer][]).map(
      ([, , value]) => (JSON.parse(Buffer.from(value).toString('utf8')) as DeletionCancelledData).deletion_id,
    );
    const [deadLetters] = database.prepare('SELECT count(*) FROM dead_letters').raw().get() as [number];
    return { removals, cancelled, deadLetters };
  } finally {
    database.close();
  }
}

/** Resolves when no deletion is unfinished and no event unprocessed. The service may be running. */
export async function waitUntilSettled(dataDir: string): Promise<void> {
  const database = openSqlite(databasePath(dataDir), jobsSchema);
  const log = openSqlite(eventsPath(dataDir), eventsSchema);
  const unfinished = database.prepare('SELECT count(*) FROM deletions WHERE due_at_ms IS NOT NULL').raw();
  const unprocessed = log.prepare(
    `SELECT count(*) FROM events WHERE topic = ?
     AND seq > coalesce((SELECT min(processed_seq) FROM offsets WHERE offsets.topic = events.topic), 0)`,
  );
  const count = (row: unknown) => (row as [number])[0];
  try {
    await until(
      () => count(unfinished.get()) === 0 && count(unprocessed.raw().get(deletionAcceptedTopic)) === 0,
    );
  } finally {
    database.close();
    log.close();
  }
}

/** Resets all offsets: the next start delivers every event again. */
export function rewindEventLog(dataDir: string): void {
  const log = openSqlite(eventsPath(dataDir), eventsSchema);
  log.exec('UPDATE offsets SET processed_seq = 0');
  log.close();
}

export function databasePath(dataDir: string): string {
  return join(dataDir, 'jobs-delete.db');
}

export function eventsPath(dataDir: string): string {
  return join(dataDir, 'events.db');
}
