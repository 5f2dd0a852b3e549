import type { Fault } from '@jobs-delete/runtime/fault';
import { createVirtualClock } from '@jobs-delete/runtime/testing/virtual-clock';
import { acceptRequest, aDeletion, jobIds } from '../testing/deletions.ts';
import { createGate } from '../testing/events.ts';
import { groupCommit, type GroupCommitOptions } from './group-commit.ts';
import type { AcceptOutcome, AcceptRequest, DeletionStore } from './store.ts';

interface Call {
  readonly requests: readonly AcceptRequest[];
  /** Answers one request, by its position. */
  answer(index: number, outcome?: AcceptOutcome | Fault): void;
  /** Returns whether the request is still to be written. */
  beginWrite(index: number): boolean;
  /** Ends the call, without more answers. */
  return(): void;
  /** Answers every request that has no answer, and ends the call. */
  succeed(): void;
  fail(error: Error): void;
}

export const accepted = ({ deletionId, jobIds }: AcceptRequest): AcceptOutcome => ({
  kind: 'accepted',
  deletion: aDeletion(jobIds, { id: deletionId }),
});

/** Creates a store whose calls the test answers. */
function createManualStore() {
  const calls: Call[] = [];
  const store: DeletionStore = {
    acceptDeletions: async (requests, answer, isWanted = () => true) => {
      const ended = createGate();
      const open = new Set(requests.keys());
      let failure: Error | undefined;
      const call: Call = {
        requests,
        answer: (index, outcome) => {
          const request = requests[index];
          if (request === undefined || !open.delete(index)) throw new Error(`${index} is not open`);
          answer(index, outcome ?? accepted(request));
        },
        beginWrite: isWanted,
        return: ended.open,
        succeed: () => {
          for (const index of [...open]) call.answer(index);
          ended.open();
        },
        fail: (error) => {
          failure = error;
          ended.open();
        },
      };
      calls.push(call);
      await ended.opened;
      if (failure !== undefined) throw failure;
    },
  };
  return { store, calls };
}

export function setUpGroupCommit(options: Partial<GroupCommitOptions> = {}) {
  const clock = createVirtualClock();
  const { store, calls } = createManualStore();
  const grouped = groupCommit(store, { clock, ...options });
  const answers: string[] = [];
  const ask = (jobs: number, more: Partial<AcceptRequest> = {}): string => {
    const request = acceptRequest(jobIds(jobs), { deadlineMs: clock.now() + 9_000, ...more });
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
