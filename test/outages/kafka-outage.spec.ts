import type { KafkaUrl } from '@jobs-delete/runtime/config/storage-url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { EventLog } from '@jobs-delete/deleter-service/event-log/event-log';
import { openKafkaEventLog } from '@jobs-delete/deleter-service/event-log/kafka-event-log';
import { connectKafka, withAdmin } from '@jobs-delete/deleter-service/event-log/kafka/connect-kafka';
import { anEvent, createCollector, keysOf } from '@jobs-delete/deleter-service/testing/events';
import { deletionAcceptedTopic } from '@jobs-delete/proto/events';
import { Fault } from '@jobs-delete/runtime/fault';
import { until } from '../harness/until.ts';
import { describeWith } from '../servers/describe-with.ts';
import { startKafka, type KafkaServer } from '../servers/start-kafka.ts';
import { kafkaTargets } from '../servers/unique-storage.ts';

const group = 'test.group';
const publishTimeoutMs = 3_000;

describeWith('own kafka', 'the event log in a Kafka that fails', () => {
  let server: KafkaServer;
  let log: EventLog;
  let target: KafkaUrl;
  let warnings: string[];

  beforeAll(async () => {
    server = await startKafka();
  });
  afterAll(() => server.stop());

  beforeEach(async () => {
    warnings = [];
    target = await kafkaTargets(`kafka://${server.brokers.join(',')}`).create();
    log = await openKafkaEventLog(target, (message) => warnings.push(message), {
      publishTimeoutMs,
      sessionTimeoutMs: 6_000,
    });
  });
  afterEach(async () => {
    server.resume();
    await log.close();
  });

  const publish = (key: string) => log.publish(deletionAcceptedTopic, [anEvent(key)]);
  const faultOf = async (attempt: Promise<void>): Promise<Fault> => {
    const error = await attempt.then(
      () => new Error('the publication succeeded'),
      (reason: unknown) => reason,
    );
    if (error instanceof Fault) return error;
    throw error;
  };
  /** Returns how many events the group has processed, according to the broker. */
  const committed = async (): Promise<number> => {
    const { kafka, groupName, topicName } = connectKafka(target);
    return withAdmin(kafka, async (admin) => {
      const [topic] = await admin.fetchOffsets({
        groupId: groupName(group),
        topics: [topicName(deletionAcceptedTopic)],
      });
      return topic?.partitions.reduce((sum, { offset }) => sum + Math.max(0, Number(offset)), 0) ?? 0;
    });
  };
  /** Retries like the relay. */
  const publishUntilDone = async (key: string) => {
    const startedAt = performance.now();
    for (;;) {
      try {
        await publish(key);
        return;
      } catch (error) {
        expect(error).toMatchObject({ name: 'Fault', code: 'unavailable' });
        if (performance.now() - startedAt > 180_000) throw error;
      }
    }
  };

  test('publishing fails in time while the broker is killed, and works after its restart', async () => {
    await publish('before');
    await server.kill();
    const startedAt = performance.now();
    expect((await faultOf(publish('during'))).code).toBe('unavailable');
    expect(performance.now() - startedAt).toBeLessThan(publishTimeoutMs + 1_000);
    expect(await log.check()).toMatch(/^Kafka: /);
    await server.restart();
    await publishUntilDone('after');
    expect(await log.check()).toBeUndefined();
    const collector = createCollector();
    await log.consume(deletionAcceptedTopic, group, collector.handle);
    const arrived = (key: string) => keysOf(collector.events).includes(key);
    await until(() => arrived('before') && arrived('after'));
  });

  test('publishing to a silent broker fails in time, and another producer takes over', async () => {
    await publish('before');
    server.freeze();
    const startedAt = performance.now();
    const [one, two] = await Promise.all([faultOf(publish('during')), faultOf(publish('during too'))]);
    expect([one.code, two.code]).toEqual(['unavailable', 'unavailable']);
    expect(performance.now() - startedAt).toBeLessThan(publishTimeoutMs + 1_000);
    server.resume();
    await publishUntilDone('after');
  });

  test('events published around a broker restart reach the same consumer', async () => {
    const collector = createCollector();
    await log.consume(deletionAcceptedTopic, group, collector.handle);
    const published: string[] = [];
    let restarting: Promise<void> | undefined;
    for (let index = 0; index < 300; index++) {
      const key = `key${String(index)}`;
      if (index === 100) restarting = server.kill().then(() => server.restart());
      await publishUntilDone(key);
      published.push(key);
    }
    await restarting;
    await until(() => new Set(keysOf(collector.events)).size === 300);
    expect(new Set(keysOf(collector.events))).toEqual(new Set(published));
  });

  test('a consumer that kafkajs gives up is replaced, and processed events are not redelivered', async () => {
    const collector = createCollector();
    const consumer = await log.consume(deletionAcceptedTopic, group, collector.handle);
    await publish('before');
    await until(async () => (await committed()) === 1);
    await server.kill();
    await until(() => warnings.some((warning) => warning.includes('Crash')));
    await server.restart();
    await publishUntilDone('after');
    await until(() => keysOf(collector.events).includes('after'));
    expect(keysOf(collector.events).filter((key) => key === 'before')).toHaveLength(1);
    await consumer.stop();
  });

  test('a crashed consumer restarts within 10 s of the brokers’ return, before its old member leaves the group', async () => {
    const worker = await openKafkaEventLog(target, (message) => warnings.push(message));
    try {
      const collector = createCollector();
      await worker.consume(deletionAcceptedTopic, group, collector.handle);
      await publish('before');
      await until(async () => (await committed()) === 1);
      await server.kill();
      await until(() => warnings.some((warning) => warning.includes('Crash')));
      await server.restart();
      const returnedAt = performance.now();
      await publishUntilDone('after');
      await until(() => keysOf(collector.events).includes('after'));
      expect(performance.now() - returnedAt).toBeLessThan(10_000);
      expect(keysOf(collector.events).filter((key) => key === 'before')).toHaveLength(1);
    } finally {
      await worker.close();
    }
  });

  test('a consumer can be stopped during an outage, and processes nothing after it', async () => {
    const collector = createCollector();
    const consumer = await log.consume(deletionAcceptedTopic, group, collector.handle);
    await publish('before');
    await until(async () => (await committed()) === 1);
    await server.kill();
    const startedAt = performance.now();
    await consumer.stop();
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    await server.restart();
    await publishUntilDone('after');
    const next = createCollector();
    await log.consume(deletionAcceptedTopic, group, next.handle);
    await until(() => keysOf(next.events).includes('after'));
    expect(keysOf(collector.events)).toEqual(['before']);
  });
});
