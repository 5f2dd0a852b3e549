import type { AcceptRequest, DeletionStore, StoredOutcome } from './store.ts';
import { acceptRequest, aDeletion, jobIds } from '../testing/deletions.ts';
import { createGate } from '../testing/events.ts';
import { createVirtualClock } from '../testing/virtual-clock.ts';
import { groupCommit, type GroupCommitOptions } from './group-commit.ts';

interface Call {
  readonly requests: readonly AcceptRequest[];
  succeed(): void;
  fail(error: Error): void;
}

export const accepted = ({ deletionId, jobIds }: AcceptRequest): StoredOutcome => ({
  kind: 'accepted',
  deletion: aDeletion(jobIds, { id: deletionId }),
});

/** Creates a store that answers each call when the test calls `succeed` or `fail`. */
function createManualStore(outcomeOf: (request: AcceptRequest) => StoredOutcome) {
  const calls: Call[] = [];
  const store: DeletionStore = {
    acceptDeletions: async (requests) => {
      const answered = createGate();
      let failure: Error | undefined;
      const call: Call = {
        requests,
        succeed: answered.open,
        fail: (error) => {
          failure = error;
          answered.open();
        },
      };
      calls.push(call);
      await answered.opened;
      if (failure !== undefined) throw failure;
      return requests.map(outcomeOf);
    },
    findMissingJobs: (accountId, ids) =>
      Promise.resolve({ positions: [ids.length], truncated: accountId === 'truncated' }),
  };
  return { store, calls };
}

export function setUpGroupCommit(options: Partial<GroupCommitOptions> = {}, outcomeOf = accepted) {
  const clock = createVirtualClock();
  const { store, calls } = createManualStore(outcomeOf);
  const grouped = groupCommit(store, { clock, ...options });
  const answers: string[] = [];
  const ask = (jobs: number, more: Partial<AcceptRequest> = {}): string => {
    const request = acceptRequest(jobIds(jobs), more);
    grouped.acceptDeletion(request).then(
      (outcome) => answers.push(outcome.kind === 'accepted' ? outcome.deletion.id : outcome.kind),
      (error: unknown) => answers.push(`${request.deletionId}: ${(error as Error).message}`),
    );
    return request.deletionId;
  };
  const call = (index: number): Call => {
    const found = calls[index];
    if (found === undefined) throw new Error(`there was no call ${index}`);
    return found;
  };
  const idsOf = (index: number) => call(index).requests.map(({ deletionId }) => deletionId);
  return { clock, calls, call, idsOf, ask, answers, grouped };
}
