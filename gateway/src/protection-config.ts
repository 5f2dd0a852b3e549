import { unauthenticatedLimits, type UnauthenticatedLimits } from '@jobs-delete/accounts/accounts-config';
import type { maxJobsVariables } from '@jobs-delete/proto/max-jobs';
import { integer } from '@jobs-delete/runtime/config/variables';
import { trustProxyVariables, type TrustProxy } from '@jobs-delete/runtime/net/remote-address';
import { ConfigurationError } from '@jobs-delete/runtime/startup-error';
import type { z } from 'zod';
import type { LoadShedderOptions } from './limits/load-shedder.ts';

/** Variables of the gateway's limits. A rate of 0 means no limit. */
export const protectionVariables = {
  RATE_LIMIT_REQUESTS: integer(0, 1_000_000_000, 0).describe(
    'requests of an account in a window; then 429; 0 means no limit',
  ),
  RATE_LIMIT_JOBS: integer(0, 1_000_000_000, 0).describe(
    'jobs in the requests of an account in a window, accepted or not; then 429; 0 means no limit',
  ),
  RATE_LIMIT_WINDOW_SECONDS: integer(1, 86_400, 60).describe('length of that window'),
  FAILED_AUTHENTICATIONS_LIMIT: integer(0, 1_000_000, 60_000).describe(
    'failed authentications of an address (IPv6: of a /64 network) in a minute; then 429; 0 means no limit',
  ),
  ...trustProxyVariables,
};

/** docs/decisions/admission.md explains the limits of requests. */
const constants = {
  // Each holds a connection and no work, so the memory of a gateway is the bound.
  maxWaitingRequests: 1_000,
  load: {
    // Bounds the queue in front of a slow deleter: a higher limit only makes requests slower.
    maxConcurrent: 1_024,
    // A quarter of a pod of 1 GiB. One account may use three quarters: at least two of the largest bodies.
    maxBufferedBytes: 268_435_456,
  },
};

/** Longer than a count takes, and short beside the answer timeout. */
const rateLimitTimeoutMs = 250;

/** Long enough for an average, and short enough to wait for. */
const failureWindowSeconds = 60;

export interface ProtectionConfig extends UnauthenticatedLimits {
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
  values: z.output<z.ZodObject<typeof protectionVariables & typeof maxJobsVariables>>,
): ProtectionConfig {
  const { RATE_LIMIT_JOBS: jobs, MAX_JOBS_PER_REQUEST: maxJobsPerRequest } = values;
  if (jobs > 0 && jobs < maxJobsPerRequest)
    throw new ConfigurationError([
      'RATE_LIMIT_JOBS: must be 0 or at least MAX_JOBS_PER_REQUEST: otherwise the largest request never passes',
    ]);
  return {
    ...unauthenticatedLimits,
    ...constants,
    rateLimits: {
      requests: values.RATE_LIMIT_REQUESTS,
      jobs,
      windowSeconds: values.RATE_LIMIT_WINDOW_SECONDS,
      timeoutMs: rateLimitTimeoutMs,
    },
    failedAuthentications: {
      limit: values.FAILED_AUTHENTICATIONS_LIMIT,
      windowSeconds: failureWindowSeconds,
    },
    trustProxy: values.TRUST_PROXY,
  };
}
