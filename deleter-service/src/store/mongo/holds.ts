import { instant, withTimeLimit, type ProcessClock } from '@jobs-delete/runtime/time/clock';
import type { LimitExceeded } from '../safety-rules.ts';
import {
  createAccountLedger,
  type AccountLedger,
  type GuardedRequest,
  type Spend,
} from './account-ledger.ts';
import type { Collections } from './collections.ts';

export type Holds = ReturnType<typeof createHolds>;

/** How often a process looks which of its holds are wanted. */
const lookMs = 500;
const lookTimeoutMs = 2_000;
const maxLookAccounts = 1_000;
const closeMs = 2_000;

/**
 * Reserves jobs of guarded accounts for many requests at a time, and keeps the rest in memory (docs/decisions/guard.md).
 * An account in use has one ledger.
 */
export function createHolds(collections: Collections, clock: ProcessClock) {
  const ledgers = new Map<string, AccountLedger>();
  let stopLooking: (() => void) | undefined;
  let isLooking = false;

  const look = async (): Promise<void> => {
    for (const [accountId, ledger] of ledgers) if (!ledger.tidy()) ledgers.delete(accountId);
    if (ledgers.size === 0) {
      stopLooking?.();
      stopLooking = undefined;
    }
    const using = [...ledgers].flatMap(([accountId, ledger]) => {
      const hold = ledger.currentHold();
      return hold === undefined ? [] : [{ accountId, ledger, hold }];
    });
    for (let from = 0; from < using.length; from += maxLookAccounts) {
      const startedAt = instant(clock);
      const some = using.slice(from, from + maxLookAccounts);
      const kept = await findUnwanted(some.map(({ accountId }) => accountId));
      for (const { ledger, hold } of some) ledger.onLook(hold, !kept.has(hold), startedAt);
    }
  };
  const findUnwanted = async (accountIds: readonly string[]): Promise<ReadonlySet<string>> => {
    const projection = { 'holds.id': 1, 'holds.wanted': 1 };
    const options = { projection, maxTimeMS: lookTimeoutMs };
    const found = await collections.deletionUsage.find({ _id: { $in: [...accountIds] } }, options).toArray();
    const holds = found.flatMap((document) => document.holds ?? []);
    return new Set(holds.flatMap(({ id, wanted }) => (wanted === undefined ? id : [])));
  };
  const startLooking = () => {
    stopLooking ??= clock.every(lookMs, () => {
      if (isLooking) return;
      isLooking = true;
      // After failed looks, holds are no longer used: they are unconfirmed for too long.
      void look()
        .catch(() => undefined)
        .finally(() => (isLooking = false));
    });
  };

  return {
    /** Takes the jobs from the account's hold. Undefined: it does not have enough. */
    take: (request: GuardedRequest): Spend | undefined => ledgers.get(request.accountId)?.take(request),
    /** Refuses only what exceeds the limit whatever becomes of other holds. @throws Fault */
    reserve: (request: GuardedRequest): Promise<Spend | LimitExceeded> => {
      const ledger =
        ledgers.get(request.accountId) ?? createAccountLedger(request.accountId, collections, clock);
      ledgers.set(request.accountId, ledger);
      startLooking();
      return ledger.reserve(request);
    },
    close: async (): Promise<void> => {
      stopLooking?.();
      const closed = Promise.all([...ledgers.values()].map((ledger) => ledger.close()));
      await withTimeLimit(closed, closeMs, () => undefined, clock);
    },
  };
}
