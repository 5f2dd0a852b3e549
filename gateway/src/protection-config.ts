import { integer } from '@jobs-delete/runtime/config/read-environment';
import {
  readStrangerLimits,
  strangerVariables,
  type StrangerLimits,
} from '@jobs-delete/runtime/config/stranger-limits';
import { trustProxyVariable, type TrustProxy } from '@jobs-delete/runtime/net/trust-proxy';
import { ConfigurationError } from '@jobs-delete/runtime/startup-error';
import type { z } from 'zod';
import type { LoadShedderOptions } from './limits/load-shedder.ts';

/** Variables of the gateway's limits. A rate of 0 means no limit. docs/decisions/unknown-callers.md explains the defaults. */
export const protectionVariables = {
  ...strangerVariables,
  MAX_CONCURRENT_REQUESTS: integer(0, 100_000, 1_024),
  MAX_WAITING_REQUESTS: integer(0, 100_000, 1_000),
  MAX_BUFFERED_BYTES: integer(1, 68_719_476_736, 268_435_456),
  RATE_LIMIT_REQUESTS: integer(0, 1_000_000_000, 0),
  RATE_LIMIT_JOBS: integer(0, 1_000_000_000, 0),
  RATE_LIMIT_WINDOW_SECONDS: integer(1, 86_400, 60),
  RATE_LIMIT_TIMEOUT_MS: integer(1, 60_000, 250),
  FAILED_AUTHENTICATIONS_LIMIT: integer(0, 1_000_000, 60_000),
  FAILED_AUTHENTICATIONS_WINDOW_SECONDS: integer(1, 86_400, 60),
  TRUST_PROXY: trustProxyVariable,
};

export interface ProtectionConfig extends StrangerLimits {
  /** Requests that wait for a deletion to complete. */
  readonly maxWaitingRequests: number;
  /** Options of limits/load-shedder.ts. */
  readonly load: LoadShedderOptions;
  /** Limits of each account and window. */
  readonly rateLimits: {
    readonly requests: number;
    readonly jobs: number;
    readonly windowSeconds: number;
    /** A count in MongoDB that takes longer is made in memory. */
    readonly timeoutMs: number;
  };
  /** Limit of each remote network and window; 0 for no limit. */
  readonly failedAuthentications: { readonly limit: number; readonly windowSeconds: number };
  readonly trustProxy: TrustProxy;
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
      'RATE_LIMIT_JOBS: must be 0 or at least MAX_JOBS_PER_REQUEST: otherwise the largest request never passes',
    );
  // One account may use three quarters of the memory.
  if (3 * maxBufferedBytes < 4 * maxBodyBytes)
    problems.push(
      'MAX_BUFFERED_BYTES: must be at least 4/3 of MAX_BODY_BYTES: otherwise the largest request never passes',
    );
  if (problems.length > 0) throw new ConfigurationError(problems);
  return {
    ...readStrangerLimits(values),
    maxWaitingRequests: values.MAX_WAITING_REQUESTS,
    load: { maxConcurrent: values.MAX_CONCURRENT_REQUESTS, maxBufferedBytes },
    rateLimits: {
      requests: values.RATE_LIMIT_REQUESTS,
      jobs,
      windowSeconds: values.RATE_LIMIT_WINDOW_SECONDS,
      timeoutMs: values.RATE_LIMIT_TIMEOUT_MS,
    },
    failedAuthentications: {
      limit: values.FAILED_AUTHENTICATIONS_LIMIT,
      windowSeconds: values.FAILED_AUTHENTICATIONS_WINDOW_SECONDS,
    },
    trustProxy: values.TRUST_PROXY,
  };
}
