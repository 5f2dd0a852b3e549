import type { EventLog } from '../event-log/event-log.ts';
import type { ReceiptStore } from '../store/store.ts';
import type { Clock } from './clock.ts';

export interface ExpiryOptions {
  readonly store: Pick<ReceiptStore, 'expireReceipts'>;
  readonly eventLog: Pick<EventLog, 'expireEvents'>;
  readonly clock: Clock;
  readonly receiptRetentionMs: number;
  readonly eventRetentionMs: number;
  readonly onError: (error: unknown) => void;
}

const everyMs = 600_000;
const maxRecords = 500;

/** Deletes receipts and processed events past their time, a little at a time. */
export function startExpiry(options: ExpiryOptions): { stop(): Promise<void> } {
  const { store, eventLog, clock, onError } = options;
  const stopping = new AbortController();

  const repeat = async (expire: () => Promise<number>) => {
    while (!stopping.signal.aborted && (await expire()) === maxRecords)
      await clock.sleep(50, stopping.signal);
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        await repeat(() => store.expireReceipts(clock.now() - options.receiptRetentionMs, maxRecords));
        await repeat(() => eventLog.expireEvents(clock.now() - options.eventRetentionMs, maxRecords));
      } catch (error) {
        onError(error);
      }
      await clock.sleep(everyMs, stopping.signal);
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
