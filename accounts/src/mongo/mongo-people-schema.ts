import type { IndexedModel } from '@jobs-delete/runtime/mongo/mongo-indexes';
import { databaseOf, type Mongo } from '@jobs-delete/runtime/mongo/open-mongo';
import { Schema, type mongo } from 'mongoose';
import type { AuditAction } from '../people/audit-trail.ts';
import type { Role } from '../people/people.ts';
import { refusalRetentionDays } from '../refusal-counter.ts';
import type { OneTimeSecret } from '../people/one-time-secret.ts';
import { modelOptions, required, schemaOptions } from './schema-options.ts';

export interface PasskeyDocument {
  id: string;
  public_key: mongo.Binary;
  counter: number;
  transports: string[];
  name: string;
  created_at: Date;
  last_used_at?: Date;
}

export interface PersonDocument {
  _id: string;
  created_at: Date;
  /** At most one for each account. */
  memberships: { account_id: string; role: Role; email: string }[];
  open_id?: { issuer: string; subject: string };
  passkeys: PasskeyDocument[];
}

export interface SessionDocument {
  /** The hash of the secret. */
  _id: mongo.Binary;
  id: string;
  person_id: string;
  account_id: string;
  created_at: Date;
  last_seen_at: Date;
  proven_at: Date;
  network?: string;
  user_agent?: string;
}

export interface OneTimeSecretDocument {
  /** The hash of the secret. */
  _id: mongo.Binary;
  /** `used`: the hash of a signed text that was used. */
  kind: OneTimeSecret['kind'] | 'used';
  expires_at: Date;
  data: Record<string, string>;
}

export interface AuditDocument {
  _id: string;
  account_id: string;
  at: Date;
  action: AuditAction;
  actor: string;
  subject?: string;
  network?: string;
}

export interface RefusalCountDocument {
  account_id: string;
  day: string;
  code: string;
  count: number;
  /** The start of the day. MongoDB removes the count `refusalRetentionDays` later. */
  day_at: Date;
}

export interface PeopleCollections {
  readonly people: mongo.Collection<PersonDocument>;
  readonly sessions: mongo.Collection<SessionDocument>;
  readonly oneTimeSecrets: mongo.Collection<OneTimeSecretDocument>;
  readonly audit: mongo.Collection<AuditDocument>;
  readonly refusals: mongo.Collection<RefusalCountDocument>;
}

const names = {
  people: 'people',
  sessions: 'sessions',
  oneTimeSecrets: 'one_time_secrets',
  audit: 'audit_entries',
  refusals: 'refusal_counts',
} as const satisfies Record<keyof PeopleCollections, string>;

const dayS = 24 * 60 * 60;

/** Declares the documents and indexes of the dashboard. */
export function mongoPeopleModels(connection: Mongo): readonly IndexedModel[] {
  return [
    connection.model('Person', peopleSchema(), names.people, modelOptions),
    connection.model('Session', sessionsSchema(), names.sessions, modelOptions),
    connection.model('OneTimeSecret', oneTimeSecretsSchema(), names.oneTimeSecrets, modelOptions),
    connection.model('AuditEntry', auditSchema(), names.audit, modelOptions),
    connection.model('RefusalCount', refusalsSchema(), names.refusals, modelOptions),
  ];
}

function peopleSchema() {
  const people = new Schema<PersonDocument>(
    {
      _id: required(String),
      created_at: required(Date),
      memberships: required([
        { _id: false, account_id: required(String), role: required(String), email: required(String) },
      ]),
      open_id: { issuer: String, subject: String },
      passkeys: required([
        {
          _id: false,
          id: required(String),
          public_key: required(Schema.Types.Buffer),
          counter: required(Number),
          transports: required([String]),
          name: required(String),
          created_at: required(Date),
          last_used_at: Date,
        },
      ]),
    },
    schemaOptions,
  );
  // Without the filters, only one person could have no passkey, and one no identity.
  const hasPasskey = { 'passkeys.id': { $exists: true } };
  people.index({ 'passkeys.id': 1 }, { unique: true, name: 'passkey', partialFilterExpression: hasPasskey });
  const hasIdentity = { 'open_id.issuer': { $exists: true } };
  people.index(
    { 'open_id.issuer': 1, 'open_id.subject': 1 },
    { unique: true, name: 'open_id', partialFilterExpression: hasIdentity },
  );
  people.index({ 'memberships.account_id': 1 }, { name: 'account' });
  return people;
}

function sessionsSchema() {
  const sessions = new Schema<SessionDocument>(
    {
      _id: required(Schema.Types.Buffer),
      id: required(String),
      person_id: required(String),
      account_id: required(String),
      created_at: required(Date),
      last_seen_at: required(Date),
      proven_at: required(Date),
      network: String,
      user_agent: String,
    },
    schemaOptions,
  );
  sessions.index({ id: 1 }, { unique: true, name: 'session_id' });
  sessions.index({ person_id: 1, last_seen_at: -1, id: 1 }, { name: 'person_seen' });
  sessions.index({ last_seen_at: 1 }, { expireAfterSeconds: 30 * dayS, name: 'last_seen' });
  return sessions;
}

function oneTimeSecretsSchema() {
  const secrets = new Schema<OneTimeSecretDocument>(
    {
      _id: required(Schema.Types.Buffer),
      kind: required(String),
      expires_at: required(Date),
      data: required(Schema.Types.Mixed),
    },
    schemaOptions,
  );
  secrets.index({ expires_at: 1 }, { expireAfterSeconds: 0, name: 'expires' });
  secrets.index({ 'data.accountId': 1, 'data.email': 1 }, { name: 'account_email' });
  return secrets;
}

function auditSchema() {
  const audit = new Schema<AuditDocument>(
    {
      _id: required(String),
      account_id: required(String),
      at: required(Date),
      action: required(String),
      actor: required(String),
      subject: String,
      network: String,
    },
    schemaOptions,
  );
  audit.index({ account_id: 1, at: -1, _id: -1 }, { name: 'account_newest' });
  return audit;
}

function refusalsSchema() {
  const refusals = new Schema<RefusalCountDocument>(
    {
      account_id: required(String),
      day: required(String),
      code: required(String),
      count: required(Number),
      day_at: required(Date),
    },
    schemaOptions,
  );
  refusals.index({ account_id: 1, day: 1, code: 1 }, { unique: true, name: 'account_day_code' });
  refusals.index({ day_at: 1 }, { expireAfterSeconds: refusalRetentionDays * dayS, name: 'day' });
  return refusals;
}

export function peopleCollections(connection: Mongo): PeopleCollections {
  const database = databaseOf(connection);
  return {
    people: database.collection(names.people),
    sessions: database.collection(names.sessions),
    oneTimeSecrets: database.collection(names.oneTimeSecrets),
    audit: database.collection(names.audit),
    refusals: database.collection(names.refusals),
  };
}
