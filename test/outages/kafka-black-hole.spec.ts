import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { EventLog } from '@jobs-delete/deleter-service/event-log/event-log';
import { openKafkaEventLog } from '@jobs-delete/deleter-service/event-log/kafka-event-log';
import { anEvent, createCollector, keysOf } from '@jobs-delete/deleter-service/testing/events';
import { deletionAcceptedTopic } from '@jobs-delete/proto/events';
import type { KafkaUrl } from '@jobs-delete/runtime/config/storage-url';
import { until } from '../harness/until.ts';
import { describeWith } from '../servers/describe-with.ts';
import { freePort } from '../servers/child-process.ts';
import { openLine, type Line } from '../servers/line.ts';
import { startKafka, type KafkaServer } from '../servers/start-kafka.ts';
import { kafkaTargets } from '../servers/unique-storage.ts';

const group = 'test.group';

describeWith('own kafka', 'lost connections to Kafka', () => {
  let line: Line;
  let server: KafkaServer;
  let logs: EventLog[] = [];

  beforeAll(async () => {
    const port = await freePort();
    line = await openLine({ port });
    server = await startKafka({ port, advertisedPort: line.port });
  });
  afterEach(async () => {
    // Ends the lost connections. Otherwise kafkajs waits for their answers after the test.
    line.cut();
    line.mend();
    await Promise.all(logs.map((log) => log.close()));
    logs = [];
  });
  afterAll(async () => {
    await line.close();
    await server.stop();
  });

  const open = async (target: KafkaUrl, publishTimeoutMs?: number) => {
    const options = publishTimeoutMs === undefined ? {} : { publishTimeoutMs };
    const log = await openKafkaEventLog(target, undefined, options);
    logs.push(log);
    return log;
  };
  const openThroughLine = async (publishTimeoutMs?: number) => {
    const target = await kafkaTargets(`kafka://127.0.0.1:${String(line.port)}`).create();
    return { target, log: await open(target, publishTimeoutMs) };
  };

  test('publishing fails within its time limit, and the next attempt uses new connections', async () => {
    const { log } = await openThroughLine(3_000);
    await log.publish(deletionAcceptedTopic, [anEvent('before')]);
    line.loseConnections();
    const during = log.publish(deletionAcceptedTopic, [anEvent('during')]);
    await expect(during).rejects.toMatchObject({ name: 'Fault', code: 'unavailable' });
    await log.publish(deletionAcceptedTopic, [anEvent('after')]);
  });

  test('a consumer on new connections replaces a stuck one before its session ends', async () => {
    const { target, log } = await openThroughLine();
    const collector = createCollector();
    await log.consume(deletionAcceptedTopic, group, collector.handle);
    await log.publish(deletionAcceptedTopic, [anEvent('before')]);
    await collector.until(1);
    line.loseConnections();
    const lostAt = performance.now();
    const publisher = await open(target);
    await publisher.publish(deletionAcceptedTopic, [anEvent('after')]);
    await until(() => keysOf(collector.events).includes('after'));
    expect(performance.now() - lostAt).toBeLessThan(30_000);
  });
});
