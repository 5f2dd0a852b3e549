import { type StopStack, type WaitFor, atOnce } from '@jobs-delete/runtime/process/service-context';
import type { Health } from '@jobs-delete/runtime/telemetry/health';
import type { Logger } from '@jobs-delete/runtime/telemetry/logger';
import { type Tracing, traceIdOf } from '@jobs-delete/runtime/telemetry/tracing';
import type { Clock, Random } from '@jobs-delete/runtime/time/clock';
import { watchCertificates } from '@jobs-delete/runtime/tls/watch-certificates';
import { deletionAcceptedTopic } from '@jobs-delete/proto/events';
import type { DeleterConfig } from './config.ts';
import type { EventLog, Consumer, DeadLetter } from './event-log/event-log.ts';
import { type LateEventLog, eventLogAdapter, openLater } from './event-log/open-event-log.ts';
import type { DeleterMetrics } from './metrics.ts';
import type { Store } from './store/store.ts';
import { traceEvents, traceAccept, traceGroups, traceRemovals } from './tracing.ts';
import { createAcceptDeletion, type AcceptDeletion } from './deletion/accept-deletion.ts';
import { createRuleReader } from './deletion/read-rules.ts';
import { type Relay, startRelay } from './deletion/relay-outbox.ts';
import { followTokensFile } from './grpc/callers.ts';
import { deleterHandlers } from './grpc/deleter-handlers.ts';
import { createGrpcHealth, startGrpcServer, type GrpcServer } from './grpc/start-grpc-server.ts';
import type { AnsweredCall } from './grpc/call-interceptors.ts';
import { groupCommit } from './store/group-commit.ts';
import { storeAdapter } from './store/open-store.ts';
import { startExpiry } from './deletion/expire-records.ts';
import { removalGroup, startRemovalWorker } from './deletion/remove-jobs.ts';

/** The parts that all roles of a process share. */
export interface Shared {
  readonly config: DeleterConfig;
  readonly log: Logger;
  readonly health: Health;
  readonly waitFor: WaitFor;
  /** Each role pushes how it stops. */
  readonly stack: StopStack;
  readonly store: Store;
  /** Resolves to the reason why the database can't be used, or undefined. */
  readonly checkDatabase: () => Promise<string | undefined>;
  readonly metrics: DeleterMetrics;
  /** Undefined without a collector. */
  readonly tracing: Tracing | undefined;
  readonly clock: Clock;
  readonly random: Random;
}

/** Serves gRPC. @param relay publishes at once what this process accepts; undefined without the role relay */
export async function startApi(shared: Shared, relay: Relay | undefined): Promise<GrpcServer> {
  const { config, log, store, clock, metrics, stack } = shared;
  const stopping = new AbortController();
  const { signal } = stopping;
  const onAnswered = (call: AnsweredCall) => {
    metrics.onAnswered(call);
    log.debug(call, 'call');
  };
  const handlers = deleterHandlers({
    store,
    clock,
    signal,
    retentionMs: config.receiptRetentionMs,
    acceptDeletion: composeAccept(shared, relay),
    onFault: (error) => log.error({ err: error }, 'a call failed'),
    onAnswered,
  });
  const grpcHealth = startHealth(shared);
  const server = await startGrpcServer(handlers, {
    ...config.grpc,
    callers: followCallers(shared),
    certificates: loadCertificates(shared),
    health: grpcHealth.implementation,
    onAnswered,
  });
  stack.push('gRPC server', () => {
    grpcHealth.stop();
    stopping.abort();
    return server.stop(config.shutdownTimeoutMs);
  });
  return server;
}

/** From the outside in: spans and counters of each request, the domain, group commit, spans and sizes of each group. */
function composeAccept(shared: Shared, relay: Relay | undefined): AcceptDeletion {
  const { config, store, metrics, tracing, clock, random } = shared;
  const measured = traceGroups(metrics.measureGroups(store), tracing);
  const grouped = groupCommit(measured, { clock, ...storeAdapter(config.database).groupSizes });
  const { maxJobsPerRequest } = config;
  const readRules = createRuleReader({ store, clock });
  const accept = createAcceptDeletion({ store: grouped, relay, clock, random, maxJobsPerRequest, readRules });
  return traceAccept(metrics.countAccepted(accept), tracing);
}

function startHealth({ checkDatabase, clock, health, stack }: Shared) {
  const grpcHealth = createGrpcHealth({ check: checkDatabase, clock });
  stack.push('gRPC health', grpcHealth.stop);
  health.onStop(grpcHealth.stop);
  return grpcHealth;
}

