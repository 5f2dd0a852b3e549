import type { IndexedCollection } from '@jobs-delete/runtime/mongo/mongo-indexes';
import type { Mongo } from '@jobs-delete/runtime/mongo/open-mongo';
import { Schema, type mongo } from 'mongoose';
import type { Account, PepperFingerprints, StoredCredential } from '../accounts.ts';
import { auditActions, type AuditEntry } from '../people/audit-trail.ts';
import type { OneTimeSecret } from '../people/one-time-secret.ts';
import {
  roles,
  type Membership,
  type OpenIdIdentity,
  type Passkey,
  type Person,
  type Session,
} from '../people/people.ts';
import {
  refusalRetentionDays,
  type RefusalCount,
  refusedRequestRetentionDays,
  type RefusedRequest,
} from '../refusal-recorder.ts';
import type { Stored } from './documents.ts';

type WithId<Value, Id extends keyof Value> = Stored<Omit<Value, Id>> & { _id: Value[Id] };

export type AccountDocument = WithId<Account, 'id'> & {
  /** A set, without duplicates. */
  allowed_domains: string[];
  /** Counts the changes of owners: see `isLastOwner`. */
  owner_changes?: number;
};
/**
 * `_id`: the account and the domain. Beside the accounts, so that a gateway needs no right to change those. A use that comes
 * after the removal of its domain stays until the domain is allowed again.
 */
export type DomainUseDocument = { _id: string; last_used_at: Date };
export type CredentialDocument = Stored<StoredCredential>;
/** A single document, because of its constant `_id`. */
export type PepperDocument = { _id: 'fingerprint'; value: Buffer } & Pick<PepperFingerprints, 'second'>;
export type PersonDocument = WithId<Person, 'id'>;
export type SessionDocument = WithId<Session, 'hash'>;
export type OneTimeSecretDocument = WithId<Omit<OneTimeSecret, 'kind' | 'data'>, 'hash'> & {
  /** `used`: the hash of a signed text that was used. */
  kind: OneTimeSecret['kind'] | 'used';
  data: OneTimeSecret['data'];
};
export type AuditDocument = WithId<AuditEntry, 'id'>;
/** `day_at`: the start of the day. MongoDB removes the count `refusalRetentionDays` later. */
export type RefusalCountDocument = Stored<RefusalCount> & { day_at: Date };
export type RefusedRequestDocument = WithId<RefusedRequest, 'id'>;

/** Only `jobs-delete indexes` creates indexes. */
const options = {
  autoIndex: false,
  autoCreate: false,
  versionKey: false,
  id: false,
  strict: 'throw',
} as const;
const part = { ...options, _id: false } as const;
const dayS = 24 * 60 * 60;

const text = (maxlength: number) => ({ type: String, maxlength });
const required = <Definition extends object>(definition: Definition) => ({ ...definition, required: true });
const accountId = required({ type: String, match: /^[A-Za-z0-9_-]{1,64}$/ });
const id = required(text(64));
const date = required({ type: Date });
const count = required({ type: Number, min: 0 });
/** The result of a keyed or plain SHA-256. Mongoose validates a Binary in an update, and otherwise a Buffer. */
const hash = {
  type: Buffer,
  validate: (bytes: Buffer | mongo.Binary) => (Buffer.isBuffer(bytes) ? bytes : bytes.value()).length === 32,
};
const oneOf = (values: readonly string[]) => required({ type: String, enum: values });

const accounts = new Schema<AccountDocument>(
  {
    _id: accountId,
    name: text(200),
    created_at: date,
    disabled_at: Date,
    allowed_domains: required({ type: [{ ...text(300), minlength: 1 }] }),
    owner_changes: Number,
  },
  options,
);
accounts.index({ created_at: 1, _id: 1 }, { name: 'created' });

const domainUses = new Schema<DomainUseDocument>({ _id: required(text(400)), last_used_at: date }, options);

/** Credentials have a collection of their own because their number in an account is unbounded. */
const credentials = new Schema<CredentialDocument>(
  {
    kind: oneOf(['token', 'secret-key']),
    id,
    account_id: accountId,
    hash: required(hash),
    pepper_id: text(64),
    name: text(200),
    created_at: date,
    expires_at: Date,
    revoked_at: Date,
    paused_at: Date,
    replaces_id: text(64),
    environment: text(7),
    last_used_at: Date,
    last_refused_at: Date,
  },
  options,
);
credentials.index({ kind: 1, id: 1 }, { unique: true, name: 'kind_id' });
credentials.index({ account_id: 1, kind: 1, created_at: 1, id: 1 }, { name: 'account_kind_created' });

const pepper = new Schema<PepperDocument>(
  { _id: oneOf(['fingerprint']), value: required(hash), second: hash },
  options,
);

