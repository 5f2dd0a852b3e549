export interface Endpoint {
  /** Without the base path. */
  readonly path: string;
  readonly mediaType: 'application/json' | 'application/xml';
  /** Runs every check and deletes nothing. */
  readonly sandbox: boolean;
}

/** The status of one deletion, and its cancellation. It has a pattern for its path, because Express would decode a parameter. */
export const deletionEndpoint = {
  path: '/v1/deletions/{Deletion-Id}',
  pattern: '/v1/deletions/[^/]+',
  methods: 'GET, HEAD, DELETE',
} as const;

/** The jobs of the caller's account. */
export const jobsEndpoint = { path: '/v1/jobs', methods: 'GET, HEAD' } as const;

/** The account of the credentials. */
export const whoamiEndpoint = { path: '/v1/whoami', methods: 'GET, HEAD' } as const;

/** An id of another form gets 404 without a call. */
export const deletionIdPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const endpoints: readonly Endpoint[] = [
  { path: '/v1/json/jobs-delete', mediaType: 'application/json', sandbox: false },
  { path: '/v1/xml/jobs-delete', mediaType: 'application/xml', sandbox: false },
  { path: '/v1-sandbox/json/jobs-delete', mediaType: 'application/json', sandbox: true },
  { path: '/v1-sandbox/xml/jobs-delete', mediaType: 'application/xml', sandbox: true },
];

/** Every path that needs credentials. */
export const apiPaths: readonly string[] = [...endpoints, whoamiEndpoint, jobsEndpoint, deletionEndpoint].map(
  ({ path }) => path,
);
