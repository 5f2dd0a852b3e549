import { existsSync } from 'node:fs';
import { openEventLog } from '@jobs-delete/deleter-service/event-log/open-event-log';
import type { KafkaState, TopicState } from '@jobs-delete/deleter-service/event-log/kafka/inspect-kafka';
import type { EventLogUrl, KafkaUrl } from '@jobs-delete/runtime/config/storage-url';
import { findings, ok, problem, warning, type Finding } from './finding.ts';

export function examineEventLog(eventLog: EventLogUrl): Promise<readonly Finding[]> {
  return eventLog.kind === 'embedded'
    ? findings('event_log', 'Look to the disk and who may write there, or restore a backup.', () =>
        examineEmbedded(eventLog),
      )
    : examineKafka(eventLog);
}

async function examineEmbedded(
  eventLog: Extract<EventLogUrl, { kind: 'embedded' }>,
): Promise<readonly Finding[]> {
  const { path } = eventLog;
  if (!existsSync(path)) {
    const advice = 'Run jobs-delete serve, which creates it; if it is elsewhere, set DATA_DIR.';
    return [problem('event_log', `There is no event log at ${path}.`, advice)];
  }
  const opened = await openEventLog(eventLog, { checkIntegrity: true });
  await opened.close();
  return [ok('event_log', `${path} is intact, and durable: WAL with synchronous=FULL`)];
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
    return [problem('event_log', message, 'Look to EVENT_LOG_URL, to the network, and to the brokers.')];
  }
  const { brokers, missing, topics } = state;
  return [
    brokers >= 3
      ? ok('event_log', `Kafka with ${brokers} brokers`)
      : warning(
          'event_log',
          `Kafka has ${brokers} of the 3 brokers that survive the loss of one`,
          'Add brokers, each on a machine of its own.',
        ),
    ...(missing.length > 0
      ? [problem('topics', `missing: ${missing.join(', ')}`, 'Run jobs-delete topics create.')]
      : []),
    ...topics.map(judgeTopic),
  ];
}

/** What is acknowledged has to be on `minInSync` replicas, and one of them may be lost. */
export function judgeTopic(state: TopicState): Finding {
  const { topic, partitions, replicas, inSync, minInSync, withoutLeader } = state;
  if (withoutLeader > 0) {
    const message = `${topic}: nobody serves ${withoutLeader} of ${partitions} partitions`;
    return problem('topics', message, 'Bring the brokers back that have them.');
  }
  if (inSync < minInSync) {
    const message = `${topic}: ${inSync} replicas are in sync, and min.insync.replicas is ${minInSync}: nothing can be published`;
    return problem('topics', message, 'Bring the brokers back that have the others.');
  }
  if (replicas < 3 || minInSync < 2) {
    const message = `${topic}: ${replicas} replicas with min.insync.replicas ${minInSync}, where the loss of a broker may lose events`;
    return warning(
      'topics',
      message,
      'Give it 3 replicas and min.insync.replicas=2, by kafka-reassign-partitions and kafka-configs.',
    );
  }
  if (inSync < replicas) {
    const message = `${topic}: ${inSync} of ${replicas} replicas are in sync`;
    return warning('topics', message, 'Bring the brokers back that have the others.');
  }
  return ok(
    'topics',
    `${topic}: ${partitions} partitions, ${replicas} replicas in sync, min.insync.replicas ${minInSync}`,
  );
}