const membership = new Schema<Stored<Membership>>(
  { account_id: accountId, role: oneOf(roles), email: required(text(254)), last_seen_at: Date },
  part,
);
const identity = new Schema<Stored<OpenIdIdentity>>(
  { issuer: required(text(2_000)), subject: required(text(2_000)) },
  part,
);
const passkey = new Schema<Stored<Passkey>>(
  {
    id: required(text(2_000)),
    public_key: required({ type: Buffer }),
    counter: count,
    transports: required({ type: [text(100)] }),
    name: required(text(200)),
    created_at: date,
    last_used_at: Date,
  },
  part,
);
const people = new Schema<PersonDocument>(
  {
    _id: id,
    created_at: date,
    memberships: required({ type: [membership] }),
    open_id: identity,
    passkeys: required({ type: [passkey] }),
  },
  options,
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

const sessions = new Schema<SessionDocument>(
  {
    _id: required(hash),
    id,
    person_id: id,
    account_id: accountId,
    created_at: date,
    last_seen_at: date,
    proven_at: date,
    network: text(64),
    user_agent: text(1_000),
  },
  options,
);
sessions.index({ id: 1 }, { unique: true, name: 'session_id' });
sessions.index({ person_id: 1, last_seen_at: -1, id: 1 }, { name: 'person_seen' });
sessions.index({ last_seen_at: 1 }, { expireAfterSeconds: 30 * dayS, name: 'last_seen' });

const isRecordOfTexts = (data: object) => Object.values(data).every((value) => typeof value === 'string');
const oneTimeSecrets = new Schema<OneTimeSecretDocument>(
  {
    _id: required(hash),
    kind: oneOf(['invitation', 'sign-in', 'used']),
    expires_at: date,
    data: required({ type: Schema.Types.Mixed, validate: isRecordOfTexts }),
  },
  // Keeps `data` when it is empty.
  { ...options, minimize: false },
);
oneTimeSecrets.index({ expires_at: 1 }, { expireAfterSeconds: 0, name: 'expires' });
oneTimeSecrets.index(
  { 'data.accountId': 1, 'data.email': 1 },
  { unique: true, name: 'open_invitation', partialFilterExpression: { kind: 'invitation' } },
);

const audit = new Schema<AuditDocument>(
  {
    _id: id,
    account_id: accountId,
    at: date,
    action: oneOf(auditActions),
    actor: required(text(254)),
    subject: text(1_000),
    network: text(64),
  },
  options,
);
audit.index({ account_id: 1, at: -1, _id: -1 }, { name: 'account_newest' });

const refusals = new Schema<RefusalCountDocument>(
  {
    account_id: accountId,
    day: required({ type: String, match: /^\d{4}-\d\d-\d\d$/ }),
    code: required(text(100)),
    count,
    sandbox_count: Number,
    day_at: date,
  },
  options,
);
refusals.index({ account_id: 1, day: 1, code: 1 }, { unique: true, name: 'account_day_code' });
refusals.index({ day_at: 1 }, { expireAfterSeconds: refusalRetentionDays * dayS, name: 'day' });

const refusedRequests = new Schema<RefusedRequestDocument>(
  {
    _id: id,
    account_id: accountId,
    at: date,
    environment: oneOf(['live', 'sandbox']),
    status: count,
    code: required(text(100)),
    token_id: id,
    origin: text(300),
    client: text(300),
    jobs: Number,
    wrong_entries: Number,
    wrong_entry: text(300),
  },
  options,
);
refusedRequests.index({ account_id: 1, at: -1, _id: -1 }, { name: 'account_newest' });
refusedRequests.index({ at: 1 }, { expireAfterSeconds: refusedRequestRetentionDays * dayS, name: 'at' });

export type AccountsModels = ReturnType<typeof accountsModels>;

export function accountsModels(connection: Mongo) {
  // Creating the indexes and opening the adapter may both register the models of one connection.
  const model = <Document>(name: string, schema: Schema<Document>, collection: string) =>
    connection.model<Document>(name, schema, collection, { overwriteModels: true });
  return {
    accounts: model('Account', accounts, 'accounts'),
    domainUses: model('DomainUse', domainUses, 'domain_uses'),
    credentials: model('Credential', credentials, 'credentials'),
    pepper: model('CredentialPepper', pepper, 'credential_pepper'),
    people: model('Person', people, 'people'),
    sessions: model('Session', sessions, 'sessions'),
    oneTimeSecrets: model('OneTimeSecret', oneTimeSecrets, 'one_time_secrets'),
    audit: model('AuditEntry', audit, 'audit_entries'),
    refusals: model('RefusalCount', refusals, 'refusal_counts'),
    refusedRequests: model('RefusedRequest', refusedRequests, 'refused_requests'),
  };
}

/** Returns the models of the accounts and of the dashboard. */
export function mongoAccountsModels(connection: Mongo): readonly IndexedCollection[] {
  return Object.values<IndexedCollection>(accountsModels(connection));
}
