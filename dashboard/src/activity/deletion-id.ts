/** Any other text names no deletion, and must not become part of a path. */
export function isDeletionId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}
