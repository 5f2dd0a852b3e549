import { mongo } from 'mongoose';
import type { Membership, Passkey, Person, TotpSecret } from '../people/people.ts';
import { bytesOf } from './mongo-calls.ts';
import type { PasskeyDocument, PersonDocument } from './mongo-people-schema.ts';

export function toPersonDocument(person: Person): PersonDocument {
  const { passwordHash, totp } = person;
  return {
    _id: person.id,
    email: person.email,
    created_at: new Date(person.createdAtMs),
    memberships: person.memberships.map(toMembershipDocument),
    ...(passwordHash !== undefined && { password_hash: passwordHash }),
    ...(totp !== undefined && { totp: toTotpDocument(totp) }),
    recovery_codes: person.recoveryCodes.map((hash) => new mongo.Binary(hash)),
    passkeys: person.passkeys.map(toPasskeyDocument),
  };
}

export function toMembershipDocument({ accountId, role }: Membership) {
  return { account_id: accountId, role };
}

export function toTotpDocument({ secret, lastStep }: TotpSecret) {
  return { secret: new mongo.Binary(secret), last_step: lastStep };
}

export function toPasskeyDocument(passkey: Passkey): PasskeyDocument {
  const { id, publicKey, counter, transports, name, createdAtMs, lastUsedAtMs } = passkey;
  return {
    id,
    public_key: new mongo.Binary(publicKey),
    counter,
    transports: [...transports],
    name,
    created_at: new Date(createdAtMs),
    ...(lastUsedAtMs !== undefined && { last_used_at: new Date(lastUsedAtMs) }),
  };
}

export function toPerson(document: PersonDocument): Person {
  const { _id, email, created_at, memberships, password_hash, totp, recovery_codes, passkeys } = document;
  return {
    id: _id,
    email,
    createdAtMs: created_at.getTime(),
    memberships: memberships
      .map(({ account_id, role }): Membership => ({ accountId: account_id, role }))
      .sort((a, b) => (a.accountId < b.accountId ? -1 : 1)),
    ...(password_hash !== undefined && { passwordHash: password_hash }),
    ...(totp !== undefined && { totp: { secret: bytesOf(totp.secret), lastStep: totp.last_step } }),
    recoveryCodes: recovery_codes.map(bytesOf),
    passkeys: passkeys.map(toPasskey),
  };
}

function toPasskey(document: PasskeyDocument): Passkey {
  const { id, public_key, counter, transports, name, created_at, last_used_at } = document;
  return {
    id,
    publicKey: bytesOf(public_key),
    counter,
    transports,
    name,
    createdAtMs: created_at.getTime(),
    ...(last_used_at !== undefined && { lastUsedAtMs: last_used_at.getTime() }),
  };
}
