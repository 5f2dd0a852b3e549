const startedAt = performance.now();

/** Writes to stderr. stdout is for the figures. */
export function progress(text: string): void {
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  process.stderr.write(`[${String(seconds).padStart(4)} s] ${text}\n`);
}
