import type { Schema } from '@jobs-delete/runtime/sqlite/open-sqlite';

/** `seq` is the offset of an event. It grows with each publication and is never reused. */
export const eventsSchema: Schema = {
  name: 'events',
  migrations: [
    `
    CREATE TABLE events (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      topic TEXT NOT NULL,
      key TEXT NOT NULL,
      headers TEXT NOT NULL,
      value BLOB NOT NULL,
      published_at_ms INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX events_topic ON events (topic, seq);
    CREATE TABLE offsets (
      consumer_group TEXT NOT NULL,
      topic TEXT NOT NULL,
      processed_seq INTEGER NOT NULL,
      PRIMARY KEY (consumer_group, topic)
    ) STRICT;
    CREATE TABLE dead_letters (
      id TEXT PRIMARY KEY,
      reason TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      failed_at_ms INTEGER NOT NULL,
      position TEXT NOT NULL,
      key TEXT NOT NULL,
      headers TEXT NOT NULL,
      value BLOB NOT NULL
    ) STRICT;
    `,
  ],
};
