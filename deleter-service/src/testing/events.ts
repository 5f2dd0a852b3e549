import { within } from '@jobs-delete/runtime/testing/within';
import type { BatchHandler, EventRecord, ReceivedEvent } from '../event-log/event-log.ts';

export function anEvent(key: string, value: string | Buffer = `value of ${key}`): EventRecord {
  return { key, headers: { ce_id: `id of ${key}`, ce_type: 'test' }, value: Buffer.from(value) };
}

/** As a log hands it over. */
export function received(event: EventRecord, position = 'topic/0/1'): ReceivedEvent {
  return { ...event, position };
}

export const keysOf = (events: readonly EventRecord[]): string[] =>
  events.map(({ key }) => key);

export interface Collector {
  readonly handle: BatchHandler;
  readonly events: readonly ReceivedEvent[];
  readonly batches: readonly (readonly ReceivedEvent[])[];
  /** Resolves with all the events, once there are at least `count`. */
  until(count: number): Promise<readonly ReceivedEvent[]>;
}

/** A handler that keeps what it is given. @param first runs before a batch is kept; it is not, if that rejects */
export function createCollector(first: BatchHandler = () => Promise.resolve()): Collector {
  const events: ReceivedEvent[] = [];
  const batches: (readonly ReceivedEvent[])[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  return {
    events,
    batches,
    handle: async (batch, control) => {
      await first(batch, control);
      batches.push(batch);
      events.push(...batch);
      for (const { count, resolve } of waiting) if (events.length >= count) resolve();
    },
    until: (count) => {
      const arrived = new Promise<readonly ReceivedEvent[]>((resolve) => {
        const done = () => resolve(events);
        if (events.length >= count) done();
        else waiting.push({ count, resolve: done });
      });
      return within(arrived, () => `${count} events; ${events.length} came`);
    },
  };
}

const gates = new Set<() => void>();

/** A promise and its release. The promise rejects when the release does not come. */
export function createGate(): { readonly opened: Promise<void>; open(): void } {
  const gate = new AbortController();
  const released = new Promise<void>((resolve) => gate.signal.addEventListener('abort', () => resolve()));
  const open = () => {
    gates.delete(open);
    gate.abort();
  };
  gates.add(open);
  return {
    get opened() {
      return within(released, () => 'the gate opens');
    },
    open,
  };
}

/** For the end of a test: after a failed assertion, a handler may still wait at a gate, and closing would wait for it. */
export function openGates(): void {
  for (const open of gates) open();
}
