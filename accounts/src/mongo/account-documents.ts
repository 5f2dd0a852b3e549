import { mongo } from 'mongoose';
import type { Account, Credential, StoredCredential } from '../accounts.ts';
import type { AccountDocument, CredentialDocument } from './mongo-accounts-schema.ts';
import { bytesOf } from './mongo-calls.ts';

export function toAccountDocument({ id, name, createdAtMs }: Account): AccountDocument {
  return {
    _id: id,
    ...(name !== undefined && { name }),
    created_at: new Date(createdAtMs),
    allowed_domains: [],
  };
}

export function toAccount(document: Omit<AccountDocument, 'allowed_domains'>): Account {
  const { _id, name, created_at, disabled_at } = document;
  return {
    id: _id,
    createdAtMs: created_at.getTime(),
    ...(name !== undefined && { name }),
    ...(disabled_at !== undefined && { disabledAtMs: disabled_at.getTime() }),
  };
}

export function toCredentialDocument(credential: StoredCredential): CredentialDocument {
  const { kind, id, accountId, hash, pepperId, name, createdAtMs } = credential;
  const { expiresAtMs, revokedAtMs, lastUsedAtMs, lastRefusedAtMs } = credential;
  return {
    kind,
    id,
    account_id: accountId,
    hash: new mongo.Binary(hash),
    ...(pepperId !== undefined && { pepper_id: pepperId }),
    ...(name !== undefined && { name }),
    created_at: new Date(createdAtMs),
    ...(expiresAtMs !== undefined && { expires_at: new Date(expiresAtMs) }),
    ...(revokedAtMs !== undefined && { revoked_at: new Date(revokedAtMs) }),
    ...(lastUsedAtMs !== undefined && { last_used_at: new Date(lastUsedAtMs) }),
    ...(lastRefusedAtMs !== undefined && { last_refused_at: new Date(lastRefusedAtMs) }),
  };
}

export function toCredential(document: Omit<CredentialDocument, 'hash' | 'pepper_id'>): Credential {
  const { kind, id, account_id, name, created_at } = document;
  const { expires_at, revoked_at, last_used_at, last_refused_at } = document;
  return {
    kind,
    id,
    accountId: account_id,
    createdAtMs: created_at.getTime(),
    ...(name !== undefined && { name }),
    ...(expires_at !== undefined && { expiresAtMs: expires_at.getTime() }),
    ...(revoked_at !== undefined && { revokedAtMs: revoked_at.getTime() }),
    ...(last_used_at !== undefined && { lastUsedAtMs: last_used_at.getTime() }),
    ...(last_refused_at !== undefined && { lastRefusedAtMs: last_refused_at.getTime() }),
  };
}

export function toStoredCredential(document: CredentialDocument): StoredCredential {
  const { hash, pepper_id } = document;
  return {
    ...toCredential(document),
    hash: bytesOf(hash),
    ...(pepper_id !== undefined && { pepperId: pepper_id }),
  };
}
