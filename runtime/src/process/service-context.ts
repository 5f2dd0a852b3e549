import { setTimeout as delay } from 'node:timers/promises';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { createHealth, type Health, type Dependency } from '../telemetry/health.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { OperationsConfig } from '../config/operations-config.ts';
import type { DatabaseUrl } from '../config/storage-url.ts';
import { startAdminServer } from './start-admin-server.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import { Fault, messageOf } from '../fault.ts';
import { StartupError } from '../startup-error.ts';

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
  return {
    health: createHealth(),
    registry: new Registry(),
    waitFor: atOnce,
    tracing: undefined,
    adminPort: undefined,
  };
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
  return startWithStops(log, async (stack) => {
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
    return { ...running, adminPort: server.port };
  });
}

export interface WatchedDatabase extends Omit<Dependency, 'name'> {
  readonly database: DatabaseUrl;
}

/**
 * Adds the database to the health report. MongoDB has a connection for that, which load on others cannot delay. SQLite has
 * no connections, so it uses `check`. Returns a function that checks only the database.
 * @throws StartupError
 */
export async function watchDatabase(
  { health, waitFor }: Pick<ServiceContext, 'health' | 'waitFor'>,
  stack: StopStack,
  { database, check, required = true }: WatchedDatabase,
): Promise<() => Promise<string | undefined>> {
  if (database.kind === 'sqlite') return health.watch({ name: 'database', check, required });
  // Loading the driver takes longer than opening SQLite.
  const { openMongoProbe } = await import('../mongo/open-mongo.ts');
  const probe = await waitFor('database', () => openMongoProbe(database.url));
  stack.push('database probe', probe.close);
  return health.watch({ name: 'database', check: probe.check, required });
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

/** Retries `open` until the dependency is up. @throws what `open` throws, on a permanent error or after the timeout */
export type WaitFor = <Result>(name: Dependency['name'], open: () => Promise<Result>) => Promise<Result>;

/** Makes one attempt, as tests and files need: only the operator can fix a file that cannot be used. */
export const atOnce: WaitFor = (_name, open) => open();

interface WaitOptions {
  readonly health: Pick<Health, 'wait'>;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  /** The limit for all waits together, counted from creation. */
  readonly timeoutMs: number;
}

const longestPauseMs = 5_000;

/**
 * Retries transient errors with backoff: in a cluster the database may start after the service. Throws permanent
 * errors at once, such as wrong credentials or missing indexes.
 */
function createWaitFor({ health, log, timeoutMs }: WaitOptions): WaitFor {
  const deadlineMs = performance.now() + timeoutMs;
  return async (name, open) => {
    for (let attempt = 1; ; attempt++) {
      try {
        const opened = await open();
        if (attempt > 1) log.info({ dependency: name, attempt }, 'the dependency is up');
        health.wait(name, undefined);
        return opened;
      } catch (error) {
        const leftMs = deadlineMs - performance.now();
        if (leftMs <= 0 || !isTransient(error)) throw error;
        const reason = messageOf(error);
        const pauseMs = Math.ceil(Math.min(leftMs, pauseAfter(attempt)));
        health.wait(name, reason);
        log.warn({ dependency: name, attempt, reason, pauseMs }, 'the start waits for a dependency');
        await delay(pauseMs);
      }
    }
  };
}

function isTransient(error: unknown): boolean {
  if (error instanceof StartupError) return error.isTransient;
  return error instanceof Fault && error.code !== 'internal';
}

/** Returns 125 to 250 ms, doubled each time, up to 5 s. The jitter spreads replicas that start together. */
function pauseAfter(attempt: number): number {
  const ceilingMs = Math.min(longestPauseMs, 250 * 2 ** Math.min(attempt - 1, 10));
  return ceilingMs * (0.5 + Math.random() / 2);
}

/** Takes how to undo each completed step of a start. */
export interface StopStack {
  push(name: string, stop: () => void | Promise<void>): void;
}

/**
 * Runs a start. `stop` of the result runs each pushed stop once, last first, and goes on after one that fails. A second `stop`
 * waits for the first. A failed start stops at once.
 */
export async function startWithStops<Started extends object>(
  log: Pick<Logger, 'error'>,
  start: (stack: StopStack) => Promise<Started>,
): Promise<Started & { stop(): Promise<void> }> {
  const steps: { name: string; stop: () => void | Promise<void> }[] = [];
  const unwind = async () => {
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
      try {
        await step.stop();
      } catch (error) {
        log.error({ err: error }, `stopping ${step.name} failed`);
      }
    }
  };
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= unwind());
  try {
    return { ...(await start({ push: (name, stop) => void steps.push({ name, stop }) })), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
