import type { Authenticator } from '@jobs-delete/accounts/authenticator';
import { parseCredential } from '@jobs-delete/accounts/credentials/credential';
import {
  originMatches,
  parseAllowedDomain,
  type AllowedDomain,
} from '@jobs-delete/accounts/origins/allowed-domain';
import { excerpt } from '../answer/echo.ts';
import type { Refusal } from '../answer/refusal.ts';
import type { RequestFacts } from '../exchange.ts';
import { explainAuthorization, explainSecretKey, explainToken } from './explain-credentials.ts';
import { explainOrigin } from './explain-origin.ts';
import { onlyValue } from './read-headers.ts';

export interface Caller {
  readonly accountId: string;
  readonly tokenId: string;
  readonly secretKeyId: string;
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

  const { accountId, tokenId, allowedDomains } = access;
  facts.accountId = accountId;
  const secretKey = await authenticator.verifySecretKey(accountId, onlyValue(distinct.usersecretkey) ?? '');
  if (secretKey === 'secret_key_invalid') {
    authenticator.recordRefusal(tokenId);
    return { code: 'secret_key_invalid', detail: explainSecretKey(distinct.usersecretkey) };
  }

  const webOrigin = onlyValue(distinct.origin);
  const domains = parseDomains(allowedDomains);
  if (webOrigin === undefined || !originMatches(webOrigin, domains)) {
    authenticator.recordRefusal(tokenId, secretKey.secretKeyId);
    if (distinct.origin !== undefined) facts.origin = excerpt(distinct.origin.join(', '));
    return { code: 'origin_not_allowed', detail: explainOrigin(distinct.origin, domains) };
  }
  return { accountId, tokenId, secretKeyId: secretKey.secretKeyId, webOrigin };
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
  const domains = texts.map(parseAllowedDomain).filter((domain) => domain !== undefined);
  parsedDomains.set(texts, domains);
  return domains;
}
