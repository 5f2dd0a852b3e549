/** A path of the API that needs credentials. */
export interface ApiPath {
  /** Without the base path. */
  readonly path: string;
  readonly methods: readonly string[];
  /** The media type of the body. Undefined: the body is ignored. */
  readonly mediaType?: 'application/json' | 'application/xml';
  /** Runs every check and deletes nothing. */
  readonly sandbox: boolean;
}

/** A path that deletes jobs. */
export type Endpoint = Required<ApiPath>;

const methods = ['DELETE'];
export const endpoints: readonly Endpoint[] = [
  { path: '/v1/json/jobs-delete', methods, mediaType: 'application/json', sandbox: false },
  { path: '/v1/xml/jobs-delete', methods, mediaType: 'application/xml', sandbox: false },
  { path: '/v1-sandbox/json/jobs-delete', methods, mediaType: 'application/json', sandbox: true },
  { path: '/v1-sandbox/xml/jobs-delete', methods, mediaType: 'application/xml', sandbox: true },
];

/** The status of one deletion, and its cancellation. It has a pattern for its path, because Express would decode a parameter. */
export const deletionEndpoint = {
  path: '/v1/deletions/{Deletion-Id}',
  pattern: '/v1/deletions/[^/]+',
  methods: ['GET', 'HEAD', 'DELETE'],
  sandbox: false,
} as const;

/** The jobs of the caller's account. */
export const jobsEndpoint = { path: '/v1/jobs', methods: ['GET', 'HEAD'], sandbox: false } as const;

/** The account of the credentials. */
export const whoamiEndpoint = { path: '/v1/whoami', methods: ['GET', 'HEAD'], sandbox: false } as const;

/** Every path that needs credentials. */
export const apiPaths: readonly string[] = [...endpoints, whoamiEndpoint, jobsEndpoint, deletionEndpoint].map(
  ({ path }) => path,
);
