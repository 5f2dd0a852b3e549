import { openEventLog } from '@jobs-delete/deleter-service/event-log/open-event-log';
import type { KafkaState, TopicState } from '@jobs-delete/deleter-service/event-log/kafka/inspect-kafka';
import type { EventLogUrl, KafkaUrl } from '@jobs-delete/runtime/config/storage-url';
import { examineFile } from './examine-file.ts';
import { ok, problem, warning, type Finding } from './finding.ts';

export function examineEventLog(eventLog: EventLogUrl): Promise<readonly Finding[]> {
  return 'path' in eventLog
    ? examineFile('event_log', eventLog.path, () => openEventLog(eventLog, { checkIntegrity: true }))
    : examineKafka(eventLog);
}

async function examineKafka(target: KafkaUrl): Promise<readonly Finding[]> {
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
