import { isLoopback, serviceUrlVariable } from '@jobs-delete/runtime/config/addresses';
import { secret } from '@jobs-delete/runtime/config/variables';
import { z } from 'zod';

/** The provider at which the people of an organisation sign in. */
export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The required claim `hd`: the organisation at Google. */
  readonly hostedDomain: string | undefined;
  /** Must be in the claim `groups`. */
  readonly group: string | undefined;
}

export const openIdVariables = {
  OPENID_ISSUER: serviceUrlVariable('must be an address such as https://login.example.com')
    .optional()
    .describe(
      'the address of an OpenID Connect provider where all people sign in, instead of passkeys; needs both variables below ([rules](decisions/sign-in.md#openid-connect))',
    ),
  OPENID_CLIENT_ID: z
    .string()
    .min(1)
    .optional()
    .describe(
      "the dashboard's name at the provider; the redirect URI is `DASHBOARD_URL` and `/sign-in/openid/callback`",
    ),
  OPENID_CLIENT_SECRET: secret(
    z.string().min(1).optional().describe('its secret there, as a form field (`client_secret_post`)'),
  ),
  OPENID_HOSTED_DOMAIN: z
    .string()
    .min(1)
    .optional()
    .describe('required value of the claim `hd`: the organisation at Google'),
  OPENID_GROUP: z.string().min(1).optional().describe('required member of the claim `groups`'),
};

type OpenIdValues = z.infer<z.ZodObject<typeof openIdVariables>>;

/** Returns undefined without a provider, and text about what is wrong. */
export function readOpenId({
  OPENID_ISSUER: issuer,
  OPENID_CLIENT_ID: clientId,
  OPENID_CLIENT_SECRET: clientSecret,
  OPENID_HOSTED_DOMAIN: hostedDomain,
  OPENID_GROUP: group,
}: OpenIdValues): OpenIdSettings | string | undefined {
  if (issuer === undefined && clientId === undefined && clientSecret === undefined)
    return hostedDomain === undefined && group === undefined
      ? undefined
      : 'OPENID_ISSUER: must be set for OPENID_HOSTED_DOMAIN and OPENID_GROUP';
  if (issuer === undefined || clientId === undefined || clientSecret === undefined)
    return 'OPENID_ISSUER: must be set together with OPENID_CLIENT_ID and OPENID_CLIENT_SECRET';
  const { protocol, hostname } = new URL(issuer);
  if (protocol === 'http:' && !isLoopback(hostname)) return 'OPENID_ISSUER: must be an address with https';
  return { issuer, clientId, clientSecret, hostedDomain, group };
}
