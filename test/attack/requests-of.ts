import type { Route } from '@jobs-delete/dashboard/web/route';
import { unknownNames, type AcmeNames } from './acme.ts';

/** One request for a route, with names of an account in its path and its fields. */
export interface RouteRequest {
  readonly path: `/${string}`;
  readonly fields: Readonly<Record<string, string>>;
}

/** The values of each variable part of a path. */
const paramValues: Readonly<Record<string, (names: AcmeNames) => readonly string[]>> = {
  kind: () => ['token', 'secret-key'],
  id: ({ tokenId, secretKeyId, personId, deletionId, waitingId }) => [
    ...[tokenId, secretKeyId, personId, deletionId, waitingId],
  ],
  // The secret of a link is the right to use it. An address or a session id must not work in its place.
  secret: ({ email, sessionId }) => [email, sessionId],
};

/** Returns a value for each field that a form or a query may have. */
function fieldsOf(names: AcmeNames) {
  return {
    account: names.accountId,
    actor: names.email,
    cause: JSON.stringify(['origin_not_allowed', names.tokenId, 'live', `https://${names.domain}`]),
    after: names.jobId,
    domain: names.domain,
    email: names.email,
    find: names.jobId,
    id: names.tokenId,
    invitation: names.invitationId,
    ids: names.jobId,
    leaveOut: 'yes',
    leftOut: names.jobId,
    spell: `UNKNOWN1=${names.jobId}`,
    repeated: names.jobId,
    job: names.jobId,
    origin: `https://${names.domain}`,
    // A list of jobs reads the id, and a list of entries the time with an id.
    pair: names.secretKeyId,
    pages: `1: 51:${names.jobId} 51:${String(Date.now())}.${names.auditId}`,
    passkey: names.passkeyId,
    response: JSON.stringify({ id: names.passkeyId, rawId: names.passkeyId, type: 'public-key' }),
    secretKey: `jds_${names.secretKeyId}_${'0'.repeat(64)}`,
    session: names.sessionId,
    token: `jdt_${names.tokenId}_${'0'.repeat(64)}`,
    // These name nothing of an account.
    acceptLanguage: 'en',
    action: 'token.created',
    also: 'on',
    anyway: '7',
    back: '/activity/refused?code=job_not_found',
    clientLang: 'Shell',
    code: 'job_not_found',
    column: '1',
    confirm: 'yes',
    count: '1',
    create: 'both',
    environment: 'live',
    expiry: '90',
    file: '',
    format: 'json',
    language: 'en',
    name: 'shop',
    next: '/keys',
    days: '90',
    delay: '24h',
    hours: '1',
    jobs: '7',
    kind: 'jobs',
    more: '7',
    invitations: '1',
    notice: 'signed-out',
    old: '',
    once: '',
    page: '1',
    percent: '50',
    role: 'owner',
    from: '2026-01-01',
    show: 'waiting',
    sort: '-jobs',
    state: 'completed',
    to: '2026-12-31',
    userAgent: 'shop/1.0',
    without: 'token',
    zone: 'Europe/Paris',
  };
}

/**
 * Returns requests with every name in every place, and each page without a query too.
 * @throws Error for a route that needs a value which is not listed
 */
export function requestsOf(route: Route, names: AcmeNames): readonly RouteRequest[] {
  const fields = fieldsOf(names);
  return pathsOf(route, names).flatMap((path) =>
    route.method === 'GET'
      ? [
          { path, fields },
          { path, fields: {} },
        ]
      : [{ path, fields }],
  );
}

function pathsOf({ method, path }: Route, names: AcmeNames): readonly `/${string}`[] {
  const params = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return params.reduce<readonly `/${string}`[]>(
    (paths, param) => {
      const values = paramValues[param]?.(names);
      if (values === undefined)
        throw new Error(`${method} ${path}: add values for “:${param}” to paramValues in requests-of.ts`);
      return paths.flatMap((each) =>
        values.map((value) => each.replace(`:${param}`, encodeURIComponent(value)) as `/${string}`),
      );
    },
    [path],
  );
}

export function isKnownField(name: string): boolean {
  return name === 'csrf' || Object.hasOwn(fieldsOf(unknownNames()), name);
}
