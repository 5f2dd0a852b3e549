/** Repeats an operation for the given time, with `inFlight` concurrent calls. Returns the operations per second. */
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
