import type { TopicReport } from '@jobs-delete/deleter-service/event-log/kafka/topics';
import type { KafkaUrl } from '@jobs-delete/runtime/config/storage-url';
import { Command } from 'commander';
import { readCliConfig } from '../config.ts';
import type { Io } from '../io.ts';
import { Refusal } from '../refusal.ts';
import { report, type ReportOptions } from '../report.ts';
import { examples, subcommand, wholeNumberBetween } from './options.ts';

interface CreateOptions extends ReportOptions {
  readonly dryRun?: boolean;
  readonly partitions: number;
  readonly replicas: number;
}

export function topicsCommand(io: Io): Command {
  return new Command('topics').description('the topics on Kafka').addCommand(createCommand(io));
}

function createCommand(io: Io): Command {
  return subcommand('create', 'create missing topics; existing ones are not changed')
    .option('--dry-run', 'only list missing topics')
    .option(
      '--partitions <n>',
      'partitions of each topic; the maximum number of workers',
      wholeNumberBetween(1, 1_000),
      12,
    )
    .option('--replicas <n>', 'replicas of each partition', wholeNumberBetween(1, 9), 1)
    .addHelpText('after', examples('jobs-delete topics create --partitions 12 --replicas 3'))
    .action(async (options: CreateOptions) => {
      const { eventLog } = readCliConfig(io.env);
      if (eventLog.kind === 'embedded')
        throw new Refusal('The embedded event log needs no topics. For Kafka, set EVENT_LOG_URL.');
      const { connectKafka } = await import('@jobs-delete/deleter-service/event-log/kafka/connect-kafka');
      const { createTopics, reportTopics } =
        await import('@jobs-delete/deleter-service/event-log/kafka/topics');
      const kafka = connectKafka(eventLog);
      const before = await orRefuse(eventLog, () => reportTopics(kafka));
      if (options.dryRun !== true) {
        const { partitions, replicas: replicationFactor } = options;
        await orRefuse(eventLog, () => createTopics(kafka, { partitions, replicationFactor }));
      }
      const outcomes = before.map((topic) => ({ topic: topic.topic, outcome: outcomeOf(topic, options) }));
      report(io, options, outcomes, () => outcomes.map(({ topic, outcome }) => `${topic}: ${outcome}`));
    });
}

async function orRefuse<Result>({ brokers }: KafkaUrl, use: () => Promise<Result>): Promise<Result> {
  try {
    return await use();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal(`The event log at ${brokers.join(',')} cannot be used: ${reason}`);
  }
}

function outcomeOf({ state }: TopicReport, { dryRun }: CreateOptions): string {
  if (state === 'present') return 'present';
  return dryRun === true ? 'missing' : 'created';
}
