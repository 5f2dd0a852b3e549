import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import type { EventLog } from '@jobs-delete/deleter-service/event-log/event-log';
import { openKafkaEventLog } from '@jobs-delete/deleter-service/event-log/kafka-event-log';
import { connectKafka, withAdmin } from '@jobs-delete/deleter-service/event-log/kafka/connect-kafka';
import type { KafkaUrl } from '@jobs-delete/runtime/config/storage-url';
import {
  anEvent,
  createCollector,
  createGate,
  keysOf,
  received,
  sumOfLag,
} from '@jobs-delete/deleter-service/testing/events';
import { deletionAcceptedTopic } from '@jobs-delete/proto/events';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../harness/until.ts';
import { describeWith } from '../servers/describe-with.ts';
import { kafkaTargets } from '../servers/unique-storage.ts';

const group = 'test.group';
const numbered = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => anEvent(`key${String(from + index)}`));

describeWith('kafka', 'delivery by Kafka', (serverUrl) => {
  const targets = kafkaTargets(serverUrl);
  let target: KafkaUrl;
  let logs: EventLog[] = [];
  /** Opens the log like another process. */
  const open = async () => {
    // The minimum session timeout that the broker allows.
    const log = await openKafkaEventLog(target, undefined, { sessionTimeoutMs: 6_000 });
    logs.push(log);
    return log;
  };

  beforeEach(async () => {
    target = await targets.create();
    logs = [];
  });
  afterEach(async () => {
    for (const log of logs) await log.close();
  });
  afterAll(() => targets.removeAll());

  test('a publication of any size is split into requests that the broker accepts', async () => {
    const log = await open();
    const text = 'x'.repeat(60_000);
    const events = numbered(1_000).map((event) => ({ ...event, value: Buffer.from(text) }));
    await log.publish(deletionAcceptedTopic, events);
    const keys = new Set<string>();
    let bytes = 0;
    await log.consume(deletionAcceptedTopic, group, (batch) => {
      for (const { key, value } of batch) {
        keys.add(key);
        bytes += value.length;
      }
      return Promise.resolve();
    });
    await until(() => keys.size === 1_000);
    expect(bytes).toBe(60_000_000);
  });

  test('an event almost at the limit of the broker is published alone', async () => {
    const log = await open();
    const large = { ...anEvent('large'), value: Buffer.alloc(1_000_000, 'x') };
    await log.publish(deletionAcceptedTopic, [anEvent('a'), large, anEvent('b')]);
    const collector = createCollector();
    await log.consume(deletionAcceptedTopic, group, collector.handle);
    expect(keysOf(await collector.until(3)).sort()).toEqual(['a', 'b', 'large']);
  });

  test('an event above the limit of the broker is refused with a Fault, and the log stays usable', async () => {
    const log = await open();
    const tooLarge = { ...anEvent('large'), value: Buffer.alloc(1_500_000, 'x') };
    await expect(log.publish(deletionAcceptedTopic, [tooLarge])).rejects.toMatchObject({ name: 'Fault' });
    await log.publish(deletionAcceptedTopic, [anEvent('small')]);
  });

  test('the largest possible event fits the dead letters, with a long reason', async () => {
    const log = await open();
    const event = received({ ...anEvent('large'), value: Buffer.alloc(1_048_000, 'x') });
    const letter = { id: 'one', reason: 'é'.repeat(5_000), attempts: 1, failedAtMs: 1, event };
    await log.addDeadLetters([letter, { ...letter, id: 'two' }]);
    expect((await log.listDeadLetters(10)).map(({ id }) => id)).toEqual(['one', 'two']);
    expect(await log.replayDeadLetter('two')).toBe(true);
    const collector = createCollector();
    await log.consume(deletionAcceptedTopic, group, collector.handle);
    expect((await collector.until(1))[0]?.value.equals(event.value)).toBe(true);
  });

  test('another process can list, replay and discard dead letters', async () => {
    const [log, operator] = [await open(), await open()];
    const letter = { reason: 'poison', attempts: 1, failedAtMs: 1 };
    await log.addDeadLetters(
      ['one', 'two', 'three'].map((id) => ({ ...letter, id, event: received(anEvent(`key of ${id}`)) })),
    );
    expect(await operator.replayDeadLetter('one')).toBe(true);
    expect(await operator.discardDeadLetter('two')).toBe(true);
    expect((await log.listDeadLetters(10)).map(({ id }) => id)).toEqual(['three']);
    const collector = createCollector();
    await log.consume(deletionAcceptedTopic, group, collector.handle);
    expect(keysOf(await collector.until(1))).toEqual(['key of one']);
  });

  test('each publication goes to one partition, in turn, and is delivered as one batch', async () => {
    const publisher = await open();
    for (const from of [0, 50, 100]) await publisher.publish(deletionAcceptedTopic, numbered(50, from));
    const collector = createCollector();
    await (await open()).consume(deletionAcceptedTopic, group, collector.handle);
    const events = await collector.until(150);
    expect(collector.batches.map(({ length }) => length)).toEqual([50, 50, 50]);
    const partitions = new Set(events.map(({ position }) => position.split('/').at(-2)));
    expect(partitions.size).toBe(3);
  });

  test('two members share the partitions, and one takes over when the other leaves', async () => {
    const [first, second] = [createCollector(), createCollector()];
    const [one, two, publisher] = [await open(), await open(), await open()];
    const consumer = await one.consume(deletionAcceptedTopic, group, first.handle);
    await two.consume(deletionAcceptedTopic, group, second.handle);
    let published = 0;
    const publish = async () => {
      await publisher.publish(deletionAcceptedTopic, numbered(10, published));
      published += 10;
    };
    const seen = () => new Set(keysOf([...first.events, ...second.events])).size;
    await until(async () => {
      await publish();
      return first.events.length > 0 && second.events.length > 0;
    });
    await until(() => seen() === published);
    await consumer.stop();
    const [ofFirst, before] = [first.events.length, published];
    // One call per partition.
    for (let call = 0; call < 4; call++) await publish();
    const later = keysOf(numbered(published - before, before));
    const arrived = () => new Set(keysOf(second.events));
    await until(() => later.every((key) => arrived().has(key)));
    expect(first.events).toHaveLength(ofFirst);
    expect(seen()).toBe(published);
  });

  test('a member leaves its batch when another one joins, and the batch is processed once', async () => {
    const [one, two] = [await open(), await open()];
    await one.publish(deletionAcceptedTopic, numbered(30));
    const [started, left] = [createGate(), createGate()];
    let reason: unknown;
    const collector = createCollector(async (_, { heartbeat, signal }) => {
      if (reason !== undefined) return;
      started.open();
      // Ends at the abort: the group waits for this member.
      while (!signal.aborted) {
        await heartbeat().catch(() => undefined);
        await delay(20);
      }
      reason = signal.reason;
      left.open();
      await heartbeat();
    });
    await one.consume(deletionAcceptedTopic, group, collector.handle);
    await started.opened;
    const joined = createCollector();
    await two.consume(deletionAcceptedTopic, group, joined.handle);
    await left.opened;
    expect(reason).toMatchObject({ type: 'REBALANCE_IN_PROGRESS' });
    const all = () => keysOf([...collector.events, ...joined.events]);
    await until(() => new Set(all()).size === 30);
    expect(all()).toHaveLength(30);
    expect(collector.batches.length + joined.batches.length).toBe(1);
  });

  test('events deleted by retention do not count as lag', async () => {
    const log = await open();
    const lag = () => sumOfLag(log, deletionAcceptedTopic, group);
    const { kafka, topicName } = connectKafka(target);
    const topic = topicName(deletionAcceptedTopic);
    /** Deletes all but the last `keep` events of each partition, like the broker after retention.ms. */
    const expire = (keep: number) =>
      withAdmin(kafka, async (admin) => {
        const ends = await admin.fetchTopicOffsets(topic);
        const partitions = ends
          .filter(({ low, high }) => Number(high) - Number(low) > keep)
          .map(({ partition, high }) => ({ partition, offset: String(Number(high) - keep) }));
        await admin.deleteTopicRecords({ topic, partitions });
      });
    for (let from = 0; from < 80; from += 10) await log.publish(deletionAcceptedTopic, numbered(10, from));
    expect(await lag()).toBe(80);
    await expire(4);
    expect(await lag()).toBe(12);

    const collector = createCollector();
    const consumer = await log.consume(deletionAcceptedTopic, group, collector.handle);
    await collector.until(12);
    await consumer.stop();
    expect(await lag()).toBe(0);
    for (let from = 80; from < 160; from += 10) await log.publish(deletionAcceptedTopic, numbered(10, from));
    expect(await lag()).toBe(80);
    // The group's offsets are now before the first remaining event.
    await expire(1);
    expect(await lag()).toBe(3);
  });

  test('heartbeats keep a batch with its member for longer than a session', async () => {
    const [one, two] = [await open(), await open()];
    await one.publish(deletionAcceptedTopic, [anEvent('one')]);
    let handlings = 0;
    const collector = createCollector(async (_, { heartbeat, signal }) => {
      handlings++;
      for (let second = 0; second < 9; second++) {
        await delay(1_000);
        await heartbeat();
      }
      expect(signal.aborted).toBe(false);
    });
    await one.consume(deletionAcceptedTopic, group, collector.handle);
    await until(() => handlings === 1);
    await collector.until(1);
    const rest = createCollector();
    await two.consume(deletionAcceptedTopic, group, rest.handle);
    await two.publish(deletionAcceptedTopic, [anEvent('two')]);
    await until(() => [...collector.events, ...rest.events].some(({ key }) => key === 'two'));
    expect(handlings + rest.events.length).toBe(2);
  });

  test('a failing handler is called with pauses and does not block other partitions', async () => {
    const log = await open();
    const attempts: number[] = [];
    const collector = createCollector((batch) => {
      if (!keysOf(batch).includes('poison')) return Promise.resolve();
      attempts.push(performance.now());
      return Promise.reject(new Error('no'));
    });
    await log.publish(deletionAcceptedTopic, [anEvent('poison')]);
    await log.consume(deletionAcceptedTopic, group, collector.handle);
    await until(() => attempts.length >= 1);
    await log.publish(deletionAcceptedTopic, numbered(30));
    await until(() => collector.events.length > 0);
    await delay(1_000);
    expect(attempts.length).toBeLessThan(30);
  });

  test('a batch that never ends gives its partition up, and the other partitions of the broker go on', async () => {
    const log = await openKafkaEventLog(target, undefined, {
      sessionTimeoutMs: 6_000,
      batchTimeoutMs: 1_000,
    });
    logs.push(log);
    let stuck = 0;
    const aborted: unknown[] = [];
    const collector = createCollector((batch, { signal }) => {
      if (stuck === 2 || !keysOf(batch).includes('stuck')) return Promise.resolve();
      stuck += 1;
      signal.addEventListener('abort', () => aborted.push(signal.reason));
      return new Promise(() => undefined);
    });
    await log.publish(deletionAcceptedTopic, [anEvent('stuck')]);
    await log.consume(deletionAcceptedTopic, group, collector.handle);
    await until(() => stuck === 1);
    // The next publications go to the other partitions.
    for (const from of [0, 10]) await log.publish(deletionAcceptedTopic, numbered(10, from));
    await until(() => new Set(keysOf(collector.events)).size >= 20);
    expect(aborted.map(String)).toContain('Error: the batch did not end within 1000 ms');
    // The batch is delivered again, until it ends.
    await until(() => keysOf(collector.events).includes('stuck'));
  });
});
