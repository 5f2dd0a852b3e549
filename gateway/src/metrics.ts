import { poolGauge } from '@jobs-delete/runtime/gauges';
import type { MongoPool } from '@jobs-delete/runtime/mongo-pool';
import { Counter, Histogram, type Registry } from 'prom-client';
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
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests by route (others are "other") and by the status of the answer.',
    labelNames: ['endpoint', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the headers of a request to the end of its answer.',
    labelNames: ['endpoint'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const reads = new Counter({
    name: 'credential_cache_reads_total',
    help: 'Look-ups of tokens and secret keys that were in memory (hit), or had to be read (miss).',
    labelNames: ['kind', 'result'],
    registers,
  });
  poolGauge(registry, 'accounts', pool);

  const durationOf = new Map(
    [...endpoints.map(({ path }) => path), 'other'].map((path) => [path, durations.labels(path)]),
  );
  const readsOf = (kind: CredentialKind) => ({
    hit: reads.labels(kind, 'hit'),
    miss: reads.labels(kind, 'miss'),
  });
  const credentialReads = { token: readsOf('token'), 'secret-key': readsOf('secret-key') };

  return {
    onAnswered: ({ endpoint = 'other', status, ms }) => {
      requests.inc({ endpoint, status });
      durationOf.get(endpoint)?.observe(ms / 1_000);
    },
    onCredentialRead: (kind, isHit) => credentialReads[kind][isHit ? 'hit' : 'miss'].inc(),
  };
}
