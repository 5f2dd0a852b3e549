import { withTimeLimit } from '../time/clock.ts';

export interface FreshValueOptions<Value> {
  readonly read: () => Promise<Value>;
  /** How long an answer is reused. */
  readonly freshMs: number;
  /** How long a caller waits for a new answer. */
  readonly patienceMs: number;
}

export type Answer<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'late' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Caches an answer for probes and scrapes: at most one `read` runs at a time, and no caller waits longer than `patienceMs`. */
export function createFreshValue<Value>(options: FreshValueOptions<Value>): () => Promise<Answer<Value>> {
  const { read, freshMs, patienceMs } = options;
  let latest: { readonly answer: Answer<Value>; readonly atMs: number } | undefined;
  let pending: Promise<Answer<Value>> | undefined;

  const refresh = async (): Promise<Answer<Value>> => {
    let answer: Answer<Value>;
    try {
      answer = { kind: 'value', value: await read() };
    } catch (error) {
      answer = { kind: 'failed', error };
    }
    latest = { answer, atMs: performance.now() };
    pending = undefined;
    return answer;
  };

  return async () => {
    if (latest !== undefined && performance.now() - latest.atMs < freshMs) return latest.answer;
    pending ??= refresh();
    return withTimeLimit(pending, patienceMs, () => ({ kind: 'late' }) as const);
  };
}
