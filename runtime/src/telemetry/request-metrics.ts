import { Counter, Histogram, type Registry } from 'prom-client';

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
