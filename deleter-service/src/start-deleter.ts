import {
  startWithStops,
  type StopStack,
  createServiceContext,
  watchDatabase,
  type ServiceContext,
} from '@jobs-delete/runtime/process/service-context';
import { lockDataFolder } from '@jobs-delete/runtime/sqlite/lock-data-folder';
import type { Logger } from '@jobs-delete/runtime/telemetry/logger';
import { systemClock, systemRandom } from '@jobs-delete/runtime/time/clock';
import { isEmbedded, type DeleterConfig } from './config.ts';
import { createDeleterMetrics } from './metrics.ts';
import {
  openRoleLog,
  openRoleLogLater,
  startApi,
  startRelayRole,
  startWorker,
  type Shared,
} from './roles.ts';
import { storeAdapter } from './store/open-store.ts';

export interface RunningDeleter {
  /** The gRPC port on loopback; undefined without the role api. */
  readonly grpcPort: number | undefined;
  /** Rejects when the removal worker ends although nobody has stopped it. */
  readonly ended: Promise<void>;
  /** Stops accepting, finishes what is in flight, and closes in reverse order of the start. */
  stop(): Promise<void>;
}

/** Starts the roles that the configuration names. @throws StartupError, with nothing left running */
export async function startDeleter(
  config: DeleterConfig,
  log: Logger,
  context: ServiceContext = createServiceContext(),
): Promise<RunningDeleter> {
  const { roles } = config;
  return startWithStops(log, async (stack) => {
    const shared = await openShared(config, log, context, stack);
    // An api needs only the store: it starts, and accepts, while the event log is away.
    const eventLog = roles.has('worker') || !roles.has('api') ? await openRoleLog(shared) : undefined;
    if (storeAdapter(config.database).isEmbedded) await shared.store.releaseLeases();

    const worker = eventLog && roles.has('worker') ? await startWorker(shared, eventLog) : undefined;
    const relay = roles.has('relay')
      ? startRelayRole(shared, eventLog ?? openRoleLogLater(shared))
      : undefined;
    const api = roles.has('api') ? await startApi(shared, relay) : undefined;
    const ended = worker?.ended ?? new Promise(() => undefined);
    return { grpcPort: api?.port, ended };
  });
}

async function openShared(
  config: DeleterConfig,
  log: Logger,
  context: ServiceContext,
  stack: StopStack,
): Promise<Shared> {
  const { health, registry, waitFor, tracing } = context;
  const metrics = createDeleterMetrics(registry, systemClock);
  if (isEmbedded(config)) stack.push('data folder lock', lockDataFolder(config.dataDir));

  const { database, jobsMapping } = config;
  // A relay alone uses no jobs, and its user may not read them.
  const mayReadJobs = config.roles.has('api') || config.roles.has('worker');
  const options = { jobsMapping, checkIntegrity: true, inThread: true, pool: metrics.pool, mayReadJobs };
  const store = await waitFor('database', () => storeAdapter(database).open(options));
  stack.push('store', () => store.close());
  const checkDatabase = await watchDatabase(context, stack, {
    database,
    check: store.check,
    // An api stays ready without its database: gateways pass it over by grpc.health.v1. If it were not ready, an outage
    // would take the addresses of all apis out of the name service.
    required: !config.roles.has('api'),
  });
  return {
    config,
    log,
    health,
    waitFor,
    stack,
    store,
    checkDatabase,
    metrics,
    tracing,
    clock: systemClock,
    random: systemRandom,
  };
}
