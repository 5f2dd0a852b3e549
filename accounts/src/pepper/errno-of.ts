/** The code of a failed system call (`ENOENT`). By its shape: what is thrown may be of another realm's Error. */
export function errnoOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
