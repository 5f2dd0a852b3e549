import { isLoopback } from '@jobs-delete/runtime/config/loopback';
import { oneOf } from '@jobs-delete/runtime/config/read-environment';
import { serviceUrlVariable } from '@jobs-delete/runtime/config/http-url';
import { z } from 'zod';

/** The provider at which the people of an organisation sign in. */
export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Accept an address without the claim `email_verified`: the company administers the addresses at its provider. */
  readonly trustEmail: boolean;
}

export const openIdVariables = {
  OPENID_ISSUER: serviceUrlVariable('must be an address such as https://login.example.com').optional(),
  OPENID_CLIENT_ID: z.string().min(1).optional(),
  OPENID_CLIENT_SECRET: z.string().min(1).optional(),
  OPENID_TRUST_EMAIL: oneOf(['false', 'true'], 'false'),
};

type OpenIdValues = z.infer<z.ZodObject<typeof openIdVariables>>;

/** Returns undefined without a provider, and text about what is wrong. */
export function readOpenId({
  OPENID_ISSUER: issuer,
  OPENID_CLIENT_ID: clientId,
  OPENID_CLIENT_SECRET: clientSecret,
  OPENID_TRUST_EMAIL: trust,
}: OpenIdValues): OpenIdSettings | string | undefined {
  const trustEmail = trust === 'true';
  if (issuer === undefined && clientId === undefined && clientSecret === undefined)
    return trustEmail ? 'OPENID_TRUST_EMAIL: needs OPENID_ISSUER' : undefined;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined)
    return 'OPENID_ISSUER: must be set together with OPENID_CLIENT_ID and OPENID_CLIENT_SECRET';
  const { protocol, hostname } = new URL(issuer);
  if (protocol === 'http:' && !isLoopback(hostname)) return 'OPENID_ISSUER: must be an address with https';
  return { issuer, clientId, clientSecret, trustEmail };
}
