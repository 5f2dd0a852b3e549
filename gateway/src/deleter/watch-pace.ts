import { patienceTicks } from './watch-health.ts';

export interface PaceWatch {
  /** Called every `tickMs`. `overtakenTicks`: how long the oldest batch has been overtaken. */
  tick(overtakenTicks: number): void;
  /** Called when every answer of a batch was a fault. */
  onFailure(): void;
  /** Undefined for a deleter that is as fast as the others. */
  trouble(): string | undefined;
}

const readEveryTicks = 5;
const readTimeoutMs = 10_000;
/** Successful reads in a row, each within 1 s. */
const readsToRecover = 3;

/**
 * Decides whether a deleter works as well as the others. A deleter is in trouble when it answers only faults, or when its
 * oldest batch is overtaken for 1 s: another deleter has answered a later batch. It recovers after three reads in time.
 */
export function watchPace(tryRead: (timeoutMs: number) => Promise<boolean>): PaceWatch {
  let trouble: string | undefined;
  let goodReads = 0;
  let waitedTicks: number | undefined;
  let restedTicks = 0;

  const suspect = (reason: string) => {
    trouble = reason;
    goodReads = 0;
  };
  const read = async () => {
    waitedTicks = 0;
    const isAnswered = await tryRead(readTimeoutMs);
    goodReads = isAnswered && waitedTicks < patienceTicks ? goodReads + 1 : 0;
    waitedTicks = undefined;
    restedTicks = 0;
    if (goodReads >= readsToRecover) trouble = undefined;
  };

  return {
    tick: (overtakenTicks) => {
      if (overtakenTicks >= patienceTicks) suspect('it is slower than the others by 1 s');
      if (waitedTicks !== undefined) waitedTicks += 1;
      else if (trouble !== undefined && restedTicks++ >= readEveryTicks) void read();
    },
    onFailure: () => suspect('it answers only faults'),
    trouble: () => trouble,
  };
}
