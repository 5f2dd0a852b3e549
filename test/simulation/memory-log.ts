import type {
  BatchHandler,
  DeadLetter,
  EventLog,
  EventRecord,
  ReceivedEvent,
} from '@jobs-delete/deleter-service/event-log/event-log';
import { deletionAcceptedTopic, topics, type Topic } from '@jobs-delete/proto/events';
import { Fault } from '@jobs-delete/runtime/fault';
import type { Link, Troubles } from './link.ts';
import type { Process, World } from './world.ts';

export const partitionCount = 3;
const sessionMs = 10_000;

/** Names a partition for `Troubles`. */
export function partitionName(topic: Topic, partition: number): string {
  return `${topic}/${String(partition)}`;
}

/** The brokers: partitions, groups with their offsets, and dead letters. */
export class MemoryBroker {
  readonly letters = new Map<string, DeadLetter>();
  onPublished: (topic: Topic, events: readonly EventRecord[]) => void = () => undefined;
  readonly #world: World;
  readonly #troubles: Troubles;
  readonly #partitions = new Map<string, ReceivedEvent[]>();
  readonly #groups = new Map<string, Group>();
  #publications = 0;

  constructor(world: World, troubles: Troubles) {
    this.#world = world;
    this.#troubles = troubles;
    for (const topic of topics)
      for (let partition = 0; partition < partitionCount; partition++)
        this.#partitions.set(partitionName(topic, partition), []);
  }

  eventsOf(topic: Topic, partition: number): readonly ReceivedEvent[] {
    return this.#partitions.get(partitionName(topic, partition)) ?? [];
  }

