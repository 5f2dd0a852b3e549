/**
 * Creates spans of traces that cross processes. The context travels as a W3C traceparent
 * (https://www.w3.org/TR/trace-context/) in HTTP headers, event headers and the deletion.
 */
export interface Tracing {
  /** Starts a child span of `parent`; without a valid traceparent, the root of a new trace. */
  start(name: string, options: SpanOptions): Span;
  /** Exports the remaining spans, up to the timeout. */
  stop(timeoutMs: number): Promise<void>;
}

export interface SpanOptions {
  readonly kind: 'server' | 'client' | 'producer' | 'consumer';
  readonly parent: string | undefined;
  readonly attributes?: SpanAttributes;
  /** Milliseconds since the Unix epoch. Default: now. */
  readonly startedAtMs?: number;
}

/** Names from https://opentelemetry.io/docs/specs/semconv/; our own start with `jobs_delete.`. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Span {
  readonly traceId: string;
  /** The context for child spans. */
  readonly traceparent: string;
  set(attributes: SpanAttributes): void;
  /** Links to a related trace. */
  link(traceparent: string | undefined): void;
  /** @param error why the operation failed, if it did */
  end(error?: unknown): void;
}

/** Returns a valid traceparent; undefined for anything else. */
export function readTraceparent(text: string | undefined): string | undefined {
  return text !== undefined && traceparentPattern.test(text) ? text : undefined;
}

const traceparentPattern = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

export function traceIdOf(traceparent: string | undefined): string | undefined {
  return readTraceparent(traceparent)?.slice(3, 35);
}

/** Runs the work and then ends its spans, with the error if it fails. */
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
