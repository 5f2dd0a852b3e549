import { deletionAcceptedTopic } from '@jobs-delete/proto/events';
import { atOnce } from '@jobs-delete/runtime/process/service-context';
import { traceIdOf } from '@jobs-delete/runtime/telemetry/tracing';
import { startExpiry } from '../deletion/expire-records.ts';
import { removalGroup, startRemovalWorker } from '../deletion/remove-jobs.ts';
import type { Consumer, DeadLetter, EventLog } from '../event-log/event-log.ts';
import { eventLogAdapter } from '../event-log/open-event-log.ts';
import { traceRemovals } from '../tracing.ts';
import { onRetry, type Shared } from './shared.ts';

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
