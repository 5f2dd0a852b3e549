import { startAccounts } from '@jobs-delete/accounts/start-accounts';
import { followServiceToken } from '@jobs-delete/proto/service-tokens';
import { proxyCheckOf } from '@jobs-delete/runtime/net/remote-address';
import {
  startWithStops,
  type StopStack,
  createServiceContext,
  type ServiceContext,
} from '@jobs-delete/runtime/process/service-context';
import { poolGauge } from '@jobs-delete/runtime/telemetry/metrics';
import type { Logger } from '@jobs-delete/runtime/telemetry/logger';
import { watchCertificates, type WatchedCertificates } from '@jobs-delete/runtime/tls/watch-certificates';
import { createApp } from './app.ts';
import type { DashboardConfig } from './config.ts';
import { deriveKeys, type Services } from './services.ts';
import { logDenied } from './deleter/answer-to.ts';
import type { DeleterCalls } from './deleter/deleter-calls.ts';
import { connectDeleterCalls } from './deleter/grpc-calls.ts';
import { createDashboardMetrics } from './metrics.ts';
import { openHttpServer } from './http-server.ts';
import { routesOf } from './routes.ts';
import { createWriteLimit } from './web/write-limit.ts';
import type { Route } from './web/route.ts';
import { startExpiry } from './web/browser-sessions.ts';

interface RunningDashboard {
  readonly port: number;
  /** The address that people open. */
  readonly url: string;
  readonly routes: readonly Route[];
  /** Finishes the requests in flight, and closes everything in reverse order of the start. */
  stop(): Promise<void>;
}

/** @throws StartupError, after stopping everything that was started */
export async function startDashboard(
  config: DashboardConfig,
  log: Logger,
  context: ServiceContext = createServiceContext(),
): Promise<RunningDashboard> {
  return startWithStops(log, async (stack) => {
    const pool = poolGauge(context.registry, 'dashboard');
    const { accounts, peppers } = await startAccounts(config, context, stack, pool);
    const { deleter, certificates } = startDeleterClient(config, log, context, stack);
    const server = await openHttpServer(config);
    stack.push('HTTP server', server.stop);
    const { port } = server;
    const url = config.publicUrl ?? `http://localhost:${String(port)}`;
    const services: Services = {
      accounts,
      pepper: peppers.pepper,
      keys: deriveKeys(peppers),
      deleter,
      openId: config.openId,
      deletes: config.deletes ?? false,
      design: config.design ?? false,
      writes: createWriteLimit(() => Date.now()),
      now: () => Date.now(),
      log,
      publicUrl: url,
      apiUrl: config.apiUrl,
      internalApiUrl: config.internalApiUrl ?? config.apiUrl,
    };
    stack.push('removal of expired sessions', startExpiry(services));
    const routes = routesOf(services);
    const metrics = createDashboardMetrics(
      context.registry,
      routes.map(({ path }) => path),
    );
    if (certificates) metrics.measureCertificate(() => certificates.current().expiresAtMs);
    const stopping = new AbortController();
    context.health.onStop(() => stopping.abort());
    stack.push('open pages', () => stopping.abort());
    const app = createApp({
      ...config,
      ...metrics,
      services,
      routes,
      stopping: stopping.signal,
    });
    server.serve(app, proxyCheckOf(app));
    return { port, url, routes };
  });
}

const deleterTimeoutMs = 5_000;

interface DeleterClient {
  readonly deleter: DeleterCalls;
  readonly certificates: WatchedCertificates | undefined;
}

/** Not required for readiness: without the deleter, keys, domains, people, trail, profile and refused requests still work. */
function startDeleterClient(
  config: DashboardConfig,
  log: Logger,
  context: ServiceContext,
  stack: StopStack,
): DeleterClient {
  const { deleterAddress: address, deleterTls } = config;
  const certificates = deleterTls && watchCertificates(deleterTls, { log });
  if (certificates) stack.push('certificates', certificates.stop);
  const token = followServiceToken(config, { log });
  stack.push('service token', token.stop);
  const calls = connectDeleterCalls({
    address,
    serviceToken: token.current,
    certificates,
    timeoutMs: deleterTimeoutMs,
  });
  const deleter = { ...calls, deleteJobs: logDenied(calls.deleteJobs, log) };
  stack.push('deleter client', () => deleter.close());
  context.health.watch({ name: 'deleter', check: () => deleter.check(), required: false });
  return { deleter, certificates };
}
