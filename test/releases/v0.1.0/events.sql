CREATE TABLE schema_versions (name TEXT PRIMARY KEY, version INTEGER NOT NULL);
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
INSERT INTO schema_versions VALUES ('events', 1);
INSERT INTO events VALUES (1, 'jobs.deletion-accepted.v1', '901f8383-40a6-4d6d-8239-7515631a6d39', '{"ce_specversion":"1.0","ce_id":"901f8383-40a6-4d6d-8239-7515631a6d39.0","ce_type":"jobs.deletion-accepted.v1","ce_source":"/jobs-delete/deleter-service","ce_time":"2026-11-21T20:59:49.418Z","content-type":"application/json","traceparent":"00-41838830f7cbcebbd251ccc8e44f1983-2b953fb89d1ba269-01"}', CAST('{"deletion_id":"901f8383-40a6-4d6d-8239-7515631a6d39","account_id":"acme","part":0,"parts":1,"jobs":[{"id":"job0001","claim":"1"},{"id":"job0002","claim":"2"}]}' AS BLOB), 1795294789423);
INSERT INTO events VALUES (2, 'jobs.deleted.v1', 'job0001', '{"ce_specversion":"1.0","ce_id":"901f8383-40a6-4d6d-8239-7515631a6d39.1","ce_type":"jobs.deleted.v1","ce_source":"/jobs-delete/deleter-service","ce_time":"2026-11-21T20:59:49.424Z","content-type":"application/json","traceparent":"00-41838830f7cbcebbd251ccc8e44f1983-91db664ebc3b0f61-01"}', CAST('{"job_id":"job0001","account_id":"acme","deletion_id":"901f8383-40a6-4d6d-8239-7515631a6d39","claim":"1"}' AS BLOB), 1795294789425);
INSERT INTO events VALUES (3, 'jobs.deleted.v1', 'job0002', '{"ce_specversion":"1.0","ce_id":"901f8383-40a6-4d6d-8239-7515631a6d39.2","ce_type":"jobs.deleted.v1","ce_source":"/jobs-delete/deleter-service","ce_time":"2026-11-21T20:59:49.424Z","content-type":"application/json","traceparent":"00-41838830f7cbcebbd251ccc8e44f1983-91db664ebc3b0f61-01"}', CAST('{"job_id":"job0002","account_id":"acme","deletion_id":"901f8383-40a6-4d6d-8239-7515631a6d39","claim":"2"}' AS BLOB), 1795294789425);
INSERT INTO events VALUES (4, 'jobs.deletion-accepted.v1', 'f5aaa9ca-314c-4b42-bef4-012cd8af95da', '{"ce_specversion":"1.0","ce_id":"f5aaa9ca-314c-4b42-bef4-012cd8af95da.0","ce_type":"jobs.deletion-accepted.v1","ce_source":"/jobs-delete/deleter-service","ce_time":"2026-11-21T20:59:49.443Z","content-type":"application/json","traceparent":"00-afa87fc79a36466370acee8a320a23b1-8685df4a61ddd5e8-01"}', CAST('{"deletion_id":"f5aaa9ca-314c-4b42-bef4-012cd8af95da","account_id":"acme","part":0,"parts":1,"jobs":[{"id":"job0003","claim":"3"}]}' AS BLOB), 1795294789475);
INSERT INTO offsets VALUES ('jobs-delete.removal', 'jobs.deletion-accepted.v1', 4);
INSERT INTO dead_letters VALUES ('f5aaa9ca-314c-4b42-bef4-012cd8af95da.0', 'the account has no such deletion, or it is of other jobs', 1, 1795294789477, 'jobs.deletion-accepted.v1/0/4', 'f5aaa9ca-314c-4b42-bef4-012cd8af95da', '{"ce_specversion":"1.0","ce_id":"f5aaa9ca-314c-4b42-bef4-012cd8af95da.0","ce_type":"jobs.deletion-accepted.v1","ce_source":"/jobs-delete/deleter-service","ce_time":"2026-11-21T20:59:49.443Z","content-type":"application/json","traceparent":"00-afa87fc79a36466370acee8a320a23b1-1fe723f168a5e02d-01"}', CAST('{"deletion_id":"f5aaa9ca-314c-4b42-bef4-012cd8af95da","account_id":"acme","part":0,"parts":1,"jobs":[{"id":"job0003","claim":"3"}]}' AS BLOB));
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES ('events', 4);
