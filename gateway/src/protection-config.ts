import { isIP } from 'node:net';
import { integer } from '@jobs-delete/runtime/config/read-environment';
import { ConfigurationError } from '@jobs-delete/runtime/startup-error';
import { z } from 'zod';
import type { LoadShedderOptions } from './limits/load-shedder.ts';

/** How the gateway protects itself; of every rate 0 is none. `readProtection` puts them together. */
export const protectionVariables = {
  MAX_CONNECTIONS: integer(1, 1_000_000, 10_000),
  MIN_CONCURRENT_REQUESTS: integer(1, 100_000, 256),
  MAX_CONCURRENT_REQUESTS: integer(0, 100_000, 1_024),
  MAX_BUFFERED_BYTES: integer(1, 68_719_476_736, 268_435_456),
  RATE_LIMIT_REQUESTS: integer(0, 1_000_000_000, 0),
  RATE_LIMIT_JOBS: integer(0, 1_000_000_000, 0),
  RATE_LIMIT_WINDOW_SECONDS: integer(1, 86_400, 60),
  FAILED_AUTHENTICATIONS_LIMIT: integer(0, 1_000_000, 0),
  FAILED_AUTHENTICATIONS_WINDOW_SECONDS: integer(1, 86_400, 60),
  TRUST_PROXY: z.string().transform(parseTrustProxy).optional(),
};

export interface ProtectionConfig {
  readonly maxConnections: number;
  /** How many requests are served at a time: see limits/load-shedder.ts. */
  readonly load: Pick<LoadShedderOptions, 'minConcurrent' | 'maxConcurrent' | 'maxBufferedBytes'>;
  /** Of an account, in each window. */
  readonly rateLimits: {
    readonly requests: number;
    readonly jobs: number;
    readonly windowSeconds: number;
  };
  /** Of a remote address, in each window. */
  readonly failedAuthentications: { readonly limit: number; readonly windowSeconds: number };
  /** Whose X-Forwarded-For is believed: that of so many proxies in a row, or of those at these addresses. */
  readonly trustProxy: number | readonly string[] | undefined;
}

/** @throws ConfigurationError */
export function readProtection(
  values: z.output<z.ZodObject<typeof protectionVariables>>,
  { maxJobsPerRequest, maxBodyBytes }: { maxJobsPerRequest: number; maxBodyBytes: number },
): ProtectionConfig {
  const { RATE_LIMIT_JOBS: jobs, MAX_BUFFERED_BYTES: maxBufferedBytes } = values;
  const problems: string[] = [];
  if (jobs > 0 && jobs < maxJobsPerRequest)
    problems.push(
      'RATE_LIMIT_JOBS: must be 0 or at least MAX_JOBS_PER_REQUEST: the largest request has to pass',
    );
  if (maxBufferedBytes < maxBodyBytes)
    problems.push('MAX_BUFFERED_BYTES: must be at least MAX_BODY_BYTES: the largest request has to pass');
  if (problems.length > 0) throw new ConfigurationError(problems);
  return {
    maxConnections: values.MAX_CONNECTIONS,
    load: {
      minConcurrent: values.MIN_CONCURRENT_REQUESTS,
      maxConcurrent: values.MAX_CONCURRENT_REQUESTS,
      maxBufferedBytes,
    },
    rateLimits: {
      requests: values.RATE_LIMIT_REQUESTS,
      jobs,
      windowSeconds: values.RATE_LIMIT_WINDOW_SECONDS,
    },
    failedAuthentications: {
      limit: values.FAILED_AUTHENTICATIONS_LIMIT,
      windowSeconds: values.FAILED_AUTHENTICATIONS_WINDOW_SECONDS,
    },
    trustProxy: values.TRUST_PROXY,
  };
}

/** The names are Express's own. */
const namedRanges = ['loopback', 'linklocal', 'uniquelocal'];

function parseTrustProxy(text: string, context: z.RefinementCtx): number | readonly string[] {
  if (/^(?:[1-9]|[1-5]\d)$/.test(text)) return Number(text);
  const ranges = text.split(',').map((range) => range.trim());
  if (ranges.every((range) => namedRanges.includes(range) || isAddressRange(range))) return ranges;
  const message =
    'must be how many proxies stand in a row (1 to 59), or their addresses or CIDR ranges, with commas between them';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

/** Not all addresses: whoever is believed can say that it is anybody. */
function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || more.length > 0) return false;
  if (prefix === undefined) return true;
  return /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
}
