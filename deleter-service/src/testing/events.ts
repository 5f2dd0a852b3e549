import type { Topic } from '@jobs-delete/proto/events';
import { within } from '@jobs-delete/runtime/testing/within';
import type { BatchHandler, EventLog, EventRecord, ReceivedEvent } from '../event-log/event-log.ts';

export function anEvent(key: string, value: string | Buffer = `value of ${key}`): EventRecord {
  return { key, headers: { ce_id: `id of ${key}`, ce_type: 'test' }, value: Buffer.from(value) };
}

/** Returns the event as a consumer receives it. */
export function received(event: EventRecord, position = 'topic/0/1'): ReceivedEvent {
  return { ...event, position };
}

export const keysOf = (events: readonly EventRecord[]): string[] => events.map(({ key }) => key);

export interface Collector {
  readonly handle: BatchHandler;
  readonly events: readonly ReceivedEvent[];
  readonly batches: readonly (readonly ReceivedEvent[])[];
  /** Resolves to all events as soon as there are at least `count`. */
  until(count: number): Promise<readonly ReceivedEvent[]>;
}

/** Creates a handler that collects events. @param first runs before each batch; if it rejects, the batch is not kept */
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

/** Creates a promise and the function that resolves it. The promise rejects if the function is never called. */
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

/** Opens all gates at the end of a test: after a failed assertion a handler may still wait, and closing waits for it. */
export function openGates(): void {
  for (const open of gates) open();
}

/** Returns how many events the group has not processed. */
export async function sumOfLag(
  log: Pick<EventLog, 'measureLag'>,
  topic: Topic,
  group: string,
): Promise<number> {
  return (await log.measureLag(topic, group)).reduce((sum, { events }) => sum + events, 0);
}
