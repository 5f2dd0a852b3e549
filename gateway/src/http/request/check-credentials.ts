import type { Authenticator } from '@jobs-delete/accounts/authenticator';
import {
  originMatches,
  parseAllowedDomain,
  type AllowedDomain,
} from '@jobs-delete/accounts/origins/allowed-domain';
import type { Refusal } from '../answer/problem.ts';
import { readBearer } from './read-bearer.ts';

export interface Caller {
  readonly accountId: string;
  readonly tokenId: string;
  readonly secretKeyId: string;
  readonly webOrigin: string;
}

/**
 * Token, then secret key, then origin, each of the same account. A repeated header is as good as a wrong one.
 * @param distinct `headersDistinct` of the request
 */
export async function authenticate(
  distinct: NodeJS.Dict<string[]>,
  authenticator: Authenticator,
): Promise<Caller | Refusal> {
  const bearer = readBearer(distinct.authorization);
  if (bearer === 'missing') return { code: 'authentication_required' };
  const access = await authenticator.authenticateToken(bearer.token);
  if (access === 'token_invalid') return { code: 'token_invalid' };

  const { accountId, tokenId, allowedDomains } = access;
  const verdict = await authenticator.verifySecretKey(accountId, only(distinct.usersecretkey) ?? '');
  if (verdict === 'secret_key_invalid') return { code: 'secret_key_invalid' };

  const webOrigin = only(distinct.origin);
  if (webOrigin === undefined || !originMatches(webOrigin, parseDomains(allowedDomains))) {
    return { code: 'origin_not_allowed' };
  }
  return { accountId, tokenId, secretKeyId: verdict.secretKeyId, webOrigin };
}

function only(values: string[] | undefined): string | undefined {
  return values?.length === 1 ? values[0] : undefined;
}

function parseDomains(texts: readonly string[]): AllowedDomain[] {
  return texts.map(parseAllowedDomain).filter((domain) => domain !== undefined);
}
