import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import type { CredentialRef, PepperCount, PepperFingerprints } from '../accounts.ts';

/** A thread gets a Buffer as a Uint8Array. */
export interface FingerprintBytes {
  readonly first: Uint8Array;
  readonly second?: Uint8Array;
}

/** Parameters are in arrays: libsql takes a single object, such as a Buffer, for named parameters, and crashes. */
export function pepperCalls(database: Sqlite) {
  const sql = prepareStatements(database);
  return {
    keepPepperFingerprint: (fingerprint: Uint8Array) => {
      // Both statements decide alone: a start that loses a race compares with the winner.
      sql.keep.run([Buffer.from(fingerprint)]);
      const [kept] = sql.find.get() as FingerprintRow;
      return kept.equals(fingerprint) ? ('same' as const) : ('different' as const);
    },
    findPepperFingerprints: (): PepperFingerprints | undefined => {
      const row = sql.find.get() as FingerprintRow | undefined;
      return row && { first: row[0], ...(row[1] !== null && { second: row[1] }) };
    },
    changePepperFingerprints: (from: FingerprintBytes, to: FingerprintBytes) =>
      sql.change.run([to.first, to.second, from.first, from.second].map(toBlob)).changes === 1,

    replaceHash: (
      { kind, id }: CredentialRef,
      from: Uint8Array,
      { hash, pepperId }: { readonly hash: Uint8Array; readonly pepperId: string },
    ) => {
      sql.replaceHash.run([Buffer.from(hash), pepperId, kind, id, Buffer.from(from)]);
    },
    countByPepper: (atMs: number): PepperCount[] =>
      (sql.count.all(atMs) as [pepperId: string | null, credentials: number][]).map(
        ([pepperId, credentials]) => ({ ...(pepperId !== null && { pepperId }), credentials }),
      ),
  };
}

type FingerprintRow = [first: Buffer, second: Buffer | null];

function prepareStatements(database: Sqlite) {
  return {
    keep: database.prepare(
      'INSERT INTO credential_pepper (only, fingerprint) VALUES (1, ?) ON CONFLICT (only) DO NOTHING',
    ),
    find: database.prepare('SELECT fingerprint, second FROM credential_pepper').raw(),
    change: database.prepare(`
      UPDATE credential_pepper SET fingerprint = ?, second = ? WHERE fingerprint = ? AND second IS ?`),
    replaceHash: database.prepare(`
      UPDATE credentials SET hash = ?, pepper_id = ? WHERE kind = ? AND id = ? AND hash = ?`),
    count: database
      .prepare(
        `SELECT pepper_id, count(*) FROM credentials
        WHERE revoked_at_ms IS NULL AND (expires_at_ms IS NULL OR expires_at_ms > ?)
        GROUP BY pepper_id ORDER BY pepper_id`,
      )
      .raw(),
  };
}

function toBlob(bytes: Uint8Array | undefined): Buffer | null {
  return bytes === undefined ? null : Buffer.from(bytes);
}
