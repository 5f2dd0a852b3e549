/** Odd factor. Consecutive jobs get ids at distant places of the index, like real job ids. */
const factor = 2_654_435_761n;
const mask = (1n << 40n) - 1n;

/** Returns the id of a numbered job: 10 characters, different for each number. */
export function jobId(number: number): string {
  const scattered = (BigInt(number) * factor) & mask;
  return `JB${scattered.toString(36).toUpperCase().padStart(8, '0')}`;
}

export function jobIds(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => jobId(from + index));
}

/** Posting of a typical size, the same for every job. */
export const posting = { title: 'Night nurse, cardiology (m/f/d)' } as const;
