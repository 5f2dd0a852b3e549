import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { createTestBrowser, type TestBrowser } from './test-browser.ts';

export interface RealOpenIdProvider {
  readonly issuer: string;
  readonly clientSecret: string;
  /** Returns a browser without a session at the provider. */
  browser(): TestBrowser;
  stop(): Promise<void>;
}

/**
 * Starts the OpenID Connect provider of the package `oidc-provider`, in memory. It has one client, `dashboard`. Its page
 * accepts every name, and that name is the subject.
 * @param claimsOf returns the further claims of a subject
 */
export async function startRealOpenIdProvider(
  redirectUri: string,
  claimsOf: (subject: string) => Readonly<Record<string, unknown>>,
): Promise<RealOpenIdProvider> {
  let serve: RequestListener = () => undefined;
  const server = createServer((request, response) => serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clientSecret = randomBytes(16).toString('hex');
  const client = {
    client_id: 'dashboard',
    client_secret: clientSecret,
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'client_secret_post',
  };
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  serve = new Provider(issuer, {
    clients: [client],
    claims: { openid: ['sub', 'email', 'email_verified', 'groups', 'hd'] },
    conformIdTokenClaims: false,
    cookies: { keys: [randomBytes(16).toString('hex')] },
    jwks: { keys: [privateKey.export({ format: 'jwk' })] },
    ttl: {
      Interaction: 600,
      Session: 3_600,
      Grant: 3_600,
      AuthorizationCode: 60,
      AccessToken: 60,
      IdToken: 60,
    },
    findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ ...claimsOf(sub), sub }) }),
  }).callback();
  return {
    issuer,
    clientSecret,
    browser: () => createTestBrowser(issuer),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface ProviderVisit {
  /** The redirect back to the dashboard. */
  readonly callback: URL;
  /** The pages that the provider has shown: `login`, `consent`. */
  readonly prompts: readonly string[];
}

/** Does what a person does at the provider: signs in, and agrees. Without a name, cancels at the first page. */
export async function visitProvider(
  browser: TestBrowser,
  { issuer }: Pick<RealOpenIdProvider, 'issuer'>,
  url: string,
  name: string | undefined,
): Promise<ProviderVisit> {
  const prompts: string[] = [];
  let answer = await browser.get(url);
  for (;;) {
    const { location, text } = answer;
    if (location !== undefined) {
      const target = new URL(location, issuer);
      if (target.origin !== issuer) return { callback: target, prompts };
      answer = await browser.get(target.href);
      continue;
    }
    const action = /action="([^"]+)"/.exec(text)?.[1];
    const prompt = /name="prompt" value="([^"]+)"/.exec(text)?.[1];
    if (action === undefined || prompt === undefined) throw new Error(`the provider shows ${text}`);
    prompts.push(prompt);
    if (name === undefined) answer = await browser.get(`${action}/abort`);
    else answer = await browser.postRaw(action, { prompt, login: name, password: 'any' });
  }
}
