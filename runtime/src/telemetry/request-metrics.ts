import { Counter, Histogram, type Registry } from 'prom-client';

export interface RequestMetricsOptions {
  /** Stands at the beginning of the names. */
  readonly protocol: 'http' | 'grpc';
  /** The label that says what was asked for, and all its values. */
  readonly target: string;
  readonly targets: readonly string[];
  /** The label that says what became of it. */
  readonly outcome: string;
  readonly countHelp: string;
  readonly durationHelp: string;
}

/** What takes no time to tell of has no duration. */
export type ObserveRequest = (target: string, outcome: string | number, ms: number | undefined) => void;

/** Rate, errors and duration of what is asked of a server. */
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
  // Looked up here once, and not at each request.
  const durationOf = new Map(targets.map((value) => [value, durations.labels(value)]));
  return (value, result, ms) => {
    requests.inc({ [target]: value, [outcome]: result });
    if (ms !== undefined) durationOf.get(value)?.observe(ms / 1_000);
  };
}
