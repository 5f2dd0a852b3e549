import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TestOpenIdProvider {
  readonly issuer: string;
  readonly clientSecret: string;
  /** Claims of the next ID tokens. They replace the right ones. */
  claims: Record<string, unknown>;
  /** The claims that the metadata list. Read at the first sign-in. */
  claimsSupported: readonly string[] | undefined;
  /** Signs the next ID tokens with a key that the provider does not publish. */
  hasForeignKey: boolean;
  stop(): Promise<void>;
}

/** Starts an OpenID Connect provider whose user is always signed in. It has one client, `dashboard`. */
export async function startTestOpenIdProvider(): Promise<TestOpenIdProvider> {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const foreignKeys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const codes = new Map<string, URLSearchParams>();
  const server = createServer((request, response) => {
    const json = (value: object, status = 200) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    const url = new URL(request.url ?? '', provider.issuer);
    if (url.pathname === '/.well-known/openid-configuration') json(metadata(provider));
    else if (url.pathname === '/keys')
      json({ keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256' }] });
    else if (url.pathname === '/authorize') {
      const code = randomBytes(8).toString('hex');
      codes.set(code, url.searchParams);
      const state = url.searchParams.get('state') ?? '';
      const location = `${url.searchParams.get('redirect_uri') ?? ''}?code=${code}&state=${state}`;
      response.writeHead(302, { Location: location }).end();
    } else {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        const sent = new URLSearchParams(body);
        const asked = codes.get(sent.get('code') ?? '');
        codes.delete(sent.get('code') ?? '');
        const isAllowed = sent.get('client_secret') === provider.clientSecret && hasVerifier(sent, asked);
        if (!isAllowed || asked === undefined) return json({ error: 'invalid_grant' }, 400);
        const { privateKey } = provider.hasForeignKey ? foreignKeys : keys;
        const nowSeconds = Math.floor(Date.now() / 1_000);
        const claims = {
          iss: provider.issuer,
          aud: 'dashboard',
          sub: 'one',
          nonce: asked.get('nonce'),
          iat: nowSeconds,
          exp: nowSeconds + 60,
          auth_time: nowSeconds,
          ...provider.claims,
        };
        const content = [{ alg: 'RS256', kid: 'one' }, claims].map(base64url).join('.');
        const signature = sign('sha256', Buffer.from(content), privateKey).toString('base64url');
        return json({ access_token: 'x', token_type: 'Bearer', id_token: `${content}.${signature}` });
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const provider: TestOpenIdProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientSecret: randomBytes(16).toString('hex'),
    claims: {},
    claimsSupported: undefined,
    hasForeignKey: false,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return provider;
}

function metadata({ issuer, claimsSupported }: TestOpenIdProvider) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
    ...(claimsSupported && { claims_supported: claimsSupported }),
  };
}

function hasVerifier(sent: URLSearchParams, asked: URLSearchParams | undefined): boolean {
  const challenge = createHash('sha256')
    .update(sent.get('code_verifier') ?? '')
    .digest('base64url');
  return asked?.get('code_challenge') === challenge;
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
