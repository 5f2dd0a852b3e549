import { createConnection, Schema, type Connection } from 'mongoose';
import type { FindCredential, StoredCredential } from './peer.ts';

/** Connects with the same write concern as jobs-delete: majority, with journal. */
export async function connect(): Promise<Connection> {
  return createConnection(process.env.DATABASE_URL ?? '', {
    autoIndex: false,
    autoCreate: false,
    maxPoolSize: 64,
    writeConcern: { w: 'majority', journal: true },
  }).asPromise();
}

/** Defines the models on existing collections and indexes, which all systems share. */
export function models(connection: Connection) {
  const jobs = new Schema(
    { account_id: String, id: String, posting: Object, imported_at: Date, deletion_id: String },
    { versionKey: false, id: false },
  );
  const credentials = new Schema(
    { kind: String, id: String, account_id: String, hash: Buffer, expires_at: Date, revoked_at: Date },
    { versionKey: false, id: false },
  );
  return {
    Job: connection.model('Job', jobs, 'jobs'),
    Credential: connection.model('Credential', credentials, 'credentials'),
  };
}

export function credentialFinder({
  Credential,
}: Pick<ReturnType<typeof models>, 'Credential'>): FindCredential {
  return async (kind, id) => {
    const found = await Credential.findOne({ kind, id }, 'account_id hash expires_at revoked_at').lean();
    if (found === null) return null;
    // Lean documents contain the driver's Binary. Their types allow absent fields, but the bench writes every field.
    const { buffer } = found.hash as unknown as { buffer: Uint8Array };
    return { ...(found as unknown as StoredCredential), hash: buffer };
  };
}