function followCallers({ config, log, stack }: Shared) {
  if (config.grpc.callers === undefined) return undefined;
  const { callers, stop } = followTokensFile(config.grpc.callers, { log });
  stack.push('service tokens', stop);
  return callers;
}

function loadCertificates({ config, log, metrics, stack }: Shared) {
  if (config.tls === undefined) return undefined;
  const certificates = watchCertificates(config.tls, { log });
  stack.push('certificates', certificates.stop);
  metrics.measureCertificate(() => certificates.current().expiresAtMs);
  return certificates;
}

/** Under load a batch gets time to grow: a publication costs as much for one deletion as for a hundred. */
const pace = { lingerMs: 150, recordAfterMs: 5_000 };

/** A relay without an api finds deletions by its sweep alone. One with an api gets each deletion in memory. */
const sweepMsAlone = 50;

export function startRelayRole(shared: Shared, eventLog: Pick<EventLog, 'publish'>): Relay {
  const { config, store, clock, random, metrics, stack } = shared;
  const relay = startRelay({
    store,
    clock,
    random,
    ...pace,
    eventLog: metrics.countPublished(eventLog),
    ...(!config.roles.has('api') && { sweepMs: sweepMsAlone }),
    onError: onRetry(shared, 'publication'),
  });
  stack.push('relay', () => relay.stop());
  metrics.measureOutbox(store);
  return relay;
}

/** Starts the removal of jobs and the expiry of old records. Waits until the event log has admitted the consumer. */
export async function startWorker(shared: Shared, eventLog: EventLog): Promise<Consumer> {
  const { config, store, metrics, tracing, stack, clock, random, log } = shared;
  const wait = eventLogAdapter(config.eventLog).isEmbedded ? atOnce : shared.waitFor;
  const worker = await wait('event_log', () =>
    startRemovalWorker({
      eventLog,
      clock,
      random,
      jobDeletedEvents: config.jobDeletedEvents,
      store: traceRemovals(store, tracing),
      onError: onRetry(shared, 'removal'),
      onDeadLetter: (letter) => reportDeadLetter(letter, shared),
      onPostponed: (accountId, deletions, error) => {
        metrics.onPostponed(deletions);
        log.error({ accountId, deletions, err: error }, 'the removals of an account are postponed');
      },
      onRemoved: (removed) => {
        metrics.onRemoved(removed);
        log.info({ jobs: removed.jobs, events: removed.acceptedAtMs.length }, 'removed');
      },
    }),
  );
  stack.push('removal worker', () => worker.stop());
  metrics.measureLag(() => eventLog.measureLag(deletionAcceptedTopic, removalGroup));

  const { receiptRetentionMs, eventRetentionMs } = config;
  const expiry = startExpiry({
    store,
    eventLog,
    clock,
    random,
    receiptRetentionMs,
    eventRetentionMs,
    onError: (error) => log.warn({ err: error }, 'expiring old records failed'),
  });
  stack.push('expiry', () => expiry.stop());
  return worker;
}

function reportDeadLetter({ id, reason, event }: DeadLetter, { metrics, log }: Shared): void {
  metrics.onDeadLetter();
  const trace_id = traceIdOf(event.headers.traceparent);
  log.error({ eventId: id, reason, trace_id }, 'an event went to the dead letters');
}

/** Returns a handler that counts and logs each failed attempt. */
function onRetry({ metrics, log }: Shared, what: 'publication' | 'removal') {
  return (error: unknown, attempt: number): void => {
    metrics.onRetry(what);
    log.warn({ err: error, attempt }, `a ${what} failed and is tried again`);
  };
}

/** Opens the event log, and waits until it is reachable. @throws StartupError */
export async function openRoleLog(shared: Shared): Promise<EventLog> {
  const eventLog = await shared.waitFor('event_log', () => openTraced(shared));
  watch(eventLog, shared);
  return eventLog;
}

/** Returns a log that is opened in the background: the start does not wait for it. */
export function openRoleLogLater(shared: Shared): LateEventLog {
  const eventLog = openLater(() => openTraced(shared));
  watch(eventLog, shared);
  return eventLog;
}

async function openTraced({ config, log, tracing }: Shared): Promise<EventLog> {
  const onWarning = (message: string) => log.warn(message);
  const eventLog = await eventLogAdapter(config.eventLog).open({
    checkIntegrity: true,
    inThread: true,
    onWarning,
  });
  return traceEvents(eventLog, tracing);
}

function watch(eventLog: LateEventLog, { config, health, stack }: Shared): void {
  stack.push('event log', () => eventLog.close());
  // An api accepts while the log is away.
  health.watch({ name: 'event_log', check: eventLog.check, required: !config.roles.has('api') });
}
