/** Runs an operation for so long, so many at a time. @returns how often a second it was done */
export async function perSecond(
  inFlight: number,
  seconds: number,
  operation: () => Promise<unknown>,
): Promise<number> {
  const startedAt = performance.now();
  const deadline = startedAt + seconds * 1_000;
  let done = 0;
  const caller = async () => {
    while (performance.now() < deadline) {
      await operation();
      done++;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, caller));
  return (done * 1_000) / (performance.now() - startedAt);
}
