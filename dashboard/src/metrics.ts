import type { MongoPool } from '@jobs-delete/runtime/mongo/mongo-pool';
import { expiryGauge, poolGauge } from '@jobs-delete/runtime/telemetry/gauges';
import { requestMetrics, type ObserveRequest } from '@jobs-delete/runtime/telemetry/request-metrics';
import type { Registry } from 'prom-client';

export interface DashboardMetrics {
  /** Records one answer of a route. */
  readonly onAnswered: ObserveRequest;
  measureCertificate(expiresAtMs: () => number): void;
}

/** Creates every metric of the dashboard. The labels are the paths of the routes, with their variable parts as names. */
export function createDashboardMetrics(
  registry: Registry,
  pool: MongoPool,
  paths: readonly string[],
): DashboardMetrics {
  poolGauge(registry, 'dashboard', pool);
  return {
    onAnswered: requestMetrics(registry, {
      protocol: 'dashboard',
      target: 'route',
      targets: [...new Set([...paths, 'other'])],
      outcome: 'status',
      countHelp: 'Requests of browsers by route and status.',
      durationHelp: 'Time from a request of a browser to the end of its answer.',
    }),
    measureCertificate: (expiresAtMs) => expiryGauge(registry, 'dashboard', expiresAtMs),
  };
}
