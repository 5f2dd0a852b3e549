import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import protobuf from 'protobufjs';

export interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  readonly kind: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The ids of linked traces. */
  readonly links: readonly string[];
  readonly failed: boolean;
}

export interface OtlpCollector {
  /** The value for OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** The spans of each export, also of those that were refused. */
  readonly requests: readonly NodeJS.Dict<string | string[]>[];
  /** Sets the status of the next answers. undefined sends no answer. */
  answer(status: number | undefined): void;
  stop(): Promise<void>;
}

/** The part of https://github.com/open-telemetry/opentelemetry-proto that the tests read. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message TracesData { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1;
    bytes span_id = 2;
    bytes parent_span_id = 4;
    string name = 5;
    SpanKind kind = 6;
    repeated KeyValue attributes = 9;
    repeated Link links = 13;
    Status status = 15;
  }
  enum SpanKind { UNSPECIFIED = 0; INTERNAL = 1; SERVER = 2; CLIENT = 3; PRODUCER = 4; CONSUMER = 5; }
  message Link { bytes trace_id = 1; }
  message Status { string message = 2; uint32 code = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue {
    oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; }
  }
`);
const TracesData = root.lookupType('TracesData');

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}
interface SpanMessage {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: string;
  readonly attributes: readonly KeyValue[];
  readonly links: readonly { readonly traceId: string }[];
  readonly status: { readonly code: number } | null;
}
interface TracesMessage {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly { readonly spans: readonly SpanMessage[] }[];
  }[];
}

/** Starts a collector for traces over OTLP/HTTP in protobuf. */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  const spans: CollectedSpan[] = [];
  const requests: NodeJS.Dict<string | string[]>[] = [];
  let status: number | undefined = 200;
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      requests.push(request.headers);
      if (status === undefined) return;
      if (status === 200 && request.url === '/v1/traces') spans.push(...decode(body));
      response.writeHead(status, { 'Content-Type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    spans,
    requests,
    answer: (next) => {
      status = next;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function decode(body: Buffer): CollectedSpan[] {
  const options = { bytes: String, longs: Number, enums: String, defaults: true };
  const { resourceSpans } = TracesData.toObject(TracesData.decode(body), options) as TracesMessage;
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap((scope) => scope.spans.map((span) => collected(span, service)));
  });
}

function collected(span: SpanMessage, service: string): CollectedSpan {
  return {
    service,
    name: span.name,
    kind: span.kind.toLowerCase(),
    traceId: hex(span.traceId),
    spanId: hex(span.spanId),
    parentSpanId: hex(span.parentSpanId),
    attributes: valuesOf(span.attributes),
    links: span.links.map(({ traceId }) => hex(traceId)),
    failed: span.status?.code === 2,
  };
}

function valuesOf(attributes: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

function hex(base64: string): string {
  return Buffer.from(base64, 'base64').toString('hex');
}

/** Returns the spans of one trace as indented text: children below their parent, sorted by name. */
export function describeTrace(spans: readonly CollectedSpan[], traceId: string): string[] {
  const own = spans.filter((span) => span.traceId === traceId);
  const ids = new Set(own.map(({ spanId }) => spanId));
  const below = (parents: readonly CollectedSpan[], indent: string): string[] =>
    parents
      .toSorted((a, b) => a.name.localeCompare(b.name))
      .flatMap((span) => [
        `${indent}${span.service}: ${span.name} (${span.kind}${span.failed ? ', failed' : ''})`,
        ...below(
          own.filter(({ parentSpanId }) => parentSpanId === span.spanId),
          `${indent}  `,
        ),
      ]);
  return below(
    own.filter(({ parentSpanId }) => !ids.has(parentSpanId)),
    '',
  );
}
