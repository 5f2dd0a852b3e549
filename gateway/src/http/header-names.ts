/** The headers of a request that the API reads, in the order of the documentation. */
export const requestHeaders = [
  'Authorization',
  'Usersecretkey',
  'Origin',
  'Content-Type',
  'Content-Encoding',
  'Accept-Language',
  'User-Agent',
  'X-Client-Lang',
  'Idempotency-Key',
  'Prefer',
] as const;
export type RequestHeader = (typeof requestHeaders)[number];

/** The headers of an answer that a page of another origin may read only where CORS exposes them. */
export const exposedHeaders = [
  'Deletion-Id',
  'Request-Id',
  'Idempotent-Replayed',
  'Preference-Applied',
  'Retry-After',
  'Sandbox',
  'RateLimit',
  'RateLimit-Policy',
] as const;

/** The headers of an answer, without the security headers and those of CORS. */
export const responseHeaders = [
  ...exposedHeaders,
  'Content-Language',
  'Cache-Control',
  'Allow',
  'WWW-Authenticate',
] as const;
export type ResponseHeader = (typeof responseHeaders)[number];
