import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { EventLog } from '@jobs-delete/deleter-service/event-log/event-log';
import { openKafkaEventLog } from '@jobs-delete/deleter-service/event-log/kafka-event-log';
import { connectKafka, withAdmin } from '@jobs-delete/deleter-service/event-log/kafka/connect-kafka';
import { anEvent, createCollector, keysOf } from '@jobs-delete/deleter-service/testing/events';
import { deletionAcceptedTopic, jobsDeletedTopic } from '@jobs-delete/proto/events';
import type { KafkaUrl } from '@jobs-delete/runtime/config/storage-url';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../harness/until.ts';
import { describeWith } from '../servers/describe-with.ts';
import { startKafka, type KafkaServer } from '../servers/start-kafka.ts';
import { kafkaTargets } from '../servers/unique-storage.ts';

describeWith('own kafka', 'with two brokers', () => {
  let server: KafkaServer;
  let target: KafkaUrl;
  let log: EventLog | undefined;

  beforeAll(async () => {
    server = await startKafka({ brokers: 2 });
  });
  beforeEach(async () => {
    target = await kafkaTargets(`kafka://${server.brokers.join(',')}`).create();
  });
  afterEach(async () => {
    server.resume();
    await log?.close();
  });
  afterAll(() => server.stop());

  /** Moves all partitions of the topic to one broker. */
  const moveTo = (nodeId: number, topic: string) =>
    withAdmin(connectKafka(target).kafka, async (admin) => {
      const [metadata] = (await admin.fetchTopicMetadata({ topics: [topic] })).topics;
      const partitions = metadata?.partitions ?? [];
      // Without a partition on each broker, the test shows nothing.
      expect(new Set(partitions.map(({ leader }) => leader)).size).toBe(2);
      const partitionAssignment = partitions.map(({ partitionId: partition }) => ({
        partition,
        replicas: [nodeId],
      }));
      await admin.alterPartitionReassignments({ topics: [{ topic, partitionAssignment }] });
      await until(async () => {
        const [moved] = (await admin.fetchTopicMetadata({ topics: [topic] })).topics;
        return moved?.partitions.every(({ leader }) => leader === nodeId);
      });
    });

  test('no event is lost when a partition moves to a broker that has answered for its own partitions', async () => {
    const opened = await openKafkaEventLog(target);
    log = opened;
    const publish = (name: string) =>
      opened.publish(
        jobsDeletedTopic,
        Array.from({ length: 30 }, (_, index) => anEvent(`${name} ${String(index)}`)),
      );
    await publish('before');
    const [staying = '', ...leaving] = server.brokers;
    const { kafka, topicName } = connectKafka({ ...target, brokers: [staying] }, undefined, 1_000);
    const topic = topicName(jobsDeletedTopic);
    await moveTo(1, topic);
    // The producer still sends to the earlier leaders. The one that stays answers first.
    server.freeze(leaving);
    const publishAgainAfterFault = () =>
      publish('after').catch((error: unknown) => {
        expect(error).toMatchObject({ name: 'Fault' });
        return publish('after');
      });
    const countEvents = () =>
      withAdmin(kafka, async (admin) =>
        (await admin.fetchTopicOffsets(topic)).reduce((sum, { high }) => sum + Number(high), 0),
      );
    const resumeAfterAnswer = async () => {
      // The broker may still name an earlier leader, which does not answer now.
      await until(async () => (await countEvents().catch(() => 0)) > 30);
      server.resume();
    };
    await Promise.all([publishAgainAfterFault(), resumeAfterAnswer()]);
    const collector = createCollector();
    await opened.consume(jobsDeletedTopic, 'test.group', collector.handle);
    const arrived = () => new Set(keysOf(collector.events)).size;
    await until(() => arrived() === 60);
  });

  test('while one hangs, one publication waits for it, and the others go to the partitions of the other broker', async () => {
    const opened = await openKafkaEventLog(target, undefined, { publishTimeoutMs: 60_000 });
    log = opened;
    const publish = (name: string) => opened.publish(deletionAcceptedTopic, [anEvent(name)]);
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await publish(name);
    server.freeze(server.brokers.slice(1));
    const waiting = new Set<Promise<void>>();
    for (let index = 0; index < 12; index++) {
      const publication = publish(String(index)).then(() => void waiting.delete(publication));
      waiting.add(publication);
      await Promise.race([publication, delay(2_000)]);
    }
    expect(waiting.size).toBe(1);
    server.resume();
    await Promise.all(waiting);
  });
});
