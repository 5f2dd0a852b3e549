import { expiryGauge, poolGauge } from '@jobs-delete/runtime/telemetry/gauges';
import type { MongoPool } from '@jobs-delete/runtime/mongo/mongo-pool';
import { requestMetrics } from '@jobs-delete/runtime/telemetry/request-metrics';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { CredentialKind } from '@jobs-delete/accounts/accounts';
import type { PooledDeleterClient } from './deleter/deleter-client.ts';
import { clientTechnologyLabel } from './http/request/client-technology.ts';
import { endpoints } from './http/delete-jobs.ts';
import { limitNames, type LimitName } from './limits/limit-names.ts';
import type { LoadShedder } from './limits/load-shedder.ts';

/** What became of one request. */
export interface Answered {
  /** The path of a route, without the base path; undefined for any other. */
  readonly endpoint: string | undefined;
  /** `aborted` where the caller has gone before the end. */
  readonly status: number | 'aborted';
  /** As the caller's X-Client-Lang has it; undefined for a request that was refused before. */
  readonly clientTechnology: string | undefined;
  /** That it was refused by. */
  readonly limit: LimitName | undefined;
  readonly ms: number;
}

export interface GatewayMetrics {
  onAnswered(answered: Answered): void;
  /** What was no proper request was refused with this status. */
  onImproper(status: number): void;
  onConnectionDropped(): void;
  /** Whether a credential was in memory, or on its way there. */
  onCredentialRead(kind: CredentialKind, isHit: boolean): void;
  measureCertificate(expiresAtMs: () => number): void;
  /** MongoDB has turned out to be too slow to count in. */
  onRateLimitFallback(): void;
  measureDeleters(deleter: Pick<PooledDeleterClient, 'connections'>): void;
  measureLoad(shedder: Pick<LoadShedder, 'state'>): void;
}

type Load = ReturnType<LoadShedder['state']>;

const loadGauges: readonly { name: string; help: string; pick: (load: Load) => number }[] = [
  {
    name: 'http_requests_serving',
    help: 'Requests whose body is here and that are not answered yet.',
    pick: ({ serving }) => serving,
  },
  {
    name: 'http_requests_serving_limit',
    help: 'How many of them there may be now; what comes beyond is answered 503.',
    pick: ({ limit }) => limit,
  },
  {
    name: 'http_buffered_body_bytes',
    help: 'What is held of bodies.',
    pick: ({ bufferedBytes }) => bufferedBytes,
  },
];

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
  const technologies = new Counter({
    name: 'http_requests_by_client_technology_total',
    help: 'Requests with proper headers, by what X-Client-Lang says (beyond a fixed list it is "other").',
    labelNames: ['client_technology'],
    registers,
  });
  const reads = new Counter({
    name: 'credential_cache_reads_total',
    help: 'Look-ups of tokens and secret keys that were in memory (hit), or had to be read (miss).',
    labelNames: ['kind', 'result'],
    registers,
  });
  const limited = new Counter({
    name: 'http_requests_limited_total',
    help: 'Requests that were refused because there were too many, by the limit.',
    labelNames: ['limit'],
    registers,
  });
  for (const limit of limitNames) limited.inc({ limit }, 0);
  const fallbacks = new Counter({
    name: 'rate_limit_fallbacks_total',
    help: 'How often counting for the limits went on in memory, for a second, because MongoDB was slow or away.',
    registers,
  });
  const dropped = new Counter({
    name: 'http_connections_dropped_total',
    help: 'Connections that were closed at once because there were as many as there may be.',
    registers,
  });
  poolGauge(registry, 'accounts', pool);

  const readsOf = (kind: CredentialKind) => ({
    hit: reads.labels(kind, 'hit'),
    miss: reads.labels(kind, 'miss'),
  });
  const credentialReads = { token: readsOf('token'), 'secret-key': readsOf('secret-key') };

  return {
    onAnswered: ({ endpoint = 'other', status, ms, clientTechnology, limit }) => {
      observe(endpoint, status, ms);
      if (clientTechnology !== undefined)
        technologies.inc({ client_technology: clientTechnologyLabel(clientTechnology) });
      if (limit !== undefined) limited.inc({ limit });
    },
    onImproper: (status) => observe('other', status, undefined),
    onConnectionDropped: () => dropped.inc(),
    onCredentialRead: (kind, isHit) => credentialReads[kind][isHit ? 'hit' : 'miss'].inc(),
    measureCertificate: (expiresAtMs) => expiryGauge(registry, 'gateway', expiresAtMs),
    onRateLimitFallback: () => fallbacks.inc(),
    measureDeleters: (deleter) => {
      const gauge: Gauge = new Gauge({
        name: 'deleter_connections',
        help: 'Addresses of the deleter service by state: well, sick or down.',
        labelNames: ['state'],
        registers,
        collect: () => {
          const connections = deleter.connections();
          for (const state of ['well', 'sick', 'down'] as const) gauge.set({ state }, connections[state]);
        },
      });
    },
    measureLoad: (shedder) => {
      for (const { name, help, pick } of loadGauges) {
        const gauge: Gauge = new Gauge({
          name,
          help,
          registers,
          collect: () => gauge.set(pick(shedder.state())),
        });
      }
    },
  };
}
