import type { Schema } from '@jobs-delete/runtime/sqlite/open-sqlite';

// From version 0.1.0 on, never change a migration: append another one.

export const accountsSchema: Schema = {
  name: 'accounts',
  migrations: [
    `
    CREATE TABLE accounts (
      id TEXT PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64 AND id NOT GLOB '*[^A-Za-z0-9_-]*'),
      name TEXT,
      created_at_ms INTEGER NOT NULL,
      disabled_at_ms INTEGER
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
      last_refused_at_ms INTEGER,
      pepper_id TEXT,
      PRIMARY KEY (kind, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX credentials_of_account ON credentials (account_id, kind, created_at_ms);

    CREATE TABLE allowed_domains (
      account_id TEXT NOT NULL REFERENCES accounts (id),
      domain TEXT NOT NULL CHECK (length(domain) > 0),
      PRIMARY KEY (account_id, domain)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE credential_pepper (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32),
      second BLOB CHECK (length(second) = 32)
    ) STRICT;

    CREATE TABLE people (
      id TEXT PRIMARY KEY CHECK (length(id) > 0),
      created_at_ms INTEGER NOT NULL,
      openid_issuer TEXT CHECK (length(openid_issuer) > 0),
      openid_subject TEXT CHECK (length(openid_subject) > 0),
      UNIQUE (openid_issuer, openid_subject),
      CHECK ((openid_issuer IS NULL) = (openid_subject IS NULL))
    ) STRICT, WITHOUT ROWID;

    -- The address is a label, so it is not unique.
    CREATE TABLE memberships (
      account_id TEXT NOT NULL REFERENCES accounts (id),
      person_id TEXT NOT NULL REFERENCES people (id),
      role TEXT NOT NULL CHECK (role IN ('owner', 'manager', 'viewer')),
      email TEXT NOT NULL CHECK (length(email) > 0),
      PRIMARY KEY (account_id, person_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX memberships_of_person ON memberships (person_id, account_id);

    -- The row numbers keep the order of the passkeys.
    CREATE TABLE passkeys (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE CHECK (length(id) > 0),
      person_id TEXT NOT NULL REFERENCES people (id),
      public_key BLOB NOT NULL,
      counter INTEGER NOT NULL,
      transports TEXT NOT NULL CHECK (json_type(transports) = 'array'),
      name TEXT NOT NULL,
      created_at_ms INTEGER NOT NULL,
      last_used_at_ms INTEGER
    ) STRICT;
    CREATE INDEX passkeys_of_person ON passkeys (person_id);

    CREATE TABLE sessions (
      hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
      id TEXT NOT NULL UNIQUE CHECK (length(id) > 0),
      person_id TEXT NOT NULL REFERENCES people (id),
      account_id TEXT NOT NULL REFERENCES accounts (id),
      created_at_ms INTEGER NOT NULL,
      last_seen_at_ms INTEGER NOT NULL,
      proven_at_ms INTEGER NOT NULL,
      network TEXT,
      user_agent TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sessions_of_person ON sessions (person_id, last_seen_at_ms);
    CREATE INDEX sessions_by_age ON sessions (last_seen_at_ms);

    CREATE TABLE one_time_secrets (
      hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
      kind TEXT NOT NULL,
      expires_at_ms INTEGER NOT NULL,
      data TEXT NOT NULL CHECK (json_type(data) = 'object')
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX one_time_secrets_by_expiry ON one_time_secrets (expires_at_ms);
    CREATE UNIQUE INDEX open_invitation ON one_time_secrets (data ->> '$.accountId', data ->> '$.email')
      WHERE kind = 'invitation';

    CREATE TABLE audit_entries (
      account_id TEXT NOT NULL REFERENCES accounts (id),
      at_ms INTEGER NOT NULL,
      id TEXT NOT NULL UNIQUE CHECK (length(id) > 0),
      action TEXT NOT NULL,
      actor TEXT NOT NULL,
      subject TEXT,
      network TEXT,
      PRIMARY KEY (account_id, at_ms, id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE refusal_counts (
      account_id TEXT NOT NULL REFERENCES accounts (id),
      day TEXT NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
      code TEXT NOT NULL CHECK (length(code) > 0),
      count INTEGER NOT NULL CHECK (count >= 0),
      sandbox_count INTEGER CHECK (sandbox_count > 0),
      PRIMARY KEY (account_id, day, code)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX refusal_counts_by_day ON refusal_counts (day);

    CREATE TABLE refused_requests (
      account_id TEXT NOT NULL REFERENCES accounts (id),
      at_ms INTEGER NOT NULL,
      id TEXT NOT NULL UNIQUE CHECK (length(id) > 0),
      environment TEXT NOT NULL CHECK (environment IN ('live', 'sandbox')),
      status INTEGER NOT NULL,
      code TEXT NOT NULL CHECK (length(code) > 0),
      token_id TEXT NOT NULL,
      origin TEXT,
      client TEXT,
      jobs INTEGER,
      wrong_entries INTEGER,
      wrong_entry TEXT,
      PRIMARY KEY (account_id, at_ms, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX refused_requests_by_age ON refused_requests (at_ms);
    `,
    `
    ALTER TABLE credentials ADD COLUMN paused_at_ms INTEGER;
    ALTER TABLE credentials ADD COLUMN replaces_id TEXT CHECK (length(replaces_id) > 0);
    `,
    'ALTER TABLE allowed_domains ADD COLUMN last_used_at_ms INTEGER;',
    'ALTER TABLE memberships ADD COLUMN last_seen_at_ms INTEGER;',
    "ALTER TABLE credentials ADD COLUMN environment TEXT CHECK (environment = 'sandbox');",
  ],
};
