import type { CredentialRef } from './accounts.ts';

export interface UseRecorderOptions<Use> {
  readonly keyOf: (use: Use) => string;
  readonly write: (uses: readonly Use[], atMs: number) => Promise<void>;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

const intervalMs = 60_000;

/**
 * Records when something was used or refused: at most one write a minute for each, failed ones included, so a store in
 * trouble does not get a write per request. Returns at once and never throws. Pass only what exists: memory grows with
 * each distinct key of the last minute.
 */
export function createUseRecorder<Use>({ keyOf, write, now, onError }: UseRecorderOptions<Use>) {
  // In the order of the writes. Unbounded, so no LRU cache: dropping an entry would cause a write per request.
  const writtenAtMs = new Map<string, number>();

  const isRecent = (atMs: number | undefined, nowMs: number) =>
    atMs !== undefined && nowMs >= atMs && nowMs - atMs < intervalMs;

  const forgetOld = (nowMs: number) => {
    for (const [key, atMs] of writtenAtMs) {
      if (isRecent(atMs, nowMs)) return;
      writtenAtMs.delete(key);
    }
  };

  return (uses: readonly Use[]): void => {
    const nowMs = now();
    forgetOld(nowMs);
    const due = uses.filter((use) => !isRecent(writtenAtMs.get(keyOf(use)), nowMs));
    if (due.length === 0) return;
    for (const use of due) {
      writtenAtMs.delete(keyOf(use));
      writtenAtMs.set(keyOf(use), nowMs);
    }
    write(due, nowMs).catch(onError);
  };
}

export function credentialKey({ kind, id }: CredentialRef): string {
  return `${kind} ${id}`;
}
