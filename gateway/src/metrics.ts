import { expiryGauge, poolGauge, requestMetrics } from '@jobs-delete/runtime/telemetry/metrics';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { CredentialKind } from '@jobs-delete/accounts/accounts';
import type { PooledDeleterClient } from './deleter/deleter-client.ts';
import { apiPaths } from './http/endpoints.ts';
import { problemTable, type ProblemCode } from './messages/problems.ts';
import { limitNames, type LimitName } from './http/answer/refusal.ts';
import type { LoadShedder } from './limits/load-shedder.ts';

/** The outcome of one request. */
export interface Answered {
  /** The path of the endpoint, without the base path; undefined for any other path. */
  readonly endpoint: string | undefined;
  /** `aborted` when the caller closed the connection before the end of the answer. */
  readonly status: number | 'aborted';
  /** The X-Client-Lang header; undefined when the request was refused before it was read. */
  readonly clientTechnology: string | undefined;
  /** The limit that refused the request. */
  readonly limit: LimitName | undefined;
  /** The code of the problem that was sent. */
  readonly refusal: ProblemCode | undefined;
  readonly ms: number;
}

export type GatewayMetrics = ReturnType<typeof createGatewayMetrics>;

/** Creates every metric of the gateway. Each label has a small, fixed set of values; none comes from a caller. */
export function createGatewayMetrics(registry: Registry) {
  const counting = (name: string, help: string) => {
    const counter = new Counter({ name, help, registers: [registry] });
    return (count = 1) => counter.inc(count);
  };
  return {
    pool: poolGauge(registry, 'accounts'),
    ...answerMetrics(registry),
    onCredentialRead: credentialReadCounter(registry),
    onConnectionDropped: counting(
      'http_connections_dropped_total',
      'Connections closed at once because of the maximum number of connections.',
    ),
    onRateLimitFallback: counting(
      'rate_limit_fallbacks_total',
      'How often rate limits were counted in memory for a second, because MongoDB was slow or away.',
    ),
    onRefusalsDropped: counting(
      'account_refusals_dropped_total',
      'Refused requests missing in the counts of their account, because too many counts were in memory.',
    ),
    onRefusalsUnlisted: counting(
      'account_refusals_unlisted_total',
      'Refused requests missing in the list of their account, because it had many within 10 s.',
    ),
    measureCertificate: (expiresAtMs: () => number) => expiryGauge(registry, 'gateway', expiresAtMs),
    measurePublicCertificate: (expiresAtMs: () => number) => expiryGauge(registry, 'public', expiresAtMs),
    measureDeleters: (deleter: Pick<PooledDeleterClient, 'connections'>) => deleterGauge(registry, deleter),
    measureLoad: (shedder: Pick<LoadShedder, 'state'>) => loadGauges(registry, shedder),
  };
}

function answerMetrics(registry: Registry) {
  const observe = requestMetrics(registry, {
    protocol: 'http',
    target: 'endpoint',
    targets: [...apiPaths, 'other'],
    outcome: 'status',
    countHelp: 'Requests by endpoint (other paths are "other") and status.',
    durationHelp: 'Time from the headers of a request to the end of its answer.',
  });
  const technologies = new Counter({
    name: 'http_requests_by_client_technology_total',
    help: 'Requests with valid headers, by X-Client-Lang (values outside a fixed list are "other").',
    labelNames: ['client_technology'],
    registers: [registry],
  });
  const limited = new Counter({
    name: 'http_requests_limited_total',
    help: 'Requests refused by a limit of the gateway.',
    labelNames: ['limit'],
    registers: [registry],
  });
  for (const limit of limitNames) limited.inc({ limit }, 0);
  const refusals = new Counter({
    name: 'http_refusals_total',
    help: 'Refused requests by the code of their problem.',
    labelNames: ['code'],
    registers: [registry],
  });
  for (const { code } of problemTable) refusals.inc({ code }, 0);
  // Looking up a label is slow; do it once.
  const ofTechnology = new Map(clientTechnologies.map((label) => [label, technologies.labels(label)]));
  return {
    onAnswered: ({ endpoint = 'other', status, ms, clientTechnology, limit, refusal }: Answered) => {
      observe(endpoint, status, ms);
      if (clientTechnology !== undefined) ofTechnology.get(clientTechnologyLabel(clientTechnology))?.inc();
      if (limit !== undefined) limited.inc({ limit });
      if (refusal !== undefined) refusals.inc({ code: refusal });
    },
    /** Called for an improper HTTP message, with the status of its refusal. */
    onImproper: (status: number) => observe('other', status, undefined),
  };
}

