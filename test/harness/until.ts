/** On hanging, not on speed; before the test's own, as this one says what has not come. */
const timeoutMs = 600_000;

/** Asks again and again, and gives what it gets once that is neither undefined nor false. */
export async function until<Result>(
  condition: () => Promise<Result | undefined | false> | Result | undefined | false,
  { what = String(condition) }: { what?: string } = {},
): Promise<Result> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const result = await condition();
    if (result !== undefined && result !== false) return result;
    if (performance.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
