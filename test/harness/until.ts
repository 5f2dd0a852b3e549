/** Polls until the result is neither undefined nor false, and returns it. */
export async function until<Result>(
  condition: () => Promise<Result | undefined | false> | Result | undefined | false,
  { timeoutMs = 10_000, what = String(condition) }: { timeoutMs?: number; what?: string } = {},
): Promise<Result> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const result = await condition();
    if (result !== undefined && result !== false) return result;
    if (performance.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
