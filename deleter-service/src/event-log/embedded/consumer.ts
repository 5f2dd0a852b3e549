import type { Topic } from '@jobs-delete/proto/events';
import type { Called } from '@jobs-delete/runtime/sqlite/sqlite-calls';
import { backoffMs, nextTurn, type Clock, type Random } from '@jobs-delete/runtime/time/clock';
import type { BatchHandler, Consumer } from '../event-log.ts';
import { fromPlainEvent, type prepareEvents } from './events.ts';

type Events = Pick<Called<ReturnType<typeof prepareEvents>>, 'readNext' | 'saveOffset'>;

export interface ConsumerOptions {
  readonly topic: Topic;
  readonly group: string;
  readonly handle: BatchHandler;
  readonly maxBatch: number;
  readonly pollMs: number;
  readonly clock: Clock;
  readonly random: Random;
}

export interface EmbeddedConsumer extends Consumer {
  /** Looks for new events at once. */
  wake(): void;
}

/** Reads batches from the group's offset on. Moves the offset after each processed batch. */
export function startConsumer(events: Events, options: ConsumerOptions): EmbeddedConsumer {
  const { topic, group, clock } = options;
  const stopping = new AbortController();
  const control = { heartbeat: () => Promise.resolve(), signal: stopping.signal };
  let waiting: AbortController | undefined;
  let wakes = 0;

  const pause = async (ms: number) => {
    waiting = new AbortController();
    if (stopping.signal.aborted) return;
    await clock.sleep(ms, waiting.signal);
    waiting = undefined;
  };

  /** Returns false if there are no new events. */
  const processBatch = async (): Promise<boolean> => {
    const batch = await events.readNext(topic, group, options.maxBatch);
    const last = batch.at(-1);
    if (last === undefined) return false;
    const received = batch.map(({ seq, event }) => ({
      ...fromPlainEvent(event),
      position: `${topic}/0/${String(seq)}`,
    }));
    await options.handle(received, control);
    await events.saveOffset(topic, group, last.seq);
    return true;
  };

  const run = async () => {
    let failures = 0;
    while (!stopping.signal.aborted) {
      const wakesBefore = wakes;
      try {
        const busy = await processBatch();
        failures = 0;
        if (busy) await nextTurn(clock);
        else if (wakes === wakesBefore) await pause(options.pollMs);
      } catch {
        // The handler or the file failed. The offset has not moved, so the next attempt reads the same batch.
        failures += 1;
        await pause(backoffMs(failures, options.random));
      }
    }
  };
  const running = run();

  return {
    ended: new Promise(() => undefined),
    wake: () => {
      wakes += 1;
      waiting?.abort();
    },
    stop: () => {
      stopping.abort();
      waiting?.abort();
      return running;
    },
  };
}
