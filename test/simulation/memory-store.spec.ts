import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe } from '@jest/globals';
import { acceptingCases } from '@jobs-delete/deleter-service/store/contract/accepting';
import { cancellingCases } from '@jobs-delete/deleter-service/store/contract/cancelling';
import { idempotencyCases } from '@jobs-delete/deleter-service/store/contract/idempotency';
import { jobCases } from '@jobs-delete/deleter-service/store/contract/jobs';
import { outboxCases } from '@jobs-delete/deleter-service/store/contract/outbox';
import { racingCases } from '@jobs-delete/deleter-service/store/contract/racing';
import { removingCases } from '@jobs-delete/deleter-service/store/contract/removing';
import { removingPartsCases } from '@jobs-delete/deleter-service/store/contract/removing-parts';
import type { ReceiptStore } from '@jobs-delete/deleter-service/store/receipt-store';
import type { AuditStore, Store } from '@jobs-delete/deleter-service/store/store';
import { deletionStates } from '@jobs-delete/deleter-service/store/deletion';
import { Link, Troubles } from './link.ts';
import { MemoryDatabase } from './memory-database.ts';
import { openMemoryStore } from './memory-store.ts';
import { receiptOf } from './memory-writes.ts';
import { Process, World } from './world.ts';

describe('the store of the simulation', () => {
  let store: Store;
  let stop: () => void = () => undefined;
  afterEach(() => stop());
  beforeEach(() => {
    const world = new World(1);
    const link = new Link(new Process('test', world), new Troubles());
    const database = new MemoryDatabase(world);
    store = { ...openMemoryStore(() => database, link), ...readsOf(database) } as Store;
    let isRunning = true;
    stop = () => {
      isRunning = false;
    };
    const keepRunning = async () => {
      while (isRunning) {
        await world.run(10);
        // Jest's timers run in another phase of the event loop.
        await setImmediate();
      }
    };
    void keepRunning();
  });

  const context = { store: () => store, reopen: () => Promise.resolve(store) };
  describe('accepting', () => acceptingCases(context));
  describe('idempotency keys', () => idempotencyCases(context));
  describe('racing requests', () => racingCases(context));
  describe('the outbox', () => outboxCases(context));
  describe('cancelling', () => cancellingCases(context));
  describe('removing', () => removingCases(context));
  describe('removing in parts', () => removingPartsCases(context));
  describe('jobs', () => jobCases(context));
});

/** Reads that the cases need and the simulation does not. */
function readsOf({
  deletions,
}: MemoryDatabase): Pick<ReceiptStore, 'listDeletions' | 'countDeletions'> & AuditStore {
  const stored = () => [...deletions.values()];
  return {
    listDeletions: ({ accountId, state }) => {
      const found = stored()
        .map(({ deletion }) => deletion)
        .filter((one) => accountId === undefined || one.accountId === accountId)
        .filter((one) => state === undefined || one.state === state);
      return Promise.resolve({ deletions: found.map((one) => receiptOf(one)), next: undefined });
    },
    // Each case has one account, and asks for all times and tokens.
    countDeletions: () => {
      const counts = deletionStates.map((state) => {
        const found = stored().filter(({ deletion }) => deletion.state === state);
        const jobs = found.reduce((sum, { deletion }) => sum + deletion.jobIds.length, 0);
        return { state, deletions: found.length, jobs, keptJobs: 0 };
      });
      return Promise.resolve(counts.filter(({ deletions }) => deletions > 0));
    },
    async *openDeletions(beforeMs) {
      const open = stored().flatMap(({ deletion, dueAtMs }) => {
        const { state, removalAtMs, publishedAtMs } = deletion;
        if (state === 'completed' || dueAtMs === undefined || dueAtMs >= beforeMs) return [];
        const { jobIds, id, accountId, acceptedAtMs } = deletion;
        return [
          {
            id,
            accountId,
            acceptedAtMs,
            state,
            removalAtMs,
            publishedAtMs,
            dueAtMs,
            jobCount: jobIds.length,
          },
        ];
      });
      yield await Promise.resolve(open);
    },
    async *completedDeletions() {
      yield await Promise.resolve([]);
    },
  };
}
