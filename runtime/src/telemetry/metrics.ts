import { Counter, Histogram, type Registry, Gauge } from 'prom-client';
import type { Answer } from './health.ts';
import type { MongoPool } from '../mongo/open-mongo.ts';

export interface RequestMetricsOptions {
  /** The prefix of the metric names. */
  readonly protocol: 'http' | 'grpc' | 'dashboard';
  /** The label of the route or method. */
  readonly target: string;
  readonly targets: readonly string[];
  /** The label of the status. */
  readonly outcome: string;
  readonly countHelp: string;
  readonly durationHelp: string;
}

/** Records one request; without `ms` it only counts. */
export type ObserveRequest = (target: string, outcome: string | number, ms: number | undefined) => void;

/** Registers the rate, errors and duration of a server's requests. */
export function requestMetrics(registry: Registry, options: RequestMetricsOptions): ObserveRequest {
  const { protocol, target, targets, outcome, countHelp, durationHelp } = options;
  const registers = [registry];
  const requests = new Counter({
    name: `${protocol}_requests_total`,
    help: countHelp,
    labelNames: [target, outcome],
    registers,
  });
  const durations = new Histogram({
    name: `${protocol}_request_duration_seconds`,
    help: durationHelp,
    labelNames: [target],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  // Looking up a label is slow; do it once.
  const durationOf = new Map(targets.map((value) => [value, durations.labels(value)]));
  return (value, result, ms) => {
    requests.inc({ [target]: value, [outcome]: result });
    if (ms !== undefined) durationOf.get(value)?.observe(ms / 1_000);
  };
}

/**
 * Registers a gauge with one label that is measured at each scrape. Every known label value is NaN when the answer is late
 * or failed, and the value `unknown` if none is known.
 */
export function measuredGauges<Value>(
  registry: Registry,
  { name, help, label }: GaugeText & { readonly label: string },
  get: () => Promise<Answer<Value>>,
  pick: (value: Value) => Iterable<readonly [labelValue: string, value: number]>,
): void {
  let known: readonly string[] = ['unknown'];
  const gauge: Gauge = new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect: async () => {
      const answer = await get();
      const values =
        answer.kind === 'value' ? [...pick(answer.value)] : known.map((value) => [value, NaN] as const);
      known = values.map(([value]) => value);
      gauge.reset();
      for (const [value, measured] of values) gauge.set({ [label]: value }, measured);
    },
  });
}

export interface GaugeText {
  readonly name: string;
  readonly help: string;
}

/** Creates the metrics of a pool. Returns the counts that `openMongo` updates. @param owner the prefix of the metric names */
export function poolGauge(registry: Registry, owner: string): MongoPool {
  const pool = { open: 0, inUse: 0, failures: 0 };
  const gauge = new Gauge({
    name: `${owner}_mongodb_connections`,
    help: 'Open connections to MongoDB, and those in use.',
    labelNames: ['state'],
    registers: [registry],
    collect: () => {
      gauge.set({ state: 'open' }, pool.open);
      gauge.set({ state: 'in_use' }, pool.inUse);
    },
  });
  const failures: Counter = new Counter({
    name: `${owner}_mongodb_checkout_failures_total`,
    help: 'Timeouts while waiting for a free MongoDB connection.',
    registers: [registry],
    collect: () => {
      failures.reset();
      failures.inc(pool.failures);
    },
  });
  return pool;
}

/** @param owner the prefix of the metric name */
export function expiryGauge(registry: Registry, owner: string, expiresAtMs: () => number): void {
  const gauge: Gauge = new Gauge({
    name: `${owner}_certificate_expiry_timestamp_seconds`,
    help: 'When the certificate expires, in seconds since the Unix epoch.',
    registers: [registry],
    collect: () => gauge.set(expiresAtMs() / 1_000),
  });
}
