import type { EventLog } from '../event-log/event-log.ts';
import type { Store } from '../store/store.ts';
import type { Clock, Random } from '@jobs-delete/runtime/time/clock';

export interface ExpiryOptions {
  readonly store: Pick<Store, 'expireReceipts'>;
  readonly eventLog: Pick<EventLog, 'expireEvents'>;
  readonly clock: Clock;
  /** Varies the intervals, so that workers do not run at the same time. */
  readonly random: Pick<Random, 'fraction'>;
  readonly receiptRetentionMs: number;
  readonly eventRetentionMs: number;
  readonly onError: (error: unknown) => void;
}

const everyMs = 600_000;
const retryMs = 60_000;
const pauseMs = 50;
const maxRecords = 500;

/**
 * Deletes expired receipts and processed events, in small batches, until a batch finds none. Any number of workers may do
 * this concurrently.
 */
export function startExpiry(options: ExpiryOptions): { stop(): Promise<void> } {
  const { store, eventLog, clock, random, onError } = options;
  const stopping = new AbortController();
  const { signal } = stopping;

  /** Sleeps for 0.5 to 1.5 times `ms`. */
  const sleepAbout = (ms: number) => clock.sleep(ms * (0.5 + random.fraction()), signal);
  const expireAll = async (expire: () => Promise<number>): Promise<boolean> => {
    try {
      while (!signal.aborted && (await expire()) > 0) await sleepAbout(pauseMs);
      return true;
    } catch (error) {
      onError(error);
      return false;
    }
  };
  const run = async () => {
    while (!signal.aborted) {
      const outcomes = [
        await expireAll(() => store.expireReceipts(options.receiptRetentionMs, maxRecords)),
        await expireAll(() => eventLog.expireEvents(clock.now() - options.eventRetentionMs, maxRecords)),
      ];
      await sleepAbout(outcomes.includes(false) ? retryMs : everyMs);
    }
  };
  const running = run();

  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}
