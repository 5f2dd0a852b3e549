import { expiryGauge, requestMetrics, type ObserveRequest } from '@jobs-delete/runtime/telemetry/metrics';
import { Counter, type Registry } from 'prom-client';
import { refusalCodes, type RefusalCode } from './web/route.ts';

interface DashboardMetrics {
  /** Records one answer of a route. */
  readonly onAnswered: ObserveRequest;
  onRefused(code: RefusalCode): void;
  measureCertificate(expiresAtMs: () => number): void;
}

/** Creates every metric of the dashboard. The labels are the paths of the routes, with their variable parts as names. */
export function createDashboardMetrics(registry: Registry, paths: readonly string[]): DashboardMetrics {
  const refusals = new Counter({
    name: 'dashboard_refusals_total',
    help: 'Refused sign-ins, links and forms of the dashboard by code.',
    labelNames: ['code'],
    registers: [registry],
  });
  for (const code of refusalCodes) refusals.inc({ code }, 0);
  return {
    onAnswered: requestMetrics(registry, {
      protocol: 'dashboard',
      target: 'route',
      targets: [...new Set([...paths, 'other'])],
      outcome: 'status',
      countHelp: 'Requests of browsers by route and status.',
      durationHelp: 'Time from a request of a browser to the end of its answer.',
    }),
    onRefused: (code) => refusals.inc({ code }),
    measureCertificate: (expiresAtMs) => expiryGauge(registry, 'dashboard', expiresAtMs),
  };
}
