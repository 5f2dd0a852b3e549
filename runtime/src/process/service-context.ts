import { setTimeout as delay } from 'node:timers/promises';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { createHealth, type Health } from '../telemetry/health.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { OperationsConfig } from '../config/operations-config.ts';
import { startAdminServer } from './start-admin-server.ts';
import { createStopStack } from './stop-stack.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import { createWaitFor, type WaitFor } from './wait-for.ts';

/** Health, metrics and tracing that the parts of one process share. */
export interface ServiceContext {
  readonly health: Health;
  readonly registry: Registry;
  readonly waitFor: WaitFor;
  /** Undefined when tracing is off. */
  readonly tracing: Tracing | undefined;
  /** The port of the admin server; undefined without one. */
  readonly adminPort: number | undefined;
}

/** Returns a context without admin server and tracing, whose start makes one attempt to reach its dependencies. */
export function createServiceContext(): ServiceContext {
  const health = createHealth();
  const quiet = { warn: () => undefined, info: () => undefined };
  const waitFor = createWaitFor({ health, log: quiet, timeoutMs: 0 });
  return { health, registry: new Registry(), waitFor, tracing: undefined, adminPort: undefined };
}

/**
 * Runs a service with an admin server, which answers before the service starts and until it has stopped. `stop`
 * reports not ready, keeps serving for `drainDelayMs`, and then stops the service.
 * @throws what `start` throws, after stopping everything
 */
export async function withServiceContext<Running extends { stop(): Promise<void> }>(
  config: OperationsConfig,
  log: Logger,
  start: (context: ServiceContext) => Promise<Running>,
): Promise<Running & { readonly adminPort: number }> {
  const stack = createStopStack((name, error) => log.error({ err: error }, `stopping ${name} failed`));
  let hasStarted = false;
  stack.push('log', () => {
    if (hasStarted) log.info('stopped');
  });
  const isTracing = config.tracing && process.env.OTEL_SDK_DISABLED !== 'true';
  const tracing = isTracing ? await loadTracing(log) : undefined;
  const health = createHealth();
  const registry = new Registry();
  measureProcess(registry, health);
  const server = await startAdminServer({
    host: config.adminHost,
    port: config.adminPort,
    report: health.report,
    metrics: () => registry.metrics(),
    onError: (error) => log.error({ err: error }, 'an admin request failed'),
  });
  stack.push('admin server', server.stop);
  let stopByMs = Infinity;
  stack.push('tracing', () =>
    tracing?.stop(Math.max(0, Math.min(stopByMs - Date.now(), config.stopTimeoutMs))),
  );
  try {
    const waitFor = createWaitFor({ health, log, timeoutMs: config.startupTimeoutMs });
    const running = await start({ health, registry, waitFor, tracing, adminPort: server.port });
    stack.push('the service', () => running.stop());
    stack.push('readiness', async () => {
      stopByMs = Date.now() + config.stopTimeoutMs;
      health.stop();
      log.info({ drainDelayMs: config.drainDelayMs }, 'stopping');
      await delay(config.drainDelayMs);
    });
    health.run();
    hasStarted = true;
    return { ...running, adminPort: server.port, stop: stack.stop };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

/** Loads OpenTelemetry, only if tracing is on. */
async function loadTracing(log: Logger): Promise<Tracing> {
  const { createOtelTracing } = await import('../telemetry/otel-tracing.ts');
  const { name } = log.bindings() as { name: string };
  return createOtelTracing(name, log);
}

/** Registers metrics of CPU, memory, garbage collection, event loop delay and dependencies. */
function measureProcess(registry: Registry, health: Health): void {
  collectDefaultMetrics({ register: registry });
  const up = new Gauge({
    name: 'dependency_up',
    help: 'Whether the dependency can be used: 1 or 0.',
    labelNames: ['dependency'],
    registers: [registry],
    collect: async () => {
      const { dependencies } = await health.report();
      for (const [dependency, { up: isUp }] of Object.entries(dependencies))
        up.set({ dependency }, Number(isUp));
    },
  });
}
