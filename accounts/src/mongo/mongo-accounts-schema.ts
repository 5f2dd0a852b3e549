import type { IndexedModel } from '@jobs-delete/runtime/mongo/mongo-indexes';
import { databaseOf, type Mongo } from '@jobs-delete/runtime/mongo/open-mongo';
import { Schema, type mongo } from 'mongoose';
import type { CredentialKind } from '../accounts.ts';
import { mongoPeopleModels, schemaOptions } from './mongo-people-schema.ts';

export interface AccountDocument {
  _id: string;
  name?: string;
  created_at: Date;
  disabled_at?: Date;
  /** A set, without duplicates. */
  allowed_domains: string[];
}

export interface CredentialDocument {
  kind: CredentialKind;
  /** Unique within its kind, by an index. */
  id: string;
  account_id: string;
  hash: mongo.Binary;
  pepper_id?: string;
  name?: string;
  created_at: Date;
  expires_at?: Date;
  revoked_at?: Date;
  last_used_at?: Date;
  last_refused_at?: Date;
}

/** A single document, because of its constant `_id`. */
export interface PepperDocument {
  _id: 'fingerprint';
  value: mongo.Binary;
  second?: mongo.Binary;
}

export interface AccountsCollections {
  readonly accounts: mongo.Collection<AccountDocument>;
  readonly credentials: mongo.Collection<CredentialDocument>;
  readonly pepper: mongo.Collection<PepperDocument>;
}

const names = {
  accounts: 'accounts',
  credentials: 'credentials',
  pepper: 'credential_pepper',
} as const satisfies Record<keyof AccountsCollections, string>;

/**
 * Declares documents and indexes. The adapter uses the driver's collections directly. Credentials have a collection of
 * their own because their number in an account is unbounded.
 */
export function mongoAccountsModels(connection: Mongo): readonly IndexedModel[] {
  const accounts = new Schema<AccountDocument>(
    {
      _id: { type: String, required: true },
      name: String,
      created_at: { type: Date, required: true },
      disabled_at: Date,
      allowed_domains: { type: [String], required: true },
    },
    schemaOptions,
  );
  accounts.index({ created_at: 1, _id: 1 }, { name: 'created' });

  const credentials = new Schema<CredentialDocument>(
    {
      kind: { type: String, required: true },
      id: { type: String, required: true },
      account_id: { type: String, required: true },
      hash: { type: Schema.Types.Buffer, required: true },
      pepper_id: String,
      name: String,
      created_at: { type: Date, required: true },
      expires_at: Date,
      revoked_at: Date,
      last_used_at: Date,
      last_refused_at: Date,
    },
    schemaOptions,
  );
  credentials.index({ kind: 1, id: 1 }, { unique: true, name: 'kind_id' });
  credentials.index({ account_id: 1, kind: 1, created_at: 1, id: 1 }, { name: 'account_kind_created' });

  const pepper = new Schema<PepperDocument>(
    {
      _id: { type: String, required: true },
      value: { type: Schema.Types.Buffer, required: true },
      second: Schema.Types.Buffer,
    },
    schemaOptions,
  );

  const again = { overwriteModels: true };
  return [
    connection.model('Account', accounts, names.accounts, again),
    connection.model('Credential', credentials, names.credentials, again),
    connection.model('CredentialPepper', pepper, names.pepper, again),
    ...mongoPeopleModels(connection),
  ];
}

export function accountsCollections(connection: Mongo): AccountsCollections {
  const database = databaseOf(connection);
  return {
    accounts: database.collection(names.accounts),
    credentials: database.collection(names.credentials),
    pepper: database.collection(names.pepper),
  };
}
