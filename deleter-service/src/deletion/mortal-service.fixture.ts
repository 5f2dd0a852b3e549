import type { EventLog } from '../event-log/event-log.ts';
import { groupCommit } from '../store/group-commit.ts';
import type { Store } from '../store/store.ts';
import { mortal, type Crash } from '../testing/mortal.ts';
import type { SeededRandom } from '../testing/seeded-random.ts';
import type { VirtualClock } from '@jobs-delete/runtime/testing/virtual-clock';
import { createAcceptDeletion } from './accept-deletion.ts';
import { createRuleReader } from './read-rules.ts';
import { startRelay } from './relay-outbox.ts';
import { startRemovalWorker } from './remove-jobs.ts';

export interface Survivors {
  readonly store: Store;
  readonly eventLog: EventLog;
  readonly clock: VirtualClock;
  readonly random: SeededRandom;
}

/** Starts a service with all roles on the store and the log, which outlive it. It dies at `crash`. */
export async function startMortalService({ store, eventLog, clock, random }: Survivors, crash?: Crash) {
  const life = mortal(store, eventLog, crash);
  const parts = { store: life.store, eventLog: life.eventLog, clock, random, onError: () => undefined };
  const options = { jobDeletedEvents: true, onDeadLetter: () => undefined };
  const worker = await startRemovalWorker({ ...parts, ...options }).catch(() => undefined);
  const relay = startRelay(parts);
  const acceptDeletion = createAcceptDeletion({
    relay,
    clock,
    random,
    maxJobsPerRequest: 10_000,
    store: groupCommit(life.store, { clock }),
    readRules: createRuleReader({ store: life.store, clock }),
  });
  const stop = () => Promise.all([relay.stop(), worker?.stop()]);
  return { ...life, acceptDeletion, stop };
}
