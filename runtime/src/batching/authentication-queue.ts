import { createFairQueue } from './fair-queue.ts';

/**
 * Bounds the work for callers whose credentials are not proven yet. Networks take turns, so one network that guesses
 * tokens delays the others little.
 */
export interface AuthenticationQueue {
  /** Runs the task in its turn. Resolves to `full` when too many tasks wait: then this one has not started. */
  run<Result>(network: string, task: () => Promise<Result>): Promise<Result | 'full'>;
  state(): { readonly running: number; readonly waiting: number };
}

export interface AuthenticationQueueOptions {
  /** Maximum number of tasks that wait. */
  readonly maxWaiting: number;
  /** Maximum number of tasks at the same time: that many look-ups are in flight. */
  readonly maxRunning?: number;
  /** Tasks that may start in one turn of the event loop. Proven callers are served between the turns. */
  readonly maxPerTurn?: number;
}

interface Waiting {
  readonly network: string;
  readonly start: () => void;
  readonly refuse: () => void;
}

export function createAuthenticationQueue(options: AuthenticationQueueOptions): AuthenticationQueue {
  const { maxWaiting, maxRunning = 16, maxPerTurn = 4 } = options;
  const waiting = createFairQueue<Waiting>(
    ({ network }) => network,
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
    run: (network, task) => {
      if (waiting.weight() === 0 && mayStart()) return start(task);
      return new Promise((resolve) => {
        waiting.push({
          network,
          start: () => resolve(start(task)),
          refuse: () => resolve('full'),
        });
        if (waiting.weight() > maxWaiting) waiting.dropFromLongest()?.refuse();
      });
    },
    state: () => ({ running, waiting: waiting.weight() }),
  };
}
