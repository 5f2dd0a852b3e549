import { createFairQueue } from './fair-queue.ts';

/** Bounds what is in progress, such as the calls of one caller. */
export interface Permits {
  /** Returns false, and takes none, if the key or all keys together hold too many. */
  take(key: string): boolean;
  give(key: string): void;
}

export interface PermitsOptions {
  readonly perKey: number;
  /** The permits of all keys. Default: no limit. */
  readonly total?: number;
}

export function createPermits({ perKey, total = Infinity }: PermitsOptions): Permits {
  const { held, add } = countHeld();
  return {
    take: (key) => {
      if (held(key) >= perKey || held() >= total) return false;
      add(key, 1);
      return true;
    },
    give: (key) => add(key, -1),
  };
}

/**
 * Shares a number of permits among keys, such as accounts, without a queue. A key may hold up to `share` times the permits
 * that are free, so some stay free for every other key: with a share of 3, one key alone holds three quarters, and each
 * of n keys gets 3 of 1 + 3n parts (dynamic thresholds: Choudhury and Hahne, IEEE/ACM Transactions on Networking 6/2, 1998).
 */
export interface FairPermits {
  /** Takes permits for a key; false, and none taken, if that would exceed its share. The weight is at least 1. */
  take(key: string, weight?: number): boolean;
  /** Gives permits back that the key has taken. */
  give(key: string, weight?: number): void;
  /** Permits held by a key, or by all. */
  held(key?: string): number;
}

export interface FairPermitsOptions {
  /** The number of permits; it may change. While fewer exist than are held, none is given out. */
  readonly total: () => number;
  /** Default: 3. */
  readonly share?: number;
}

/** A key that holds nothing may take whatever is free. */
export function createFairPermits({ total, share = 3 }: FairPermitsOptions): FairPermits {
  const { held, add } = countHeld();
  return {
    take: (key, weight = 1) => {
      const own = held(key);
      const free = total() - held();
      if (free <= 0 || (weight > free && held() > 0)) return false;
      if (own > 0 && own + weight > share * free) return false;
      add(key, weight);
      return true;
    },
    give: (key, weight = 1) => add(key, -weight),
    held,
  };
}

/** Counts the permits of each key and of all. A key that holds none takes no memory. */
function countHeld() {
  const heldBy = new Map<string, number>();
  let heldByAll = 0;
  return {
    held: (key?: string) => (key === undefined ? heldByAll : (heldBy.get(key) ?? 0)),
    add: (key: string, weight: number) => {
      const held = (heldBy.get(key) ?? 0) + weight;
      if (held > 0) heldBy.set(key, held);
      else heldBy.delete(key);
      heldByAll += weight;
    },
  };
}

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
