import { deletionAcceptedTopic } from '@jobs-delete/proto/events';
import { during, type Span, type SpanOptions, type Tracing } from '@jobs-delete/runtime/telemetry/tracing';
import type { AcceptDeletion } from './deletion/accept-deletion.ts';
import type { EventLog, OutgoingEvent, ReceivedEvent } from './event-log/event-log.ts';
import type { DeletionStore, RemovalStore } from './store/store.ts';

/** Wrappers over the ports: what goes through them becomes spans. */
export interface DeleterTracing {
  traceAccept(accept: AcceptDeletion): AcceptDeletion;
  /** To be below the group commit: it shows which requests wait, and which share a write. */
  traceGroups(store: DeletionStore): DeletionStore;
  traceRemovals<Store extends RemovalStore>(store: Store): Store;
  traceEvents<Log extends EventLog>(eventLog: Log): Log;
}

/**
 * Every span is one deletion's (or of one part of it), in the trace of its request, also where a call, a write or a
 * batch is of many: so one trace tells all of one deletion, and sampling keeps or leaves it as a whole. The spans that
 * shared something say so by `jobs_delete.batch_size`.
 */
export function createDeleterTracing(tracing: Tracing | undefined): DeleterTracing {
  if (tracing === undefined) return untraced;

  /** Only what has a trace: there is no span that is nobody's. */
  const startAll = <Item>(
    items: readonly Item[],
    name: string,
    kind: SpanOptions['kind'],
    describe: (item: Item) => { parent: string | undefined; attributes: SpanOptions['attributes'] },
  ): (Span | undefined)[] =>
    items.map((item) => {
      const { parent, attributes } = describe(item);
      if (parent === undefined) return undefined;
      const all = { ...attributes, 'jobs_delete.batch_size': items.length };
      return tracing.start(name, { kind, parent, attributes: all });
    });

  const startEvents = <Event extends OutgoingEvent | ReceivedEvent>(
    events: readonly Event[],
    operation: 'publish' | 'process',
    idOf: (event: Event) => string | undefined,
  ) =>
    startAll(
      events,
      `${operation} ${deletionAcceptedTopic}`,
      operation === 'publish' ? 'producer' : 'consumer',
      (event) => ({
        parent: event.headers.traceparent,
        attributes: {
          'messaging.operation.name': operation,
          'messaging.destination.name': deletionAcceptedTopic,
          'messaging.message.id': idOf(event),
          'jobs_delete.deletion_id': event.key,
        },
      }),
    );

  return {
    traceAccept: (accept) => (request) => {
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
        if (answer.kind === 'accepted') {
          span.set({
            'jobs_delete.deletion_id': answer.deletion.id,
            'jobs_delete.replayed': answer.replayed,
          });
          // The trace of the request that it was accepted by, which goes on to the removal.
          if (answer.replayed) span.link(answer.deletion.origin.traceparent);
        }
        return answer;
      });
    },

    traceGroups: (store) => ({
      ...store,
      acceptDeletions: (requests) => {
        const spans = startAll(requests, 'store acceptDeletions', 'client', ({ origin, deletionId }) => ({
          parent: origin.traceparent,
          attributes: { 'jobs_delete.deletion_id': deletionId },
        }));
        return during(present(spans), async () => {
          const outcomes = await store.acceptDeletions(requests);
          for (const [index, { kind }] of outcomes.entries())
            spans[index]?.set({ 'jobs_delete.outcome': kind });
          return outcomes;
        });
      },
    }),

    traceRemovals: (store) => ({
      ...store,
      removeJobs: (parts, atMs) => {
        const spans = startAll(parts, 'store removeJobs', 'client', (part) => ({
          parent: part.traceparent,
          attributes: {
            'jobs_delete.deletion_id': part.deletionId,
            'jobs_delete.part': part.part,
            'jobs_delete.parts': part.parts,
            'jobs_delete.jobs': part.claims.length,
          },
        }));
        return during(present(spans), () => store.removeJobs(parts, atMs));
      },
    }),

    traceEvents: (eventLog) => ({
      ...eventLog,
      publish: (topic, events) => {
        // Of what is one event a job, each is in the trace of its removal, but no span.
        if (topic !== deletionAcceptedTopic) return eventLog.publish(topic, events);
        const spans = startEvents(events, 'publish', ({ id }) => id);
        return during(present(spans), () => eventLog.publish(topic, below(spans, events)));
      },
      consume: (topic, group, handle) =>
        eventLog.consume(topic, group, (events, batch) => {
          const spans = startEvents(events, 'process', ({ headers }) => headers.ce_id);
          return during(present(spans), () => handle(below(spans, events), batch));
        }),
    }),
  };
}

const untraced: DeleterTracing = {
  traceAccept: (accept) => accept,
  traceGroups: (store) => store,
  traceRemovals: (store) => store,
  traceEvents: (eventLog) => eventLog,
};

function present(spans: readonly (Span | undefined)[]): Span[] {
  return spans.filter((span) => span !== undefined);
}

/** The events, each continuing its own span. */
function below<Event extends OutgoingEvent | ReceivedEvent>(
  spans: readonly (Span | undefined)[],
  events: readonly Event[],
): Event[] {
  return events.map((event, index) => {
    const span = spans[index];
    if (span === undefined) return event;
    return { ...event, headers: { ...event.headers, traceparent: span.traceparent } };
  });
}
