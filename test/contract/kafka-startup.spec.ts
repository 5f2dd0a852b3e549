import { afterAll, expect, test } from '@jest/globals';
import { openKafkaEventLog } from '@jobs-delete/deleter-service/event-log/kafka-event-log';
import {
  connectKafka,
  withAdmin,
  type KafkaConnection,
} from '@jobs-delete/deleter-service/event-log/kafka/connect-kafka';
import { createTopics, reportTopics } from '@jobs-delete/deleter-service/event-log/kafka/topics';
import { anEvent, createCollector, keysOf } from '@jobs-delete/deleter-service/testing/events';
import { deletionAcceptedTopic, topics, type Topic } from '@jobs-delete/proto/events';
import { until } from '../harness/until.ts';
import { describeWith } from '../servers/describe-with.ts';
import { refusalOf } from './refusal-of.ts';
import { kafkaTargets } from '../servers/unique-storage.ts';

describeWith('kafka', 'opening the event log in Kafka', (serverUrl) => {
  const targets = kafkaTargets(serverUrl);
  afterAll(() => targets.removeAll());
  const remove = async (connection: KafkaConnection, topic: Topic) => {
    await withAdmin(connection.kafka, async (admin) => {
      await admin.deleteTopics({ topics: [connection.topicName(topic)] });
      await until(async () => !(await admin.listTopics()).includes(connection.topicName(topic)));
    });
  };
  const options = { partitions: 2, replicationFactor: 1 };

  test('the error names missing topics and the command that creates them', async () => {
    const target = targets.createBare();
    const names = topics.map((topic) => `${target.prefix ?? ''}${topic}`).join(', ');
    const refusal = await refusalOf(openKafkaEventLog(target));
    expect(refusal).toBe(`The event log lacks topics: ${names}. Run: jobs-delete topics create`);
  });

  test('concurrent calls create the topics once, and creating them again changes nothing', async () => {
    const connection = connectKafka(targets.createBare());
    await Promise.all([1, 2, 3].map(() => createTopics(connection, options)));
    await createTopics(connection, { ...options, partitions: 7 });
    expect(await reportTopics(connection)).toEqual(
      topics.map((topic) => ({ topic: connection.topicName(topic), state: 'present' })),
    );
    const metadata = await withAdmin(connection.kafka, (admin) =>
      admin.fetchTopicMetadata({ topics: topics.map(connection.topicName) }),
    );
    expect(metadata.topics.map(({ partitions }) => partitions.length).sort()).toEqual([1, 2, 2, 2]);
  });

  test('one missing topic is refused, and is created without changing the others', async () => {
    const target = await targets.create();
    const connection = connectKafka(target);
    await remove(connection, deletionAcceptedTopic);
    expect(await refusalOf(openKafkaEventLog(target))).toMatch(
      /lacks topics: test-\w+\.jobs\.deletion-accepted\.v1\. Run/,
    );
    await createTopics(connection, options);
    await (await openKafkaEventLog(target)).close();
  });

  test('the health check fails when a topic is deleted later', async () => {
    const target = await targets.create();
    const log = await openKafkaEventLog(target);
    const connection = connectKafka(target);
    await remove(connection, deletionAcceptedTopic);
    expect(await log.check()).toMatch(/^The event log lacks topics: test-\w+\.jobs\.deletion-accepted\.v1$/);
    await expect(log.publish(deletionAcceptedTopic, [anEvent('one')])).rejects.toMatchObject({
      name: 'Fault',
    });
    await log.close();
  });

  test('the error names unreachable brokers', async () => {
    const target = { ...targets.createBare(), brokers: ['127.0.0.1:1'] };
    expect(await refusalOf(openKafkaEventLog(target))).toMatch(/^Cannot open the event log 127\.0\.0\.1:1: /);
  });

  test('two installations on one cluster share no topics or groups, thanks to their prefixes', async () => {
    const logs = [
      await openKafkaEventLog(await targets.create()),
      await openKafkaEventLog(await targets.create()),
    ];
    const collectors = logs.map(() => createCollector());
    for (const [index, log] of logs.entries()) {
      const collector = collectors[index];
      if (collector) await log.consume(deletionAcceptedTopic, 'same.group', collector.handle);
      await log.publish(deletionAcceptedTopic, [anEvent(`of ${String(index)}`)]);
    }
    for (const [index, collector] of collectors.entries()) {
      expect(keysOf(await collector.until(1))).toEqual([`of ${String(index)}`]);
    }
    for (const log of logs) await log.close();
  });

  test('every call after close rejects with a Fault', async () => {
    const log = await openKafkaEventLog(await targets.create());
    await log.publish(deletionAcceptedTopic, [anEvent('one')]);
    await log.close();
    await expect(log.publish(deletionAcceptedTopic, [anEvent('two')])).rejects.toMatchObject({
      name: 'Fault',
    });
  });
});
