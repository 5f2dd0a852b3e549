import type { KafkaTarget } from '@jobs-delete/deleter-service/event-log/kafka/connect-kafka';
import { parseKafkaUrl } from '@jobs-delete/runtime/storage-url';

export function kafkaTargetOf(url: string): KafkaTarget {
  const target = parseKafkaUrl(url);
  if (target === undefined) throw new Error(`not a Kafka URL: ${url}`);
  return target;
}
