import type { Topic } from '@jobs-delete/proto/events';

/**
 * Carries events between relay and worker. The database is the truth: an event may arrive late, twice, or again after a
 * republication. event-log.contract.ts tests these rules for every adapter.
 */
export interface EventLog extends DeadLetters {
  /** Resolves when every event is durable. Rejects with a Fault otherwise; some events may be on the log then. */
  publish(topic: Topic, events: readonly EventRecord[]): Promise<void>;
  /**
   * Calls `handle` with the events that the group has not processed, one batch at a time. The order is kept within one
   * publication of accepted deletions, and within a key on other topics. A batch is processed when `handle` resolves.
   * It is delivered again if `handle` rejects or the process dies.
   */
  consume(topic: Topic, group: string, handle: BatchHandler): Promise<Consumer>;
  /** Returns for each partition how many events the group has not processed. An adapter may stop counting at 100,000. */
  measureLag(topic: Topic, group: string): Promise<PartitionLag[]>;
  /** Deletes events published before this time that every group has processed. Returns how many. */
  expireEvents(beforeMs: number, maxEvents: number): Promise<number>;
  /** Returns why the log is unusable, or undefined. */
  check(): Promise<string | undefined>;
  close(): Promise<void>;
}

export interface PartitionLag {
  readonly partition: number;
  readonly events: number;
  /** The offset up to which the group has processed the partition. */
  readonly processed: number;
}

export interface EventRecord {
  readonly key: string;
  /** All headers. `ce_id` is the event's id. */
  readonly headers: Readonly<Record<string, string>>;
  readonly value: Buffer;
}

export interface ReceivedEvent extends EventRecord {
  /** The place on the log: unique and stable. */
  readonly position: string;
}

export type BatchHandler = (events: readonly ReceivedEvent[], batch: BatchControl) => Promise<void>;

export interface BatchControl {
  /** Keeps the batch with this consumer. Call it every few seconds. Rejects when the batch belongs to another one. */
  heartbeat(): Promise<void>;
  /** Aborted when the consumer stops or loses the batch. The handler must then leave the batch unprocessed. */
  readonly signal: AbortSignal;
}

export interface Consumer {
  /** Aborts the batch signal and resolves when the handler has ended. */
  stop(): Promise<void>;
  /** Rejects when the consumer has failed and is not replaced. */
  readonly ended: Promise<void>;
}

export interface DeadLetters {
  /** Replaces a letter that has the same id. */
  addDeadLetters(letters: readonly DeadLetter[]): Promise<void>;
  /** Returns the oldest letters first. */
  listDeadLetters(max: number): Promise<DeadLetter[]>;
  /** Publishes the original event again, then discards the letter. Returns false if there is no such letter. */
  replayDeadLetter(id: string): Promise<boolean>;
  /** Returns false if there is no such letter. */
  discardDeadLetter(id: string): Promise<boolean>;
}

/** An event that could not be processed, with its original bytes. */
export interface DeadLetter {
  /** The event's `ce_id`, or its position if it has none. */
  readonly id: string;
  readonly reason: string;
  readonly attempts: number;
  readonly failedAtMs: number;
  readonly event: ReceivedEvent;
}
