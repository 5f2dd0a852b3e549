import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span as OtelSpan,
  type Tracer,
} from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { asFault } from '../fault.ts';
import type { Logger } from './logger.ts';
import { ConfigurationError } from '../startup-error.ts';
import { withTimeLimit } from '../time/clock.ts';
import type { Span, SpanAttributes, SpanOptions, Tracing } from './tracing.ts';

/**
 * Exports OpenTelemetry spans by OTLP. The SDK reads the standard OTEL_* variables. Import this module only when
 * tracing is on: it loads the SDK.
 * @param serviceName used when OTEL_SERVICE_NAME is not set
 * @throws ConfigurationError
 */
export function createOtelTracing(serviceName: string, log: Pick<Logger, 'warn' | 'info'>): Tracing {
  requireProtocol(process.env.OTEL_EXPORTER_OTLP_PROTOCOL);
  const provider = reportingProblems(
    () =>
      new BasicTracerProvider({
        resource: defaultResource()
          .merge(resourceFromAttributes({ 'service.name': serviceName }))
          .merge(detectResources({ detectors: [envDetector] })),
        spanProcessors: [new BatchSpanProcessor(logOutages(new OTLPTraceExporter(), log))],
      }),
  );
  const tracer = provider.getTracer('jobs-delete');
  return {
    start: (name, options) => startSpan(tracer, name, options),
    stop: async (timeoutMs) => {
      // Failed exports are already logged.
      const flushed = provider.shutdown().catch(() => undefined);
      await withTimeLimit(flushed, timeoutMs, () => undefined);
    },
  };
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

function startSpan(tracer: Tracer, name: string, options: SpanOptions): Span {
  const { kind, parent, attributes = {}, startedAtMs } = options;
  const continued = parent === undefined ? null : parseTraceParent(parent);
  const context =
    continued === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...continued, isRemote: true });
  const started = startedAtMs === undefined ? {} : { startTime: startedAtMs };
  const span = tracer.startSpan(
    name,
    { kind: kinds[kind], attributes: { ...attributes }, ...started },
    context,
  );
  return wrap(span);
}

function wrap(span: OtelSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceId,
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    set: (attributes: SpanAttributes) => {
      span.setAttributes({ ...attributes });
    },
    link: (traceparent) => {
      const context = traceparent === undefined ? null : parseTraceParent(traceparent);
      if (context !== null) span.addLink({ context });
    },
    end: (error) => {
      if (error !== undefined) {
        const { code, message } = asFault(error);
        span.setAttribute('error.type', code);
        span.setStatus({ code: SpanStatusCode.ERROR, message });
      }
      span.end();
    },
  };
}

function requireProtocol(protocol = ''): void {
  if (protocol !== '' && protocol !== 'http/protobuf')
    throw new ConfigurationError([`OTEL_EXPORTER_OTLP_PROTOCOL: must be http/protobuf, not '${protocol}'`]);
}

/** Throws for a wrong OTEL_* variable; the SDK only warns and uses its default. */
function reportingProblems<Result>(create: () => Result): Result {
  const problems: string[] = [];
  const report = (message: string) => void problems.push(message);
  const ignore = () => undefined;
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const result = create();
  diag.disable();
  if (problems.length > 0) throw new ConfigurationError(problems);
  return result;
}

/** A collector outage only loses spans. Logs once when it starts and once when it ends. */
function logOutages(exporter: SpanExporter, log: Pick<Logger, 'warn' | 'info'>): SpanExporter {
  let isAway = false;
  return {
    export: (spans, onDone) =>
      exporter.export(spans, (result) => {
        const fails = result.code !== ExportResultCode.SUCCESS;
        if (fails && !isAway) log.warn({ err: result.error }, 'traces cannot be exported');
        if (!fails && isAway) log.info('traces are exported again');
        isAway = fails;
        onDone(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
