import { poolGauge } from '@jobs-delete/runtime/gauges';
import type { MongoPool } from '@jobs-delete/runtime/mongo-pool';
import { requestMetrics } from '@jobs-delete/runtime/request-metrics';
import { Counter, type Registry } from 'prom-client';
import type { CredentialKind } from './accounts/accounts.ts';
import { endpoints } from './http/delete-jobs.ts';

/** What became of one request. */
export interface Answered {
  /** The path of a route, without the base path; undefined for any other. */
  readonly endpoint: string | undefined;
  /** `aborted` where the caller has gone before the end. */
  readonly status: number | 'aborted';
  readonly ms: number;
}

export interface GatewayMetrics {
  onAnswered(answered: Answered): void;
  /** Whether a credential was in memory, or on its way there. */
  onCredentialRead(kind: CredentialKind, isHit: boolean): void;
}

/** Every metric of the gateway. No label comes from a caller: each has a few values, known beforehand. */
export function createGatewayMetrics(registry: Registry, pool: MongoPool): GatewayMetrics {
  const registers = [registry];
  const observe = requestMetrics(registry, {
    protocol: 'http',
    target: 'endpoint',
    targets: [...endpoints.map(({ path }) => path), 'other'],
    outcome: 'status',
    countHelp: 'Requests by route (others are "other") and by the status of the answer.',
    durationHelp: 'From the headers of a request to the end of its answer.',
  });
  const reads = new Counter({
    name: 'credential_cache_reads_total',
    help: 'Look-ups of tokens and secret keys that were in memory (hit), or had to be read (miss).',
    labelNames: ['kind', 'result'],
    registers,
  });
  poolGauge(registry, 'accounts', pool);

  const readsOf = (kind: CredentialKind) => ({
    hit: reads.labels(kind, 'hit'),
    miss: reads.labels(kind, 'miss'),
  });
  const credentialReads = { token: readsOf('token'), 'secret-key': readsOf('secret-key') };

  return {
    onAnswered: ({ endpoint = 'other', status, ms }) => observe(endpoint, status, ms),
    onCredentialRead: (kind, isHit) => credentialReads[kind][isHit ? 'hit' : 'miss'].inc(),
  };
}
