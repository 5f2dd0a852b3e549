import { type Sentence, sentence } from '../../messages/messages.ts';
import type { ProblemCode } from '../../messages/problems.ts';

/** Every limit that may refuse a request, for the log and the metrics. */
export const limitNames = ['requests', 'jobs', 'failed_authentications', 'authentications', 'load'] as const;
export type LimitName = (typeof limitNames)[number];

/** Says what is wrong and what to do. Its parameters must be safe to repeat (echo.ts). */
export type Detail = readonly Sentence[];

/**
 * Returned by a step in place of its result when the request must not go on. Every step of a request returns
 * `Result | Refusal`, and its caller checks with `isRefusal`. `code` is the code of the first of `errors`.
 */
export interface Refusal {
  readonly code: ProblemCode;
  /** The header that `code` is about, for the title. */
  readonly header?: string;
  /** The query parameter that `code` is about, for the title. */
  readonly parameter?: string;
  readonly errors?: readonly EntryFault[];
  /** True if `errors` is not complete. */
  readonly truncated?: boolean;
  /** Default: the detail of the first of `errors`, and without one what to do about `code` in general. */
  readonly detail?: Detail;
  readonly retryAfterSeconds?: number;
  /** The methods of the path, for a 405. */
  readonly allow?: string;
  /** The limit of the gateway that the request exceeds. */
  readonly limit?: LimitName;
}

/** One invalid entry of a request. */
export interface EntryFault {
  readonly code: ProblemCode;
  /** A JSON pointer into the JSON form of the body, for XML too. */
  readonly pointer?: string;
  readonly jobId?: string;
  /** Spelt as in the documentation. */
  readonly header?: string;
  /** A query parameter. */
  readonly parameter?: string;
  /** Default: what to do about `code` in general. */
  readonly detail?: Detail;
}

export function isRefusal(result: unknown): result is Refusal {
  return typeof result === 'object' && result !== null && 'code' in result;
}

/** The gateway serves as many requests as it can. This one has changed nothing. */
export const overloaded: Refusal = {
  code: 'unavailable',
  limit: 'load',
  retryAfterSeconds: 1,
  detail: [sentence('overloaded', { seconds: 1 })],
};

/** @param methods those of the path */
export function methodNotAllowed(method: string, methods: readonly string[]): Refusal {
  const allow = methods.join(', ');
  return { code: 'method_not_allowed', allow, detail: [sentence('method_wrong', { method, allow })] };
}
