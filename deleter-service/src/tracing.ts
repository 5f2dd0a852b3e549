import { deletionAcceptedTopic } from '@jobs-delete/proto/events';
import { Fault } from '@jobs-delete/runtime/fault';
import { during, type Span, type SpanOptions, type Tracing } from '@jobs-delete/runtime/telemetry/tracing';
import type { AcceptDeletion } from './deletion/accept-deletion.ts';
import type { EventLog, EventRecord } from './event-log/event-log.ts';
import type { Answer, DeletionStore, RemovalStore } from './store/store.ts';

/*
 * Wrappers that give each deletion, or part of one, its own span in the trace of its request. A call, write or batch of
 * many has one span for each of them, so that one trace shows one whole deletion and sampling never splits it.
 * `jobs_delete.batch_size` says how many spans shared the work. Without tracing nothing is wrapped.
 */

export function traceAccept(accept: AcceptDeletion, tracing: Tracing | undefined): AcceptDeletion {
  if (tracing === undefined) return accept;
  return (request) => {
    const { origin, accountId, jobIds } = request;
    const span = tracing.start('jobs.deleter.v1.DeleterService/DeleteJobs', {
      kind: 'server',
      parent: origin.traceparent,
      attributes: {
        'rpc.system': 'grpc',
        'rpc.service': 'jobs.deleter.v1.DeleterService',
        'rpc.method': 'DeleteJobs',
        'jobs_delete.account_id': accountId,
        'jobs_delete.jobs': jobIds.length,
      },
    });
    return during([span], async () => {
      const answer = await accept({ ...request, origin: { ...origin, traceparent: span.traceparent } });
      span.set({ 'jobs_delete.outcome': answer.kind });
      if (answer.kind !== 'accepted') return answer;
      const { deletion, replayed } = answer;
      span.set({ 'jobs_delete.deletion_id': deletion.id, 'jobs_delete.replayed': replayed });
      // The trace of the request that was accepted first goes on to the removal.
      if (replayed) span.link(deletion.origin.traceparent);
      return answer;
    });
  };
}

/** Belongs below the group commit: its spans show which requests wait, and which share a write. */
export function traceGroups(store: DeletionStore, tracing: Tracing | undefined): DeletionStore {
  if (tracing === undefined) return store;
  return {
    ...store,
    acceptDeletions: async (requests, answer, isWanted) => {
      const spans = new Map<number, Span>();
      for (const [index, { origin, deletionId }] of requests.entries()) {
        const attributes = { 'jobs_delete.deletion_id': deletionId };
        const { traceparent } = origin;
        const name = 'store acceptDeletions';
        const span = startShared(tracing, requests.length, name, 'client', traceparent, attributes);
        if (span !== undefined) spans.set(index, span);
      }
      const endSpan: Answer = (index, outcome) => {
        const span = spans.get(index);
        spans.delete(index);
        if (outcome instanceof Fault) span?.end(outcome);
        else {
          span?.set({ 'jobs_delete.outcome': outcome.kind });
          span?.end();
        }
        answer(index, outcome);
      };
      try {
        await store.acceptDeletions(requests, endSpan, isWanted);
      } catch (error) {
        for (const span of spans.values()) span.end(error);
        throw error;
      }
    },
  };
}

export function traceRemovals<Store extends RemovalStore>(store: Store, tracing: Tracing | undefined): Store {
  if (tracing === undefined) return store;
  return {
    ...store,
    removeJobs: (parts) => {
      const spans = parts.map((part) =>
        startShared(tracing, parts.length, 'store removeJobs', 'client', part.traceparent, {
          'jobs_delete.deletion_id': part.deletionId,
          'jobs_delete.part': part.part,
          'jobs_delete.parts': part.parts,
          'jobs_delete.jobs': part.claims.length,
        }),
      );
      return during(present(spans), () => store.removeJobs(parts));
    },
  };
}

export function traceEvents(eventLog: EventLog, tracing: Tracing | undefined): EventLog {
  if (tracing === undefined) return eventLog;
  return {
    ...eventLog,
    publish: (topic, events) => {
      // An announcement has no span. It carries the trace of its removal.
      if (topic !== deletionAcceptedTopic) return eventLog.publish(topic, events);
      const spans = startEvents(tracing, events, 'publish');
      return during(present(spans), () => eventLog.publish(topic, continueSpans(spans, events)));
    },
    consume: (topic, group, handle) =>
      eventLog.consume(topic, group, (events, batch) => {
        const spans = startEvents(tracing, events, 'process');
        return during(present(spans), () => handle(continueSpans(spans, events), batch));
      }),
  };
}

function startEvents(
  tracing: Tracing,
  events: readonly EventRecord[],
  operation: 'publish' | 'process',
): (Span | undefined)[] {
  const name = `${operation} ${deletionAcceptedTopic}`;
  const kind = operation === 'publish' ? 'producer' : 'consumer';
  return events.map((event) =>
    startShared(tracing, events.length, name, kind, event.headers.traceparent, {
      'messaging.operation.name': operation,
      'messaging.destination.name': deletionAcceptedTopic,
      'messaging.message.id': event.headers.ce_id,
      'jobs_delete.deletion_id': event.key,
    }),
  );
}

/** Starts one of the `batchSize` spans that share a call. Returns undefined for an item without a trace. */
function startShared(
  tracing: Tracing,
  batchSize: number,
  name: string,
  kind: SpanOptions['kind'],
  parent: string | undefined,
  attributes: SpanOptions['attributes'],
): Span | undefined {
  if (parent === undefined) return undefined;
  const all = { ...attributes, 'jobs_delete.batch_size': batchSize };
  return tracing.start(name, { kind, parent, attributes: all });
}

function present(spans: readonly (Span | undefined)[]): Span[] {
  return spans.filter((span) => span !== undefined);
}

/** Returns the events with each one's own span as the parent of what follows. */
function continueSpans<Event extends EventRecord>(
  spans: readonly (Span | undefined)[],
  events: readonly Event[],
): Event[] {
  return events.map((event, index) => {
    const span = spans[index];
    if (span === undefined) return event;
    return { ...event, headers: { ...event.headers, traceparent: span.traceparent } };
  });
}
