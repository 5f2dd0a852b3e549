import type { IndexedModel } from '@jobs-delete/runtime/mongo/mongo-indexes';
import { databaseOf, type Mongo } from '@jobs-delete/runtime/mongo/open-mongo';
import { Schema, type mongo } from 'mongoose';
import type { CredentialKind } from '../accounts.ts';
import { mongoPeopleModels } from './mongo-people-schema.ts';
import { modelOptions, required, schemaOptions } from './schema-options.ts';

export interface AccountDocument {
  _id: string;
  name?: string;
  created_at: Date;
  disabled_at?: Date;
  /** A set, without duplicates. */
  allowed_domains: string[];
  /** Counts the changes of owners: see `isLastOwner`. */
  owner_changes?: number;
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
      _id: required(String),
      name: String,
      created_at: required(Date),
      owner_changes: Number,
      disabled_at: Date,
      allowed_domains: required([String]),
    },
    schemaOptions,
  );
  accounts.index({ created_at: 1, _id: 1 }, { name: 'created' });

  const credentials = new Schema<CredentialDocument>(
    {
      kind: required(String),
      id: required(String),
      account_id: required(String),
      hash: required(Schema.Types.Buffer),
      pepper_id: String,
      name: String,
      created_at: required(Date),
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
      _id: required(String),
      value: required(Schema.Types.Buffer),
      second: Schema.Types.Buffer,
    },
    schemaOptions,
  );

  return [
    connection.model('Account', accounts, names.accounts, modelOptions),
    connection.model('Credential', credentials, names.credentials, modelOptions),
    connection.model('CredentialPepper', pepper, names.pepper, modelOptions),
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