function credentialReadCounter(registry: Registry) {
  const reads = new Counter({
    name: 'credential_cache_reads_total',
    help: 'Reads of tokens and secret keys, from memory (hit) or from the database (miss).',
    labelNames: ['kind', 'result'],
    registers: [registry],
  });
  const readsOf = (kind: CredentialKind) => ({
    hit: reads.labels(kind, 'hit'),
    miss: reads.labels(kind, 'miss'),
  });
  const readsByKind = { token: readsOf('token'), 'secret-key': readsOf('secret-key') };
  /** `isHit`: the credential was in memory or already being read. */
  return (kind: CredentialKind, isHit: boolean) => readsByKind[kind][isHit ? 'hit' : 'miss'].inc();
}

function deleterGauge(registry: Registry, deleter: Pick<PooledDeleterClient, 'connections'>): void {
  const gauge: Gauge = new Gauge({
    name: 'deleter_connections',
    help: 'Addresses of the deleter service by state: well, sick or down.',
    labelNames: ['state'],
    registers: [registry],
    collect: () => {
      const connections = deleter.connections();
      for (const state of ['well', 'sick', 'down'] as const) gauge.set({ state }, connections[state]);
    },
  });
}

function loadGauges(registry: Registry, shedder: Pick<LoadShedder, 'state'>): void {
  const measure = (name: string, help: string, read: () => number) => {
    const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) });
  };
  measure(
    'http_requests_serving',
    'Requests with a complete body and no answer yet.',
    () => shedder.state().serving,
  );
  measure(
    'http_requests_serving_limit',
    'Maximum of http_requests_serving at this moment. Further requests get 503.',
    () => shedder.state().limit,
  );
  measure('http_buffered_body_bytes', 'Memory for request bodies.', () => shedder.state().bufferedBytes);
}

/** The labels of a client's technology. A fixed list: callers must not create metrics. */
export const clientTechnologies = [
  'c',
  'c#',
  'c++',
  'clojure',
  'dart',
  'delphi',
  'elixir',
  'erlang',
  'f#',
  'go',
  'groovy',
  'haskell',
  'java',
  'javascript',
  'kotlin',
  'lua',
  'objective-c',
  'perl',
  'php',
  'powershell',
  'python',
  'r',
  'ruby',
  'rust',
  'scala',
  'shell',
  'swift',
  'typescript',
  'visual basic',
  'other',
] as const;
type ClientTechnology = (typeof clientTechnologies)[number];

const technologyLabels = new Map<string, ClientTechnology>([
  ...clientTechnologies.map((label) => [label, label] as const),
  ['bash', 'shell'],
  ['cpp', 'c++'],
  ['csharp', 'c#'],
  ['.net', 'c#'],
  ['dotnet', 'c#'],
  ['fsharp', 'f#'],
  ['golang', 'go'],
  ['js', 'javascript'],
  ['node', 'javascript'],
  ['node.js', 'javascript'],
  ['nodejs', 'javascript'],
  ['sh', 'shell'],
  ['ts', 'typescript'],
  ['vb.net', 'visual basic'],
]);

/** Returns the label of an X-Client-Lang value. Ignores its letter case and a version ("PHP 8.3", "Go/1.22"). */
export function clientTechnologyLabel(clientTechnology: string): ClientTechnology {
  const name = clientTechnology.toLowerCase();
  return technologyLabels.get(name) ?? technologyLabels.get(name.split(/[ /]/, 1)[0] ?? '') ?? 'other';
}
