import type { Authenticator, Use } from '@jobs-delete/accounts/authenticator';
import { claimedKind, credentialLength, parseCredential } from '@jobs-delete/accounts/credentials/credential';
import {
  type AllowedDomain,
  decodeHeader,
  explainMismatch,
  matchingDomain,
  parseAllowedDomains,
} from '@jobs-delete/accounts/origins/allowed-domain';
import { sentence } from '../../messages/messages.ts';
import { excerpt } from '../answer/echo.ts';
import type { Detail, Refusal } from '../answer/refusal.ts';
import type { RequestFacts } from '../exchange.ts';
import { absence, onlyValue } from './read-headers.ts';

export interface Caller extends Use {
  readonly webOrigin: string;
}

/**
 * Checks the token, then the secret key, then the origin, all of one account. A repeated header counts as wrong.
 * @param distinct `headersDistinct` of the request
 * @param facts receives the account once the token matched, and a refused origin
 */
export async function checkCredentials(
  distinct: NodeJS.Dict<string[]>,
  authenticator: Authenticator,
  facts: RequestFacts,
): Promise<Caller | Refusal> {
  const token = readBearerToken(distinct.authorization);
  if (token === undefined)
    return { code: 'authentication_required', detail: explainAuthorization(distinct.authorization) };
  const access = await authenticator.authenticateToken(token);
  if (access === 'token_invalid') return { code: 'token_invalid', detail: explainToken(token) };
  if (access === 'sandbox_only') return { code: 'token_invalid', detail: [sentence('token_of_sandbox')] };

  const { accountId, tokenId, allowedDomains } = access;
  facts.accountId = accountId;
  const secretKey = await authenticator.verifySecretKey(accountId, onlyValue(distinct.usersecretkey) ?? '');
  if (typeof secretKey === 'string') {
    authenticator.recordRefusal(tokenId);
    const isOfSandbox = secretKey === 'sandbox_only';
    const detail = isOfSandbox
      ? [sentence('secret_key_of_sandbox')]
      : explainSecretKey(distinct.usersecretkey);
    return { code: 'secret_key_invalid', detail };
  }

  const webOrigin = onlyValue(distinct.origin);
  const domains = parseDomains(allowedDomains);
  const domain = webOrigin === undefined ? undefined : matchingDomain(webOrigin, domains);
  if (webOrigin === undefined || domain === undefined) {
    authenticator.recordRefusal(tokenId, secretKey.secretKeyId);
    if (distinct.origin !== undefined) facts.origin = excerpt(distinct.origin.join(', '));
    return { code: 'origin_not_allowed', detail: explainOrigin(distinct.origin, domains) };
  }
  return { accountId, tokenId, secretKeyId: secretKey.secretKeyId, domain: domain.text, webOrigin };
}

/** Returns the public id of a token of the right form. Only such a token is looked up. */
export function tokenIdOf({ authorization }: NodeJS.Dict<string[]>): string | undefined {
  return parseCredential('token', readBearerToken(authorization) ?? '');
}

/** RFC 6750, 2.1. The scheme may be in any letter case (RFC 9110, 11.1). */
const bearerPattern = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** @param values the `authorization` of `headersDistinct` */
export function readBearerToken(values: string[] | undefined): string | undefined {
  return bearerPattern.exec(onlyValue(values) ?? '')?.[1];
}

/** The domains of each list that an authenticator keeps in memory. */
const parsedDomains = new WeakMap<readonly string[], readonly AllowedDomain[]>();

function parseDomains(texts: readonly string[]): readonly AllowedDomain[] {
  const known = parsedDomains.get(texts);
  if (known !== undefined) return known;
  const domains = parseAllowedDomains(texts);
  parsedDomains.set(texts, domains);
  return domains;
}

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

/**
 * Explains why an Origin is not allowed. Names an allowed domain only if the Origin is close to it: the caller has shown
 * a token and a secret key of the account.
 */
export function explainOrigin(values: string[] | undefined, domains: readonly AllowedDomain[]): Detail {
  const absent = absence('Origin', values);
  if (absent !== undefined) return [absent, sentence('expect_origin')];
  const text = decodeHeader(values?.[0] ?? '');
  const value = excerpt(text);
  const mismatch = explainMismatch(text, domains);
  switch (mismatch.kind) {
    case 'null':
      return [sentence('origin_null')];
    case 'scheme':
    case 'port':
      return [sentence(`origin_${mismatch.kind}`, { value, allowed: mismatch.allowed })];
    case 'apex':
      return [sentence('origin_apex', { host: mismatch.host })];
    case 'subdomain':
      return [sentence('origin_subdomain', { host: mismatch.host, value })];
    case 'path':
    case 'form':
    case 'unknown':
      return [sentence(`origin_${mismatch.kind}`, { value })];
  }
}
