import { asFault } from '@jobs-delete/runtime/fault';
import { createAcceptDeletion, type AcceptDeletion } from '../deletion/accept-deletion.ts';
import type { Deletion } from '../store/deletion.ts';
import { groupCommit } from '../store/group-commit.ts';
import { noRules } from '../store/safety-rules.ts';
import type { DeletionKey } from '../store/store.ts';
import { leaseDue, origin } from './deletions.ts';
import type { ModelRequest, SafetyEvent } from './safety-model.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { Replica, SafetyWorld } from './simulate-safety.ts';

const leaseMs = 30_000;

/** The calls of replicas that may run at the same time. Each resolves to the call with its answer. */
export function createSafetyCalls({ aheadMs }: Pick<SafetyWorld, 'aheadMs'>, random: SeededRandom) {
  const acceptors = new Map<Replica, AcceptDeletion>();
  const acceptorOf = (replica: Replica): AcceptDeletion => {
    const { store, clock } = replica;
    const acceptor =
      acceptors.get(replica) ??
      createAcceptDeletion({
        store: groupCommit(store, { clock }),
        relay: undefined,
        clock,
        random,
        maxJobsPerRequest: 1_000,
        readRules: async (accountId) => {
          const rules = (await store.findRules([accountId])).get(accountId) ?? noRules;
          const allowances = rules.allowances.map((one) => ({ ...one, untilMs: one.untilMs - aheadMs() }));
          return { ...rules, allowances };
        },
      });
    acceptors.set(replica, acceptor);
    return acceptor;
  };

  return {
    accept: async (drawn: ModelRequest, replica: Replica): Promise<SafetyEvent> => {
      const request = { ...drawn, atMs: replica.clock.now() };
      const { key: idempotencyKey, ...asked } = request;
      const asking = { ...asked, idempotencyKey, origin, deadlineMs: undefined };
      const answer = await again(() => acceptorOf(replica)(asking));
      if (answer.kind === 'invalid') throw new Error(JSON.stringify(answer));
      if (answer.kind !== 'accepted') return { kind: 'accept', request, answer };
      const { deletion, replayed } = answer;
      return { kind: 'accept', request, answer: { kind: 'accepted', id: deletion.id, replayed } };
    },
    cancel: async (key: DeletionKey, { store, clock }: Replica): Promise<SafetyEvent> => {
      const atMs = clock.now();
      const { kind } = await again(() => store.cancelDeletion(key, atMs, origin));
      return { kind: 'cancel', ...key, atMs, answer: kind };
    },
    lease: async (
      { store, clock }: Replica,
      onLeased: (leased: readonly Deletion[]) => void,
    ): Promise<SafetyEvent> => {
      const atMs = clock.now();
      const untilMs = atMs + leaseMs;
      const leased = await leaseDue(store, atMs, untilMs);
      onLeased(leased);
      return { kind: 'lease', atMs, untilMs, answer: leased.map(({ id, state }) => ({ id, state })) };
    },
  };
}

/** A Fault leaves the outcome open: the same request gets the true answer. */
async function again<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (attempt === maxAttempts || asFault(error).code === 'internal') throw error;
    }
  }
}

const maxAttempts = 5;
