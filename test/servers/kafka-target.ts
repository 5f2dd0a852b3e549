import { type KafkaUrl, parseKafkaUrl } from '@jobs-delete/runtime/config/storage-url';

export function kafkaTargetOf(url: string): KafkaUrl {
  const target = parseKafkaUrl(url);
  if (target === undefined) throw new Error(`not a Kafka URL: ${url}`);
  return target;
}