  /** A publication of accepted deletions goes to one partition; events of other topics go by their keys. */
  partitionsFor(topic: Topic, events: readonly EventRecord[]): number[] {
    this.#publications += 1;
    if (topic === deletionAcceptedTopic) return events.map(() => this.#publications % partitionCount);
    return events.map(({ key }) => key.length % partitionCount);
  }

  append(topic: Topic, events: readonly EventRecord[], partitions: readonly number[]): void {
    for (const [index, event] of events.entries()) {
      const name = partitionName(topic, partitions[index] ?? 0);
      const partition = this.#partitions.get(name) ?? [];
      partition.push({ ...event, position: `${name}/${String(partition.length)}` });
    }
    this.onPublished(topic, events);
    for (const group of this.#groups.values()) group.pumpAll();
  }

  group(topic: Topic, name: string): Group {
    const key = `${topic} ${name}`;
    const group =
      this.#groups.get(key) ??
      new Group({
        world: this.#world,
        eventsOf: (partition) => this.eventsOf(topic, partition),
        isReached: ({ name: process }, partition) =>
          this.#troubles.isReached(process, partition === undefined ? '' : partitionName(topic, partition)),
      });
    this.#groups.set(key, group);
    return group;
  }

  groups(): Group[] {
    return [...this.#groups.values()];
  }
}

interface GroupOptions {
  readonly world: World;
  readonly eventsOf: (partition: number) => readonly ReceivedEvent[];
  /** Returns whether the process reaches the partition, or the brokers at all. */
  readonly isReached: (process: Process, partition?: number) => boolean;
}

interface Member {
  readonly process: Process;
  readonly handle: BatchHandler;
  /** The batches in progress, by partition. */
  readonly busy: Map<number, AbortController>;
  seenAtMs: number;
  isStopped: boolean;
}

interface Fetched {
  readonly partition: number;
  readonly from: number;
  readonly events: readonly ReceivedEvent[];
}

/** A consumer group. Each partition belongs to one member, until the member is silent for the time of a session. */
class Group {
  readonly #world: World;
  readonly #eventsOf: GroupOptions['eventsOf'];
  readonly #isReached: GroupOptions['isReached'];
  readonly #offsets = new Map<number, number>();
  readonly #owners = new Map<number, Member>();
  readonly #evicted = new Set<Member>();
  #members: Member[] = [];
  #shift = 0;

  constructor({ world, eventsOf, isReached }: GroupOptions) {
    this.#world = world;
    this.#eventsOf = eventsOf;
    this.#isReached = isReached;
  }

  offset(partition: number): number {
    return this.#offsets.get(partition) ?? 0;
  }

  lag(): number[] {
    return partitions.map((one) => this.#eventsOf(one).length - this.offset(one));
  }

  join(process: Process, handle: BatchHandler): Member {
    const member = { process, handle, busy: new Map(), seenAtMs: this.#world.nowMs, isStopped: false };
    this.#members.push(member);
    this.rebalance();
    return member;
  }

  leave(member: Member): void {
    member.isStopped = true;
    this.#members = this.#members.filter((one) => one !== member);
    for (const batch of member.busy.values()) batch.abort();
    this.rebalance();
  }

  rebalance(): void {
    this.#shift += 1;
    for (const partition of partitions) {
      const owner = this.#members[(partition + this.#shift) % this.#members.length];
      if (owner === undefined) this.#owners.delete(partition);
      else this.#owners.set(partition, owner);
    }
    this.pumpAll();
  }

  /** Ends the membership of silent members. Those that are back join again. Called about once a second. */
  watchMembers(): void {
    const { nowMs } = this.#world;
    for (const member of [...this.#members]) {
      if (member.busy.size === 0 && this.#isAlive(member)) member.seenAtMs = nowMs;
      if (nowMs - member.seenAtMs <= sessionMs) continue;
      this.#members = this.#members.filter((one) => one !== member);
      this.#evicted.add(member);
      this.rebalance();
    }
    for (const member of this.#evicted) {
      if (!this.#isAlive(member) || member.busy.size > 0 || member.isStopped) continue;
      this.#evicted.delete(member);
      member.seenAtMs = nowMs;
      this.#members.push(member);
      this.rebalance();
    }
    this.pumpAll();
  }

  #isAlive({ process }: Member): boolean {
    return process.state === 'running' && this.#isReached(process);
  }

  pumpAll(): void {
    for (const partition of partitions) this.#pump(partition);
  }

  #pump(partition: number): void {
    const owner = this.#owners.get(partition);
    if (owner === undefined || owner.busy.has(partition) || !this.#isReached(owner.process, partition))
      return;
    const from = this.offset(partition);
    const events = this.#eventsOf(partition).slice(from, from + this.#world.between(1, this.#world.maxBatch));
    if (events.length === 0) return;
    const batch = new AbortController();
    owner.busy.set(partition, batch);
    this.#world.after(this.#world.between(0, 3), () =>
      owner.process.deliver(() => void this.#handle(owner, { partition, from, events }, batch)),
    );
  }

  async #handle(member: Member, { partition, from, events }: Fetched, batch: AbortController): Promise<void> {
    const world = this.#world;
    const isOwner = () => this.#owners.get(partition) === member;
    const isReached = () => this.#isReached(member.process, partition);
    const control = {
      signal: batch.signal,
      heartbeat: async () => {
        await member.process.receive(world.sleep(world.between(0, 2)));
        if (!isOwner()) batch.abort();
        batch.signal.throwIfAborted();
        if (!isReached()) throw new Fault('unavailable', 'no broker answers the heartbeat');
        member.seenAtMs = world.nowMs;
      },
    };
    let pauseMs = world.between(0, 3);
    let isProcessed = false;
    try {
      await member.handle(events, control);
      isProcessed = true;
    } catch {
      pauseMs = world.between(100, 1_000);
    }
    world.after(pauseMs, () => {
      if (isProcessed && isOwner() && isReached() && member.process.state !== 'dead')
        this.#offsets.set(partition, Math.max(from + events.length, this.offset(partition)));
      member.busy.delete(partition);
      this.#pump(partition);
    });
  }
}

const partitions = Array.from({ length: partitionCount }, (_, index) => index);

/** The event log of one process. */
export function openMemoryLog(broker: MemoryBroker, process: Process, link: Link): EventLog {
  const publish: EventLog['publish'] = (topic, events) => {
    const chosen = broker.partitionsFor(topic, events);
    const names = [...new Set(chosen.map((partition) => partitionName(topic, partition)))];
    return link.call(names, () => {
      broker.append(topic, events, chosen);
      return Promise.resolve();
    });
  };
  return {
    publish,
    consume: async (topic, name, handle) => {
      await link.call([], () => Promise.resolve());
      const group = broker.group(topic, name);
      const member = group.join(process, handle);
      return {
        ended: new Promise(() => undefined),
        stop: () => {
          group.leave(member);
          return Promise.resolve();
        },
      };
    },
    measureLag: (topic, name) => {
      const group = broker.group(topic, name);
      return Promise.resolve(
        group.lag().map((events, partition) => ({ partition, events, processed: group.offset(partition) })),
      );
    },
    expireEvents: () => Promise.resolve(0),
    addDeadLetters: (letters) =>
      link.call([], () => {
        for (const letter of letters) broker.letters.set(letter.id, letter);
        return Promise.resolve();
      }),
    listDeadLetters: (max) => Promise.resolve([...broker.letters.values()].slice(0, max)),
    replayDeadLetter: async (id) => {
      const letter = broker.letters.get(id);
      if (letter === undefined) return false;
      const { key, headers, value } = letter.event;
      await publish(deletionAcceptedTopic, [{ key, headers, value }]);
      return broker.letters.delete(id);
    },
    discardDeadLetter: (id) => Promise.resolve(broker.letters.delete(id)),
    check: () => Promise.resolve(undefined),
    close: () => Promise.resolve(),
  };
}
