import type { Route } from '../web/route.ts';
import type { AcmeNames } from './acme.ts';

/** One request for a route, with names of an account in its path and its fields. */
export interface RouteRequest {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The values of each variable part of a path. */
const paramValues: Readonly<Record<string, (names: AcmeNames) => readonly string[]>> = {
  kind: () => ['token', 'secret-key'],
  id: ({ tokenId, secretKeyId, personId }) => [tokenId, secretKeyId, personId],
  // Whoever has the secret of a link may use it. Its public parts must not work in its place.
  secret: ({ email, sessionId }) => [email, sessionId],
};

/** The values of each field that a form or a query may have. A route that reads another field fails isolation.spec.ts. */
const fieldValues: Readonly<Record<string, (names: AcmeNames) => readonly string[]>> = {
  account: ({ accountId }) => [accountId],
  before: ({ auditId }) => [`${String(Date.now())}.${auditId}`],
  domain: ({ domain }) => [domain],
  email: ({ email }) => [email],
  origin: ({ domain }) => [`https://${domain}`],
  passkey: ({ passkeyId }) => [passkeyId],
  response: ({ passkeyId }) => [JSON.stringify({ id: passkeyId, rawId: passkeyId, type: 'public-key' })],
  secretKey: ({ secretKeyId }) => [`jds_${secretKeyId}_${'0'.repeat(64)}`],
  session: ({ sessionId }) => [sessionId],
  token: ({ tokenId }) => [`jdt_${tokenId}_${'0'.repeat(64)}`],
  // These name nothing of an account.
  ...fixed({
    acceptLanguage: 'en',
    action: 'token.created',
    clientLang: 'Shell',
    code: '000000',
    confirm: 'yes',
  }),
  ...fixed({ expiry: '90', format: 'json', ids: 'NURSE001', language: 'en', name: 'shop', next: '/keys' }),
  ...fixed({ notice: 'signed-out', once: '', page: '1', password: 'a wrong password', role: 'owner' }),
  ...fixed({ sealed: '', userAgent: 'shop/1.0' }),
};

function fixed(values: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, () => [value]]));
}

/** Returns requests with every name in every place. @throws Error for a route that needs a value which is not listed */
export function requestsOf(route: Route, names: AcmeNames): readonly RouteRequest[] {
  const paths = pathsOf(route, names);
  const values = Object.entries(fieldValues).map(([name, list]) => [name, list(names)] as const);
  const variants = Math.max(...values.map(([, list]) => list.length));
  return paths.flatMap((path) =>
    Array.from({ length: variants }, (_, variant) => ({
      path,
      fields: Object.fromEntries(values.map(([name, list]) => [name, list[variant % list.length] ?? ''])),
    })),
  );
}

function pathsOf({ method, path }: Route, names: AcmeNames): readonly string[] {
  const params = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return params.reduce<readonly string[]>(
    (paths, param) => {
      const values = paramValues[param]?.(names);
      if (values === undefined)
        throw new Error(`${method} ${path}: add values for “:${param}” to paramValues in requests-of.ts`);
      return paths.flatMap((each) =>
        values.map((value) => each.replace(`:${param}`, encodeURIComponent(value))),
      );
    },
    [path],
  );
}

export function isKnownField(name: string): boolean {
  return name === 'csrf' || Object.hasOwn(fieldValues, name);
}
