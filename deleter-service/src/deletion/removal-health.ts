import type { Clock } from '@jobs-delete/runtime/time/clock';
import type { ParsedPart } from './remove-parts.ts';

/** After an attempt for failing accounts has failed, none of them is tried for so long. */
export const probeMs = 5_000;

/** The removals of an account are postponed when they fail for so long, although the store confirms writes. */
const patienceMs = 3_000;

/** Counts failed attempts by account, over all deliveries of their events. */
export function createHealth(clock: Clock) {
  const failing = new Map<string, { readonly sinceMs: number; readonly failures: number }>();
  /** The accounts whose removals fail, with the time of the last attempt. */
  const sick = new Map<string, number>();
  let succeededAtMs = -Infinity;
  let probeFailedAtMs = -Infinity;

  const failureOf = (accountId: string) => failing.get(accountId) ?? { sinceMs: clock.now(), failures: 0 };
  /** A clock that has stepped back must not prolong a wait. */
  const isOver = (sinceMs: number, ms: number) => clock.now() - sinceMs >= ms || clock.now() < sinceMs;
  return {
    onSuccess: (accountId: string) => {
      sick.delete(accountId);
      failing.delete(accountId);
      succeededAtMs = clock.now();
    },
    /** Returns how many attempts have failed since the last success. */
    onFailure: (accountId: string): number => {
      const { sinceMs, failures } = failureOf(accountId);
      failing.set(accountId, { sinceMs, failures: failures + 1 });
      if (sick.has(accountId)) sick.set(accountId, clock.now());
      return failures + 1;
    },
    onSick: (accountId: string) => {
      if (!sick.has(accountId)) sick.set(accountId, clock.now());
    },
    isSick: (accountId: string) => sick.has(accountId),
    failuresOf: (accountId: string) => failureOf(accountId).failures,
    isPatienceOver: (accountId: string) => {
      const { sinceMs, failures } = failureOf(accountId);
      return failures >= 2 && isOver(sinceMs, patienceMs);
    },
    /** Others succeed while the account fails. */
    isAlone: (accountId: string) => succeededAtMs > failureOf(accountId).sinceMs,
    mayProbe: () => isOver(probeFailedAtMs, probeMs),
    onProbeFailed: () => {
      probeFailedAtMs = clock.now();
    },
    leastFailedFirst: (groups: readonly ParsedPart[][]) => {
      const failuresOfGroup = ([part]: readonly ParsedPart[]) =>
        failureOf(part?.data.account_id ?? '').failures;
      return groups.toSorted((one, other) => failuresOfGroup(one) - failuresOfGroup(other));
    },
    longestUntriedFirst: (groups: readonly ParsedPart[][]) => {
      const triedAtMs = ([part]: readonly ParsedPart[]) => sick.get(part?.data.account_id ?? '') ?? 0;
      return groups.toSorted((one, other) => triedAtMs(one) - triedAtMs(other));
    },
  };
}
