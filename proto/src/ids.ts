/** A job's id: 4 to 128 characters of [A-Za-z0-9], case-sensitive. */
export const jobIdPattern = /^[A-Za-z0-9]{4,128}$/;

export function isJobId(value: unknown): value is string {
  return typeof value === 'string' && jobIdPattern.test(value);
}

/** A deletion's id: a UUID in lower case. Any other text names no deletion, and must not become part of a path. */
export const deletionIdPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function isDeletionId(text: string): boolean {
  return deletionIdPattern.test(text);
}

/** A request with this many ids or more is large. It has its own call and its own write, so small requests do not wait. */
export const largeRequestJobs = 200;
