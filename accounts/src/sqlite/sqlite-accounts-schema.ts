import type { Schema } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { peopleTables } from './sqlite-people-schema.ts';

export const accountsSchema: Schema = {
  name: 'accounts',
  migrations: [
    `
    CREATE TABLE accounts (
      id TEXT PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64 AND id NOT GLOB '*[^A-Za-z0-9_-]*'),
      name TEXT,
      created_at_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE credentials (
      kind TEXT NOT NULL CHECK (kind IN ('token', 'secret-key')),
      id TEXT NOT NULL CHECK (length(id) > 0),
      account_id TEXT NOT NULL REFERENCES accounts (id),
      hash BLOB NOT NULL CHECK (length(hash) = 32),
      name TEXT,
      created_at_ms INTEGER NOT NULL,
      expires_at_ms INTEGER,
      revoked_at_ms INTEGER,
      last_used_at_ms INTEGER,
      PRIMARY KEY (kind, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX credentials_of_account ON credentials (account_id, kind, created_at_ms);

    CREATE TABLE allowed_domains (
      account_id TEXT NOT NULL REFERENCES accounts (id),
      domain TEXT NOT NULL CHECK (length(domain) > 0),
      PRIMARY KEY (account_id, domain)
    ) STRICT, WITHOUT ROWID;
    `,
    `
    CREATE TABLE credential_pepper (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32)
    ) STRICT;
    `,
    'ALTER TABLE credentials ADD COLUMN last_refused_at_ms INTEGER;',
    'ALTER TABLE accounts ADD COLUMN disabled_at_ms INTEGER',
    peopleTables,
    `
    ALTER TABLE credentials ADD COLUMN pepper_id TEXT;
    ALTER TABLE credential_pepper ADD COLUMN second BLOB CHECK (length(second) = 32);
    `,
  ],
};
