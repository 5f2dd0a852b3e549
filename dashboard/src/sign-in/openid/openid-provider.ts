import { isLoopback } from '@jobs-delete/runtime/config/loopback';
import { Fault } from '@jobs-delete/runtime/fault';
import type { Configuration, IDToken } from 'openid-client';
import { recentMs } from '../../web/route.ts';
import type { OpenIdSettings } from './openid-settings.ts';

/** The secrets of one sign-in at the provider. Its answer must fit all of them. */
export interface OpenIdAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** An OpenID Connect provider (authorization code flow with PKCE). */
export interface OpenIdProvider {
  /** Resolves to the provider's page for the sign-in. Rejects with a Fault while the provider is away. */
  begin(state: string): Promise<OpenIdAttempt & { readonly url: string }>;
  /** Resolves to the verified or trusted e-mail address. Rejects when the provider's answer is not valid. */
  finish(callbackUrl: URL, attempt: OpenIdAttempt): Promise<string>;
}

/** The provider must have seen the person within this time, because the sign-in counts as recent. */
const maxAgeSeconds = recentMs / 1_000;

export function createOpenIdProvider(
  { issuer, clientId, clientSecret, trustEmail }: OpenIdSettings,
  redirectUri: string,
): OpenIdProvider {
  // Loaded at the first use: most dashboards have no provider.
  const load = () => import('openid-client');
  let discovered: Promise<Configuration> | undefined;

  const discover = async (): Promise<Configuration> => {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- only for a provider on this machine
    const { allowInsecureRequests, discovery, enableNonRepudiationChecks } = await load();
    const url = new URL(issuer);
    const isLocal = url.protocol === 'http:' && isLoopback(url.hostname);
    const execute = [enableNonRepudiationChecks, ...(isLocal ? [allowInsecureRequests] : [])];
    return discovery(url, clientId, clientSecret, undefined, { execute, timeout: 10 });
  };
  const configuration = async () => {
    try {
      return await (discovered ??= discover());
    } catch (error) {
      discovered = undefined;
      throw new Fault('unavailable', 'OPENID_ISSUER: cannot read the configuration of this provider', error);
    }
  };

  return {
    begin: async (state) => {
      const config = await configuration();
      const client = await load();
      const verifier = client.randomPKCECodeVerifier();
      const nonce = client.randomNonce();
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        max_age: String(maxAgeSeconds),
      });
      return { state, nonce, verifier, url: url.href };
    },
    finish: async (callbackUrl, { state, nonce, verifier }) => {
      const { authorizationCodeGrant } = await load();
      const config = await configuration();
      const tokens = await authorizationCodeGrant(config, callbackUrl, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        ...(offersAuthTime(config) && { maxAge: maxAgeSeconds }),
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (isTooOld(claims)) throw new Error('the provider has not seen the person within 15 minutes');
      return emailOf(claims, trustEmail);
    },
  };
}

/** Returns false only for a provider that lists its claims without `auth_time`. */
function offersAuthTime(config: Configuration): boolean {
  return config.serverMetadata().claims_supported?.includes('auth_time') ?? true;
}

/** A provider may send `auth_time` without listing it. */
function isTooOld(claims: IDToken | undefined): boolean {
  return claims?.auth_time !== undefined && Date.now() / 1_000 - claims.auth_time > maxAgeSeconds + 30;
}

/** @throws Error for an address that is neither verified nor trusted */
function emailOf(claims: IDToken | undefined, trustEmail: boolean): string {
  const isTrusted = claims?.email_verified === undefined && trustEmail;
  if (typeof claims?.email !== 'string' || !(claims.email_verified === true || isTrusted))
    throw new Error('the provider sent no verified e-mail address');
  return claims.email;
}
