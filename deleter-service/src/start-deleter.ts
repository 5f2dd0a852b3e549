import { deletionAcceptedTopic } from '@jobs-delete/proto/events';
import type { Logger } from '@jobs-delete/runtime/telemetry/logger';
import { lockDataFolder } from '@jobs-delete/runtime/sqlite/lock-data-folder';
import { openDatabaseProbe } from '@jobs-delete/runtime/mongo/open-database-probe';
import { createMongoPool } from '@jobs-delete/runtime/mongo/mongo-pool';
import { createStopStack } from '@jobs-delete/runtime/process/stop-stack';
import { traceIdOf } from '@jobs-delete/runtime/telemetry/tracing';
import { atOnce } from '@jobs-delete/runtime/process/wait-for';
import { watchCertificates } from '@jobs-delete/runtime/tls/watch-certificates';
import { createServiceContext, type ServiceContext } from '@jobs-delete/runtime/process/service-context';
import { isEmbedded, type DeleterConfig } from './config.ts';
import { createAcceptDeletion } from './deletion/accept-deletion.ts';
import { systemClock, systemRandom } from '@jobs-delete/runtime/time/clock';
import { startExpiry } from './deletion/expire-records.ts';
import { startRelay } from './deletion/relay-outbox.ts';
import { removalGroup, startRemovalWorker } from './deletion/remove-jobs.ts';
import type { EventLog } from './event-log/event-log.ts';
import { openEventLog } from './event-log/open-event-log.ts';
import { openLater } from './event-log/open-later.ts';
import { deleterHandlers } from './grpc/deleter-handlers.ts';
import { createGrpcHealth } from './grpc/grpc-health.ts';
import type { AnsweredCall } from './grpc/observe-calls.ts';
import { startGrpcServer } from './grpc/start-grpc-server.ts';
import { createDeleterMetrics } from './metrics.ts';
import { groupCommit } from './store/group-commit.ts';
import { openStore } from './store/open-store.ts';
import { createDeleterTracing } from './tracing.ts';

export interface RunningDeleter {
  /** Where it answers gRPC on loopback; undefined without the role api. */
  readonly grpcPort: number | undefined;
  /** Rejects when a part of it has ended for good without being stopped. */
  readonly ended: Promise<void>;
  /** Stops accepting, finishes what is in flight, and closes in reverse order of the start. */
  stop(): Promise<void>;
}

