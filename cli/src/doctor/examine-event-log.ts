import { openEventLog } from '@jobs-delete/deleter-service/event-log/open-event-log';
import { deletionAcceptedTopic } from '@jobs-delete/proto/events';
import type { KafkaState, TopicState } from '@jobs-delete/deleter-service/event-log/kafka/inspect-kafka';
import type { EventLogUrl, KafkaUrl } from '@jobs-delete/runtime/config/storage-url';
import { examineFile, ok, problem, warning, type Finding } from './finding.ts';

/** @param receiptRetentionMs the setting of the deleter, if its environment is examined */
export function examineEventLog(
  eventLog: EventLogUrl,
  receiptRetentionMs: number | undefined,
): Promise<readonly Finding[]> {
  return 'path' in eventLog
    ? examineFile('event_log', eventLog.path, () => openEventLog(eventLog, { checkIntegrity: true }))
    : examineKafka(eventLog, receiptRetentionMs);
}

async function examineKafka(
  target: KafkaUrl,
  receiptRetentionMs: number | undefined,
): Promise<readonly Finding[]> {
  const { connectKafka } = await import('@jobs-delete/deleter-service/event-log/kafka/connect-kafka');
  const { inspectKafka } = await import('@jobs-delete/deleter-service/event-log/kafka/inspect-kafka');
  let state: KafkaState;
  try {
    state = await inspectKafka(connectKafka(target));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The event log at ${target.brokers.join(',')} cannot be used: ${reason}`;
    return [problem('event_log', message, 'Check EVENT_LOG_URL, the network and the brokers.')];
  }
  const { brokers, missing, topics } = state;
  return [
    brokers >= 3
      ? ok('event_log', `Kafka with ${brokers} brokers`)
      : warning(
          'event_log',
          `Kafka has ${brokers} brokers; at least 3 survive the loss of one`,
          'Add brokers on other machines.',
        ),
    ...(missing.length > 0
      ? [problem('topics', `missing: ${missing.join(', ')}`, 'Run jobs-delete topics create.')]
      : []),
    ...topics.map(judgeTopic),
    ...topics
      .filter(({ topic }) => topic === (target.prefix ?? '') + deletionAcceptedTopic)
      .flatMap((state) => judgeRetention(state, receiptRetentionMs)),
  ];
}

/** An event that outlives its receipt becomes a dead letter when it is delivered again. */
export function judgeRetention(
  { topic, retentionMs }: TopicState,
  receiptRetentionMs: number | undefined,
): Finding[] {
  if (receiptRetentionMs === undefined || retentionMs <= receiptRetentionMs) return [];
  const days = (ms: number) => (ms === Infinity ? 'for ever' : `for ${String(ms / 86_400_000)} days`);
  const message = `${topic} keeps events ${days(retentionMs)}, but receipts are kept ${days(receiptRetentionMs)}`;
  return [
    warning('topics', message, 'Set its retention.ms below RECEIPT_RETENTION_DAYS with kafka-configs.'),
  ];
}

/** An acknowledged event is on `minInSync` replicas; at least 2 survive the loss of one. */
export function judgeTopic(state: TopicState): Finding {
  const { topic, partitions, replicas, inSync, minInSync, withoutLeader } = state;
  if (withoutLeader > 0) {
    const message = `${topic}: ${withoutLeader} of ${partitions} partitions have no leader`;
    return problem('topics', message, 'Restart their brokers.');
  }
  if (inSync < minInSync) {
    const message = `${topic}: publishing fails: ${inSync} replicas are in sync, and min.insync.replicas is ${minInSync}`;
    return problem('topics', message, 'Restart the brokers of the other replicas.');
  }
  if (replicas < 3 || minInSync < 2) {
    const message = `${topic}: ${replicas} replicas with min.insync.replicas ${minInSync}: the loss of a broker may lose events`;
    return warning(
      'topics',
      message,
      'Set 3 replicas and min.insync.replicas=2 with kafka-reassign-partitions and kafka-configs.',
    );
  }
  if (inSync < replicas) {
    const message = `${topic}: ${inSync} of ${replicas} replicas are in sync`;
    return warning('topics', message, 'Restart the brokers of the other replicas.');
  }
  return ok(
    'topics',
    `${topic}: ${partitions} partitions, ${replicas} replicas in sync, min.insync.replicas ${minInSync}`,
  );
}
