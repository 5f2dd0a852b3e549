import { Fault } from '@jobs-delete/runtime/fault';

export interface QueueLimits {
  readonly running: number;
  readonly waiting: number;
}

/** Returns a function that runs tasks in order, a few at a time. It rejects with a Fault when too many wait. */
export function createTaskQueue({ running, waiting }: QueueLimits) {
  const turns: (() => void)[] = [];
  let active = 0;
  return async <Result>(task: () => Promise<Result>): Promise<Result> => {
    if (active < running) active += 1;
    else if (turns.length >= waiting) throw new Fault('unavailable', `${String(waiting)} tasks wait already`);
    else await new Promise<void>((resolve) => turns.push(resolve));
    try {
      return await task();
    } finally {
      const next = turns.shift();
      if (next === undefined) active -= 1;
      else next();
    }
  };
}