/** Composes the roles that the configuration names. @throws StartupError, with nothing left running */
export async function startDeleter(
  config: DeleterConfig,
  log: Logger,
  { health, registry, waitFor, tracing }: ServiceContext = createServiceContext(),
): Promise<RunningDeleter> {
  const stack = createStopStack((name, error) => log.error({ err: error }, `stopping ${name} failed`));
  const clock = systemClock;
  const random = systemRandom;
  const pool = createMongoPool();
  const metrics = createDeleterMetrics(registry, pool, clock);
  const { traceAccept, traceEvents, traceGroups, traceRemovals } = createDeleterTracing(tracing);
  const retried = (what: 'publication' | 'removal') => (error: unknown, attempt: number) => {
    metrics.onRetry(what);
    log.warn({ err: error, attempt }, `a ${what} failed and is tried again`);
  };

  try {
    if (isEmbedded(config)) stack.push('data folder lock', lockDataFolder(config.dataDir));
    const store = await waitFor('database', () =>
      openStore(config.database, {
        jobsMapping: config.jobsMapping,
        checkIntegrity: true,
        inThread: true,
        pool,
      }),
    );
    stack.push('store', () => store.close());
    const database = await waitFor('database', () => openDatabaseProbe(config.database));
    stack.push('database probe', () => database?.close());
    const isApi = config.roles.has('api');
    // An api stays ready: grpc.health.v1 tells gateways to pass it over. If readiness did, an outage of the database would
    // take every address of the apis out of the name service.
    const askStore = health.watch({
      name: 'database',
      check: database?.check ?? store.check,
      required: !isApi,
    });
    const onWarning = (message: string) => log.warn(message);
    const openLog = async () =>
      traceEvents(await openEventLog(config.eventLog, { checkIntegrity: true, inThread: true, onWarning }));
    const watchLog = (eventLog: Pick<EventLog, 'check' | 'close'>) => {
      stack.push('event log', () => eventLog.close());
      // What accepts goes on accepting while the log is away.
      health.watch({ name: 'event_log', check: eventLog.check, required: !isApi });
    };
    const eventLog = needsEventLog(config) ? await waitFor('event_log', openLog) : undefined;
    if (eventLog) watchLog(eventLog);
    // The lock says that no other relay lives: what a dead one has leased need not wait for its lease to end.
    if (config.database.kind === 'sqlite') await store.releaseLeases();

    let ended = new Promise<void>(() => undefined);
    if (eventLog && config.roles.has('worker')) {
      const wait = config.eventLog.kind === 'kafka' ? waitFor : atOnce;
      const worker = await wait('event_log', () =>
        startRemovalWorker({
          store: traceRemovals(store),
          eventLog,
          clock,
          random,
          jobDeletedEvents: config.jobDeletedEvents,
          onError: retried('removal'),
          onDeadLetter: ({ id, reason, event }) => {
            metrics.onDeadLetter();
            const trace_id = traceIdOf(event.headers.traceparent);
            log.error({ eventId: id, reason, trace_id }, 'an event went to the dead letters');
          },
          onRemoved: (removed) => {
            metrics.onRemoved(removed);
            log.info({ jobs: removed.jobs, events: removed.acceptedAtMs.length }, 'removed');
          },
        }),
      );
      stack.push('removal worker', () => worker.stop());
      ended = worker.ended;
      metrics.measureLag(() => eventLog.measureLag(deletionAcceptedTopic, removalGroup));
      const { receiptRetentionMs, eventRetentionMs } = config;
      const onError = (error: unknown) => log.warn({ err: error }, 'expiring old records failed');
      const expiry = startExpiry({
        ...{ store, eventLog, clock, random },
        ...{ receiptRetentionMs, eventRetentionMs, onError },
      });
      stack.push('expiry', () => expiry.stop());
    }
    const relayLog = config.roles.has('relay') ? (eventLog ?? openLater(openLog)) : undefined;
    if (relayLog && relayLog !== eventLog) watchLog(relayLog);
    const relay =
      relayLog &&
      startRelay({
        store,
        eventLog: relayLog,
        clock,
        random,
        onError: retried('publication'),
        ...relayPace(config),
      });
    if (relay) {
      stack.push('relay', () => relay.stop());
      metrics.measureOutbox(store);
    }

    if (!config.roles.has('api')) return { grpcPort: undefined, ended, stop: stack.stop };
    const stopping = new AbortController();
    const acceptDeletion = traceAccept(
      metrics.countAccepted(
        createAcceptDeletion({
          store: groupCommit(traceGroups(metrics.measureGroups(store)), { clock, ...groupSizes(config) }),
          relay,
          clock,
          random,
          maxJobsPerRequest: config.maxJobsPerRequest,
        }),
      ),
    );
    const onAnswered = (call: AnsweredCall) => {
      metrics.onAnswered(call);
      log.debug(call, 'call');
    };
    const onFault = (error: unknown) => log.error({ err: error }, 'a call failed');
    const handlers = deleterHandlers({ acceptDeletion, store, clock, signal: stopping.signal, onFault });
    const grpcHealth = createGrpcHealth({ ask: askStore, clock, signal: stopping.signal });
    stack.push('gRPC health', grpcHealth.stop);
    health.onStop(grpcHealth.stop);
    const certificates = config.tls && watchCertificates(config.tls, { log });
    if (certificates) {
      stack.push('certificates', certificates.stop);
      metrics.measureCertificate(() => certificates.current().expiresAtMs);
    }
    const server = await startGrpcServer(handlers, {
      ...config.grpc,
      certificates,
      health: grpcHealth.implementation,
      onAnswered,
    });
    stack.push('gRPC server', () => {
      grpcHealth.stop();
      stopping.abort();
      return server.stop(config.shutdownTimeoutMs);
    });
    return { grpcPort: server.port, ended, stop: stack.stop };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

/** What accepts needs the store alone: it starts, and goes on, while the event log is away. */
function needsEventLog({ roles }: DeleterConfig): boolean {
  return roles.has('worker') || (roles.has('relay') && !roles.has('api'));
}

/**
 * SQLite has one writer, so large requests gain as much from a group as small ones. MongoDB finds the jobs of a second
 * group while it writes the first, and inserts a large deletion alone.
 */
function groupSizes({ database }: DeleterConfig) {
  return database.kind === 'sqlite'
    ? { maxGroupJobs: 8_000, aloneFromJobs: 8_000 }
    : { aloneFromJobs: 200, secondFromJobs: 500 };
}

/**
 * A relay that is told of every deletion in memory sweeps for the rest only; one of its own lives by the sweep. Under
 * load each gives a batch time to grow: a publication costs as much for one deletion as for a hundred.
 */
function relayPace({ roles }: DeleterConfig) {
  const pace = { lingerMs: 150, recordAfterMs: 5_000 };
  return roles.has('api') ? pace : { ...pace, sweepMs: 50 };
}
