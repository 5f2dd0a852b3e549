/** An odd factor: as `number` goes up, the ids jump about in the index, as ids that companies give do. */
const factor = 2_654_435_761n;
const mask = (1n << 40n) - 1n;

/** The id of a numbered job: 10 characters, each number another one. */
export function jobId(number: number): string {
  const scattered = (BigInt(number) * factor) & mask;
  return `JB${scattered.toString(36).toUpperCase().padStart(8, '0')}`;
}

export function jobIds(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => jobId(from + index));
}

/** Of a company's usual size, the same for all. */
export const posting = { title: 'Night nurse, cardiology (m/f/d)' } as const;
