import { isLoopback } from '@jobs-delete/runtime/config/addresses';
import { Fault } from '@jobs-delete/runtime/fault';
import type { Configuration, IDToken } from 'openid-client';
import { recentMs } from '../../web/route.ts';
import type { OpenIdIdentity } from '@jobs-delete/accounts/people/people';
import type { OpenIdSettings } from './openid-settings.ts';

/** The secrets of one sign-in at the provider. Its answer must fit all of them. */
export interface OpenIdAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Set for a confirmation: the provider must ask the person again after this time. */
  readonly seenAfterMs: number | undefined;
}

/** Who has signed in at the provider. */
export interface SeenPerson {
  readonly identity: OpenIdIdentity;
  /** When the provider has asked them for the last time. Undefined: it does not say. */
  readonly seenAtMs: number | undefined;
}

/** An OpenID Connect provider (authorization code flow with PKCE). */
export interface OpenIdProvider {
  /** Resolves to the provider's page for the sign-in. Rejects with a Fault while the provider is away. */
  begin(attempt: OpenIdAttempt): Promise<string>;
  /** Resolves to who has signed in. Rejects when the provider's answer is not valid, or the person is not admitted. */
  finish(callbackUrl: URL, attempt: OpenIdAttempt): Promise<SeenPerson>;
}

/** The provider must have seen the person within this time. */
const maxAgeSeconds = recentMs / 1_000;
/** The clocks of the provider and the dashboard may differ by this much. */
const toleranceMs = 30_000;

export function createOpenIdProvider(settings: OpenIdSettings, redirectUri: string): OpenIdProvider {
  const { issuer, clientId, clientSecret } = settings;
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
    begin: async ({ state, nonce, verifier, seenAfterMs }) => {
      const config = await configuration();
      const client = await load();
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(seenAfterMs === undefined
          ? { max_age: String(maxAgeSeconds) }
          : { prompt: 'login', max_age: '0' }),
      });
      return url.href;
    },
    finish: async (callbackUrl, { state, nonce, verifier, seenAfterMs = Date.now() - recentMs }) => {
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
      const identity = identityOf(claims, settings);
      // A provider may send `auth_time` without listing it.
      const seenAtMs = claims?.auth_time === undefined ? undefined : claims.auth_time * 1_000;
      if (seenAtMs !== undefined && seenAtMs < seenAfterMs - toleranceMs)
        throw new Error('the provider has not asked the person again');
      return { identity, seenAtMs };
    },
  };
}

/** Returns false only for a provider that lists its claims without `auth_time`. */
function offersAuthTime(config: Configuration): boolean {
  return config.serverMetadata().claims_supported?.includes('auth_time') ?? true;
}

/** @throws Error for somebody outside the required domain or group */
function identityOf(
  claims: IDToken | undefined,
  { hostedDomain, group }: Pick<OpenIdSettings, 'hostedDomain' | 'group'>,
): OpenIdIdentity {
  if (claims === undefined) throw new Error('the provider sent no ID token');
  if (hostedDomain !== undefined && claims.hd !== hostedDomain)
    throw new Error('the person is not of OPENID_HOSTED_DOMAIN');
  if (group !== undefined && !(Array.isArray(claims.groups) && claims.groups.includes(group)))
    throw new Error('the person is not in OPENID_GROUP');
  return { issuer: claims.iss, subject: claims.sub };
}
