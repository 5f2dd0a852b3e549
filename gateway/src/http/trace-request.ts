import { during, type Span, type Tracing } from '@jobs-delete/runtime/telemetry/tracing';
import type { DeleterClient } from '../deleter/deleter-client.ts';
import type { Endpoint } from './endpoints.ts';
import type { Exchange } from './exchange.ts';

/** Starts the span of a request. It continues the caller's trace, if there is one. */
export function traceRequest(
  { path, sandbox }: Endpoint,
  { request, response, facts }: Exchange,
  tracing: Tracing,
): Span {
  const { method } = request;
  // A repeated header counts as absent: https://www.w3.org/TR/trace-context/#multiple-headers
  const [parent, ...others] = request.headersDistinct.traceparent ?? [];
  const span = tracing.start(`${method} ${path}`, {
    kind: 'server',
    parent: others.length === 0 ? parent : undefined,
    attributes: {
      'http.request.method': method,
      'http.route': path,
      'url.path': path,
      'url.scheme': 'http',
      'jobs_delete.sandbox': sandbox,
    },
  });
  facts.trace_id = span.traceId;
  response.once('close', () => {
    const status = response.writableFinished ? response.statusCode : undefined;
    span.set({
      'http.response.status_code': status,
      'jobs_delete.account_id': facts.accountId,
      'jobs_delete.jobs': facts.jobs,
      'jobs_delete.deletion_id': facts.deletionId,
      'jobs_delete.refusal': facts.refusal,
    });
    span.end(status === undefined ? new Error('the caller closed the connection') : faultOf(status));
  });
  return span;
}

/** A refusal is no failure of the gateway. */
function faultOf(status: number): Error | undefined {
  return status >= 500 ? new Error(`answered ${String(status)}`) : undefined;
}

/**
 * Wraps the deleter so that each call is a span of the request's trace. A call that shares a batch has its own span:
 * a trace follows one deletion up to the removal of its jobs.
 */
export function traceDeleter(deleter: DeleterClient, { traceparent }: Span, tracing: Tracing): DeleterClient {
  return {
    ...deleter,
    deleteJobs: (call) => {
      const span = tracing.start('jobs.deleter.v1.DeleterService/DeleteJobs', {
        kind: 'client',
        parent: traceparent,
        attributes: {
          'rpc.system': 'grpc',
          'rpc.service': 'jobs.deleter.v1.DeleterService',
          'rpc.method': 'DeleteJobs',
          'jobs_delete.jobs': call.jobIds.length,
        },
      });
      const origin = { ...call.origin, traceparent: span.traceparent };
      return during([span], async () => {
        const answer = await deleter.deleteJobs({ ...call, origin });
        span.set({ 'jobs_delete.outcome': answer.kind });
        return answer;
      });
    },
  };
}
