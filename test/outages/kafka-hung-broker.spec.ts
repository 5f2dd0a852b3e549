import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { EventLog } from '@jobs-delete/deleter-service/event-log/event-log';
import { openKafkaEventLog } from '@jobs-delete/deleter-service/event-log/kafka-event-log';
import { anEvent } from '@jobs-delete/deleter-service/testing/events';
import { deletionAcceptedTopic } from '@jobs-delete/proto/events';
import { setTimeout as delay } from 'node:timers/promises';
import { describeWith } from '../servers/describe-with.ts';
import { startKafka, type KafkaServer } from '../servers/start-kafka.ts';
import { kafkaTargets } from '../servers/unique-topics.ts';

describeWith('own kafka', 'while one of two brokers hangs', () => {
  let server: KafkaServer;
  let log: EventLog | undefined;

  beforeAll(async () => {
    server = await startKafka({ brokers: 2 });
  });
  afterEach(async () => {
    server.resume();
    await log?.close();
  });
  afterAll(() => server.stop());

  test('one publication waits for it, and the others go to the partitions of the other broker', async () => {
    const target = await kafkaTargets(`kafka://${server.brokers.join(',')}`).create();
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
