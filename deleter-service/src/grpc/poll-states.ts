import type { Clock } from '@jobs-delete/runtime/time/clock';
import type { DeletionState } from '../store/deletion.ts';
import type { DeletionKey, ReceiptStore } from '../store/store.ts';

export interface StatePoll {
  /**
   * Resolves when the deletion is no longer in the state, or no longer exists, or the signal is aborted.
   * @throws Fault if the store fails
   */
  untilChanged(key: DeletionKey, state: DeletionState, signal: AbortSignal): Promise<void>;
}

interface Waiting {
  readonly key: DeletionKey;
  readonly state: DeletionState;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Reads the states of all watched deletions with one query at a time, and only while a caller watches. */
export function createStatePoll(
  store: Pick<ReceiptStore, 'findStates'>,
  clock: Clock,
  pollMs = 100,
): StatePoll {
  const waiting = new Set<Waiting>();
  let polling = false;

  const pollOnce = async () => {
    const asked = [...waiting];
    const keys = distinctKeys(asked);
    try {
      const states = await store.findStates([...keys.values()]);
      const stateOf = new Map([...keys.keys()].map((name, index) => [name, states[index]]));
      for (const one of asked) if (stateOf.get(nameOf(one.key)) !== one.state) one.resolve();
    } catch (error) {
      for (const one of asked) one.reject(error as Error);
    }
  };
  const poll = async () => {
    polling = true;
    while (waiting.size > 0) {
      await clock.sleep(pollMs);
      if (waiting.size > 0) await pollOnce();
    }
    polling = false;
  };

  return {
    untilChanged: (key, state, signal) =>
      new Promise((resolve, reject) => {
        const leave = () => {
          waiting.delete(one);
          signal.removeEventListener('abort', one.resolve);
        };
        const one = {
          key,
          state,
          resolve: () => {
            leave();
            resolve();
          },
          reject: (error: Error) => {
            leave();
            reject(error);
          },
        };
        waiting.add(one);
        signal.addEventListener('abort', one.resolve);
        if (signal.aborted) one.resolve();
        else if (!polling) void poll();
      }),
  };
}

function distinctKeys(waiting: readonly Waiting[]): Map<string, DeletionKey> {
  return new Map(waiting.map(({ key }) => [nameOf(key), key]));
}

function nameOf({ accountId, deletionId }: DeletionKey): string {
  return JSON.stringify([accountId, deletionId]);
}
