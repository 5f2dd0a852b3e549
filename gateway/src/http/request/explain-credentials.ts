import { claimedKind, credentialLength, parseCredential } from '@jobs-delete/accounts/credentials/credential';
import { sentence } from '../../messages/sentences.ts';
import type { Detail } from '../answer/refusal.ts';
import { absence } from './explain-header.ts';

/**
 * These explanations look at the form of a credential only. They never repeat any of it, and they are the same whether
 * it is unknown, expired, revoked, or belongs to another account.
 */
export function explainAuthorization(values: string[] | undefined): Detail {
  const absent = absence('Authorization', values);
  if (absent !== undefined) return [absent, sentence('expect_token')];
  const credential = values?.[0]?.replace(/^\S+ +/, '') ?? '';
  return claimedKind(credential) === 'secret-key'
    ? [sentence('token_is_secret_key')]
    : [sentence('not_a_bearer'), sentence('expect_token')];
}

export function explainToken(token: string): Detail {
  if (claimedKind(token) === 'secret-key') return [sentence('token_is_secret_key')];
  if (parseCredential('token', token) === undefined)
    return [sentence('token_form', { length: credentialLength })];
  return [sentence('token_unknown')];
}

export function explainSecretKey(values: string[] | undefined): Detail {
  const absent = absence('Usersecretkey', values);
  if (absent !== undefined) return [absent, sentence('expect_secret_key')];
  const key = values?.[0] ?? '';
  if (claimedKind(key) === 'token') return [sentence('secret_key_is_token')];
  if (parseCredential('secret-key', key) === undefined)
    return [sentence('secret_key_form', { length: credentialLength })];
  return [sentence('secret_key_unknown')];
}
