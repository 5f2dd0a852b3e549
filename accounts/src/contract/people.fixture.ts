import { randomBytes } from 'node:crypto';
import {
  type Membership,
  type Passkey,
  type Person,
  type Role,
  newId,
  type Session,
} from '../people/people.ts';
import { type AuditAction, type AuditEntry, newAuditEntry } from '../people/audit-trail.ts';
import type { OneTimeSecret } from '../people/one-time-secret.ts';
import { acme } from './accounts.fixture.ts';

/** Far in the future: MongoDB removes old sessions, secrets and counts by its own clock. */
export const laterMs = Date.parse('2090-01-31T12:00:00Z');

/** Returns a person without memberships, with a random id. */
export function person(fields: Partial<Person> = {}): Person {
  return { id: newId(), createdAtMs: laterMs, memberships: [], passkeys: [], ...fields };
}

export function member(role: Role, fields: Partial<Membership> = {}): Membership {
  return { accountId: acme.id, role, email: 'ada@example.com', ...fields };
}

export function entry(action: AuditAction, fields: Partial<AuditEntry> = {}): AuditEntry {
  return { ...newAuditEntry({ accountId: acme.id, action, actor: 'grace@example.com' }, laterMs), ...fields };
}

export function passkey(fields: Partial<Passkey> = {}): Passkey {
  return {
    id: randomBytes(16).toString('base64url'),
    publicKey: randomBytes(77),
    counter: 0,
    transports: ['internal', 'hybrid'],
    name: 'Laptop',
    createdAtMs: laterMs,
    ...fields,
  };
}

/** Returns a session in acme. */
export function session(personId: string, fields: Partial<Session> = {}): Session {
  return {
    hash: randomBytes(32),
    id: newId(),
    personId,
    accountId: acme.id,
    createdAtMs: laterMs,
    lastSeenAtMs: laterMs,
    provenAtMs: laterMs,
    ...fields,
  };
}

export function oneTimeSecret(fields: Partial<OneTimeSecret> = {}): OneTimeSecret {
  return {
    hash: randomBytes(32),
    kind: 'invitation',
    expiresAtMs: laterMs + 1_000,
    data: { accountId: acme.id, email: 'ada@example.com', role: 'viewer', invitedBy: 'operator' },
    ...fields,
  };
}
