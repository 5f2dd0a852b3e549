/** The last deletion of a page: the next page has the older ones. Opaque to callers. */
export interface PagePosition {
  readonly acceptedAtMs: number;
  readonly id: string;
}

export function formatPageToken(position: PagePosition): string {
  return Buffer.from(JSON.stringify([position.acceptedAtMs, position.id])).toString('base64url');
}

/** Returns undefined if formatPageToken did not create the token. */
export function parsePageToken(token: string): PagePosition | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (!Array.isArray(value) || value.length !== 2) return undefined;
    const [acceptedAtMs, id] = value as unknown[];
    return typeof acceptedAtMs === 'number' && typeof id === 'string' ? { acceptedAtMs, id } : undefined;
  } catch {
    return undefined;
  }
}
