/**
 * Spans, each a part of a trace that goes through several processes. What the next span continues travels as a W3C
 * traceparent (https://www.w3.org/TR/trace-context/): in headers of HTTP and of events, and in the deletion itself.
 */
export interface Tracing {
  /** A span below `parent`; where that is none, or no traceparent, the first one of a new trace. */
  start(name: string, options: SpanOptions): Span;
  /** Hands over what has ended and is not handed over yet, as far as that can be done in time. */
  stop(timeoutMs: number): Promise<void>;
}

export interface SpanOptions {
  readonly kind: 'server' | 'client' | 'producer' | 'consumer';
  readonly parent: string | undefined;
  readonly attributes?: SpanAttributes;
}

/** By the names of https://opentelemetry.io/docs/specs/semconv/, those of our own below `jobs_delete.`. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Span {
  readonly traceId: string;
  /** What spans below it continue. */
  readonly traceparent: string;
  set(attributes: SpanAttributes): void;
  /** Points to another trace that has to do with it. */
  link(traceparent: string | undefined): void;
  /** @param error what it has failed with */
  end(error?: unknown): void;
}

/** Of another process: what is no traceparent is as none. */
export function readTraceparent(text: string | undefined): string | undefined {
  return text !== undefined && traceparentPattern.test(text) ? text : undefined;
}

const traceparentPattern = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

export function traceIdOf(traceparent: string | undefined): string | undefined {
  return readTraceparent(traceparent)?.slice(3, 35);
}

/** Does the work of one span, or what those of a batch share, and ends them with it. */
export async function during<Result>(spans: readonly Span[], work: () => Promise<Result>): Promise<Result> {
  try {
    const result = await work();
    for (const span of spans) span.end();
    return result;
  } catch (error) {
    for (const span of spans) span.end(error);
    throw error;
  }
}
