import { patienceTicks } from './watch-health.ts';

export interface PaceWatch {
  /** `overtakenTicks`: how long the oldest batch has been overtaken. To be called every `tickMs`. */
  tick(overtakenTicks: number): void;
  /** A batch was answered with nothing but faults. */
  onFailure(): void;
  /** Undefined for a deleter that keeps pace. */
  trouble(): string | undefined;
}

const readEveryTicks = 5;
const readTimeoutMs = 10_000;
/** In succession, each in time. */
const readsToRecover = 3;

/**
 * Decides whether a deleter works as well as the others. It does not when its oldest batch is overtaken for 1 s, that is,
 * another deleter has answered a batch that was sent later, or when it answers only faults. It recovers after three reads
 * in time.
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
  const begin = async () => {
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
      else if (trouble !== undefined && restedTicks++ >= readEveryTicks) void begin();
    },
    onFailure: () => suspect('it answers only faults'),
    trouble: () => trouble,
  };
}
