import { Kafka, logLevel } from 'kafkajs';
import { perSecond } from './in-flight.ts';

/** Measures messages of an event's size, acknowledged by all replicas. */
export async function kafkaLimits(brokers: readonly string[], topic: string, seconds: number) {
  const producer = new Kafka({ brokers: [...brokers], logLevel: logLevel.ERROR }).producer({
    allowAutoTopicCreation: false,
  });
  await producer.connect();
  const value = 'x'.repeat(300);
  const send = (batch: number) => () =>
    producer.send({ topic, acks: -1, messages: Array.from({ length: batch }, () => ({ value })) });
  const single = await perSecond(64, seconds, send(1));
  const hundreds = await perSecond(4, seconds, send(100));
  const thousands = await perSecond(4, seconds, send(1_000));
  await producer.disconnect();
  return {
    'kafkajs produce one by one, 64 in flight, messages/s': single,
    'kafkajs produce in batches of 100, messages/s': hundreds * 100,
    'kafkajs produce in batches of 1,000, messages/s': thousands * 1_000,
  };
}
