export interface FreshValueOptions<Value> {
  readonly read: () => Promise<Value>;
  /** How long an answer is good. */
  readonly freshMs: number;
  /** How long who asks waits for a new one. */
  readonly patienceMs: number;
}

export type Answer<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'late' }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * For probes and scrapes: however many ask, and however often, what is behind `read` is asked by one at a time, and
 * nobody waits longer than `patienceMs` for it.
 */
export function createFreshValue<Value>(options: FreshValueOptions<Value>): () => Promise<Answer<Value>> {
  const { read, freshMs, patienceMs } = options;
  let latest: { readonly answer: Answer<Value>; readonly atMs: number } | undefined;
  let underWay: Promise<Answer<Value>> | undefined;

  const readAnew = async (): Promise<Answer<Value>> => {
    let answer: Answer<Value>;
    try {
      answer = { kind: 'value', value: await read() };
    } catch (error) {
      answer = { kind: 'failed', error };
    }
    latest = { answer, atMs: performance.now() };
    underWay = undefined;
    return answer;
  };

  return async () => {
    if (latest !== undefined && performance.now() - latest.atMs < freshMs) return latest.answer;
    underWay ??= readAnew();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Answer<Value>>((resolve) => {
      timer = setTimeout(() => resolve({ kind: 'late' }), patienceMs);
    });
    try {
      return await Promise.race([underWay, late]);
    } finally {
      clearTimeout(timer);
    }
  };
}
