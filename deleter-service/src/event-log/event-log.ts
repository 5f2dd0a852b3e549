import type { Topic } from '@jobs-delete/proto/events';

/**
 * The transport between relay and worker. The database is the truth: an event may come twice, late, or, after a
 * republication, again. Every adapter keeps what stands here, and event-log.contract.ts holds it to that.
 */
export interface EventLog extends DeadLetters {
  /** Resolves when every event is durable; otherwise rejects with a Fault, and some may be on the log. */
  publish(topic: Topic, events: readonly OutgoingEvent[]): Promise<void>;
  /**
   * Hands over what the group has not processed yet, a batch at a time: oldest first within one publication of
   * accepted deletions, and within a key on the topics that others read. A batch counts as processed once `handle`
   * has resolved; if it rejects, or the process dies, the batch comes again.
   */
  consume(topic: Topic, group: string, handle: BatchHandler): Promise<Consumer>;
  /** How many events of the topic the group has not processed yet; from 100,000 on it may be told as that. */
  measureLag(topic: Topic, group: string): Promise<number>;
  /** Forgets events of before this time that every group has processed. @returns how many */
  expireEvents(beforeMs: number, maxEvents: number): Promise<number>;
  /** What keeps the log from being used, or undefined. */
  check(): Promise<string | undefined>;
  close(): Promise<void>;
}

export interface OutgoingEvent {
  readonly key: string;
  /** Its header `ce_id`. */
  readonly id: string;
  /** The others. Events of one moment have the object itself in common, so that it is encoded once. */
  readonly headers: Readonly<Record<string, string>>;
  /** A text as UTF-8. */
  readonly value: string | Buffer;
}

/** As it stands on the log. */
export interface EventRecord {
  readonly key: string;
  /** All of them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly value: Buffer;
}

/** What comes of an event that is published. */
export function recordOf({ key, id, headers, value }: OutgoingEvent): EventRecord {
  return { key, headers: { ce_id: id, ...headers }, value: Buffer.from(value) };
}

export interface ReceivedEvent extends EventRecord {
  /** Where it stands on the log: unique and stable. */
  readonly position: string;
}

export type BatchHandler = (events: readonly ReceivedEvent[], batch: BatchControl) => Promise<void>;

export interface BatchControl {
  /**
   * To be called at least every few seconds while a batch takes long, so that the group keeps it here. Rejects when the
   * batch is no longer this consumer's.
   */
  heartbeat(): Promise<void>;
  /** Aborted when the batch is no longer this consumer's, or the consumer stops: leave it at once, unprocessed. */
  readonly signal: AbortSignal;
}

export interface Consumer {
  /** Lets the batch at hand finish or be left, then resolves. */
  stop(): Promise<void>;
  /** Rejects when the consumer has ended for good without being stopped. */
  readonly ended: Promise<void>;
}

export interface DeadLetters {
  /** One that is there already, by its id, is replaced. */
  addDeadLetters(letters: readonly DeadLetter[]): Promise<void>;
  /** Oldest first. */
  listDeadLetters(max: number): Promise<DeadLetter[]>;
  /** Puts the original bytes on the topic again, then discards the letter. @returns false if there is no such letter */
  replayDeadLetter(id: string): Promise<boolean>;
  /** @returns false if there is no such letter */
  discardDeadLetter(id: string): Promise<boolean>;
}

/** An event that could not be processed, with its original bytes. */
export interface DeadLetter {
  /** The event's `ce_id` where it has one, else its position. */
  readonly id: string;
  readonly reason: string;
  readonly attempts: number;
  readonly failedAtMs: number;
  readonly event: ReceivedEvent;
}
