/**
 * Settles like `promise`, or rejects after the timeout with `what`. Ends a test that hangs after a minute, not at
 * jest's limit of 15.
 */
export function within<Result>(
  promise: Promise<Result>,
  what: () => string,
  timeoutMs = 60_000,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`not within ${String(timeoutMs / 1_000)} s: ${what()}`)),
      timeoutMs,
    );
    timer.unref();
  });
  const first = Promise.race([promise, late]).finally(() => clearTimeout(timer));
  // A caller that no longer waits does not end the run.
  first.catch(() => undefined);
  return first;
}
