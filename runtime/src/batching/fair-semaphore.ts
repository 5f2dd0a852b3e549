import { createFairQueue } from './fair-queue.ts';

/** Bounds the tasks that run at the same time. Keys, such as accounts or networks, are served round-robin. */
export interface FairSemaphore {
  /**
   * Runs the task when it gets a permit. Resolves to `full` when too many tasks wait: then a task of the key with the most
   * waiting tasks has not started.
   */
  run<Result>(key: string, task: () => Promise<Result>): Promise<Result | 'full'>;
  state(): { readonly running: number; readonly waiting: number };
}

export interface FairSemaphoreOptions {
  /** Maximum number of tasks that wait. */
  readonly maxWaiting: number;
  /** Maximum number of tasks at the same time. */
  readonly maxRunning?: number;
  /** Tasks that may start in one turn of the event loop. Other work is served between the turns. */
  readonly maxPerTurn?: number;
}

interface Waiting {
  readonly key: string;
  readonly start: () => void;
  readonly refuse: () => void;
}

export function createFairSemaphore(options: FairSemaphoreOptions): FairSemaphore {
  const { maxWaiting, maxRunning = 16, maxPerTurn = 4 } = options;
  const waiting = createFairQueue<Waiting>(
    ({ key }) => key,
    () => 1,
  );
  let running = 0;
  let startedInTurn = 0;

  const mayStart = () => running < maxRunning && startedInTurn < maxPerTurn;
  const startWaiting = () => {
    while (waiting.weight() > 0 && mayStart()) waiting.take(1)[0]?.start();
  };
  const nextTurn = () => {
    startedInTurn = 0;
    startWaiting();
  };
  const start = async <Result>(task: () => Promise<Result>): Promise<Result> => {
    if (startedInTurn === 0) setImmediate(nextTurn);
    startedInTurn += 1;
    running += 1;
    try {
      return await task();
    } finally {
      running -= 1;
      startWaiting();
    }
  };

  return {
    run: (key, task) => {
      if (waiting.weight() === 0 && mayStart()) return start(task);
      return new Promise((resolve) => {
        waiting.push({
          key,
          start: () => resolve(start(task)),
          refuse: () => resolve('full'),
        });
        if (waiting.weight() > maxWaiting) waiting.dropFromLongest()?.refuse();
      });
    },
    state: () => ({ running, waiting: waiting.weight() }),
  };
}
