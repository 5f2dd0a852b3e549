CREATE TABLE schema_versions (name TEXT PRIMARY KEY, version INTEGER NOT NULL);
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
CREATE TABLE credential_pepper (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32)
    ) STRICT;
CREATE TABLE deletions (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      account_id TEXT NOT NULL,
      job_ids TEXT NOT NULL,
      job_count INTEGER NOT NULL,
      claims TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('accepted', 'published', 'completed')),
      accepted_at_ms INTEGER NOT NULL,
      published_at_ms INTEGER,
      completed_at_ms INTEGER,
      due_at_ms INTEGER,
      publications INTEGER NOT NULL DEFAULT 0,
      removed_parts TEXT NOT NULL DEFAULT '[]',
      idempotency_key TEXT,
      origin TEXT NOT NULL,
      CHECK ((state = 'completed') = (completed_at_ms IS NOT NULL)),
      CHECK ((state = 'completed') = (due_at_ms IS NULL))
    ) STRICT;
CREATE UNIQUE INDEX deletions_key ON deletions (account_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX deletions_due ON deletions (due_at_ms) WHERE due_at_ms IS NOT NULL;
CREATE INDEX deletions_accepted ON deletions (account_id, accepted_at_ms, id);
CREATE INDEX deletions_completed ON deletions (completed_at_ms) WHERE completed_at_ms IS NOT NULL;
CREATE TABLE jobs (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      account_id TEXT NOT NULL,
      id TEXT NOT NULL,
      posting TEXT NOT NULL,
      imported_at_ms INTEGER NOT NULL,
      claimed_by INTEGER,
      UNIQUE (account_id, id)
    ) STRICT;
INSERT INTO schema_versions VALUES ('accounts', 2);
INSERT INTO schema_versions VALUES ('jobs', 1);
INSERT INTO accounts VALUES ('acme', NULL, 1795294786886);
INSERT INTO credentials VALUES ('secret-key', '878e7b6a11edf2776cef4fc9', 'acme', X'fda74eb73b203fd4c3493fec25d707e632b97b674bf93aebbaa06c5aec94834b', NULL, 1795294788228, NULL, NULL, 1795294789432);
INSERT INTO credentials VALUES ('token', 'ebdcc9b513edd3f4ce6b1b12', 'acme', X'08a92cd7800aedea0230ef8f34029b8539f8553d61181418fb5c24e020b9cac4', NULL, 1795294787783, NULL, NULL, 1795294789432);
INSERT INTO allowed_domains VALUES ('acme', 'https://acme.example');
INSERT INTO credential_pepper VALUES (1, X'3bc65bb5b7057886700f95df71b0383843289bd6993f0f7d2a5e0fed6f7ae681');
INSERT INTO deletions VALUES (1, '901f8383-40a6-4d6d-8239-7515631a6d39', 'acme', '["job0001","job0002"]', 2, '[1,2]', 'completed', 1795294789418, NULL, 1795294789424, NULL, 1, '[0]', 'key-1', '{"requestId":"f8080dac-a2cd-467d-9d62-330505031005","language":"en","userAgent":"tests/1.0","clientTechnology":"TypeScript","webOrigin":"https://acme.example","tokenId":"ebdcc9b513edd3f4ce6b1b12","traceparent":"00-41838830f7cbcebbd251ccc8e44f1983-3b2ee8c7917222e2-01"}');
INSERT INTO deletions VALUES (2, 'f5aaa9ca-314c-4b42-bef4-012cd8af95da', 'acme', '["job0003"]', 1, '[3]', 'published', 1795294789443, 1795294789476, NULL, 1795295389476, 1, '[]', NULL, '{"requestId":"86dde724-1c5c-417d-8c4c-9bfff017e472","language":"en","userAgent":"tests/1.0","clientTechnology":"TypeScript","webOrigin":"https://acme.example","tokenId":"ebdcc9b513edd3f4ce6b1b12","traceparent":"00-afa87fc79a36466370acee8a320a23b1-168ec94ab29b485a-01"}');
INSERT INTO deletions VALUES (3, '4e7178ef-cb2d-4103-a124-3c44a1da42dc', 'acme', '["job0004","job0005"]', 2, '[4,5]', 'accepted', 1795294794438, NULL, NULL, 1795294824438, 0, '[]', NULL, '{"requestId":"a25fd158-5f76-4ad9-a8ea-f3e2840c4548","language":"en","userAgent":"tests/1.0","clientTechnology":"TypeScript","webOrigin":"https://acme.example","tokenId":"ebdcc9b513edd3f4ce6b1b12","traceparent":"00-8a589f064ac4a36afd2d6e7b0ea03972-357171a0ce79bce9-01"}');
INSERT INTO jobs VALUES (3, 'acme', 'job0003', '{"title":"The job job0003"}', 1795294788759, 2);
INSERT INTO jobs VALUES (4, 'acme', 'job0004', '{"title":"The job job0004"}', 1795294788759, 3);
INSERT INTO jobs VALUES (5, 'acme', 'job0005', '{"title":"The job job0005"}', 1795294788759, 3);
INSERT INTO jobs VALUES (6, 'acme', 'job0006', '{"title":"The job job0006"}', 1795294788759, NULL);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES ('jobs', 6);
INSERT INTO sqlite_sequence VALUES ('deletions', 3);
