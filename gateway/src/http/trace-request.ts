import {
  during,
  readTraceparent,
  type Span,
  type SpanAttributes,
  type Tracing,
} from '@jobs-delete/runtime/telemetry/tracing';
import type { Request } from 'express';
import type { DeleterClient } from '../deleter/deleter-client.ts';
import type { Call } from './checked-call.ts';
import type { Endpoint } from './endpoints.ts';
import type { Exchange } from './exchange.ts';

/** Returns the call with a deleter that reports its calls as parts of the request's trace. */
export function tracedCall<Options extends { readonly deleter: DeleterClient }, Result>(
  endpoint: Endpoint,
  call: Call<Options, Result>,
  tracing: Tracing,
): Call<Options, Result> {
  return async (exchange, options) => {
    const spanNow = startTrace(endpoint, exchange, tracing);
    try {
      return await call(exchange, { ...options, deleter: traceDeleter(options.deleter, spanNow, tracing) });
    } finally {
      // The log line of a refused request needs its trace.
      spanNow();
    }
  };
}

/**
 * Starts the span of a request once, when the caller is authenticated or its request is over. The span of an authenticated
 * caller continues the caller's trace. Any other span is the root of a new trace, with a link to the caller's: an
 * unauthenticated caller must not decide what is sampled, or add to another caller's trace.
 * @returns a function that returns the span, and starts it when no caller is authenticated
 */
function startTrace(endpoint: Endpoint, exchange: Exchange, tracing: Tracing): () => Span {
  const { request, response, facts } = exchange;
  const startedAtMs = Date.now();
  // A repeated header counts as absent: https://www.w3.org/TR/trace-context/#multiple-headers
  const [only, ...others] = request.headersDistinct.traceparent ?? [];
  const callerTraceparent = others.length === 0 ? only : undefined;
  let span: Span | undefined;
  const start = (parent: string | undefined): Span => {
    span = tracing.start(`${request.method} ${endpoint.path}`, {
      kind: 'server',
      parent,
      startedAtMs,
      attributes: attributesOf(endpoint, request),
    });
    facts.trace_id = span.traceId;
    return span;
  };
  const spanNow = () => {
    if (span !== undefined) return span;
    const unlinked = start(undefined);
    unlinked.link(readTraceparent(callerTraceparent));
    return unlinked;
  };
  exchange.onAuthenticated = () => {
    if (span === undefined) start(callerTraceparent);
  };
  response.once('close', () => endSpan(spanNow(), exchange));
  return spanNow;
}

function attributesOf({ path, sandbox }: Endpoint, { method, protocol }: Request): SpanAttributes {
  return {
    'http.request.method': method,
    'http.route': path,
    'url.path': path,
    'url.scheme': protocol,
    'jobs_delete.sandbox': sandbox,
  };
}

function endSpan(span: Span, { response, facts }: Exchange): void {
  const status = response.writableFinished ? response.statusCode : undefined;
  span.set({
    'http.response.status_code': status,
    'jobs_delete.account_id': facts.accountId,
    'jobs_delete.jobs': facts.jobs,
    'jobs_delete.deletion_id': facts.deletionId,
    'jobs_delete.refusal': facts.refusal,
  });
  span.end(status === undefined ? new Error('the caller closed the connection') : faultOf(status));
}

/** A refusal is no failure of the gateway. */
function faultOf(status: number): Error | undefined {
  return status >= 500 ? new Error(`answered ${String(status)}`) : undefined;
}

/**
 * Wraps the deleter so that each call is a span of the request's trace. A call that shares a batch has its own span:
 * a trace follows one deletion up to the removal of its jobs.
 */
function traceDeleter(deleter: DeleterClient, spanOf: () => Span, tracing: Tracing): DeleterClient {
  return {
    ...deleter,
    deleteJobs: (call) => {
      const span = tracing.start('jobs.deleter.v1.DeleterService/DeleteJobs', {
        kind: 'client',
        parent: spanOf().traceparent,
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
