import type { Command } from 'commander';
import { readCliConfig } from '../config.ts';
import type { Io } from '../io.ts';
import { closing, onKafka } from '../open-storage.ts';
import { Refusal } from '../refusal.ts';
import { report, type ReportOptions } from '../report.ts';
import { commandGroup, subcommand, wholeNumberBetween } from './options.ts';

interface CreateOptions extends ReportOptions {
  readonly dryRun?: boolean;
}

interface TopicOptions extends CreateOptions {
  readonly partitions: number;
  readonly replicas: number;
}

export function topicsCommand(io: Io): Command {
  const create = subcommand('create', 'create missing topics; existing ones are not changed')
    .option('--dry-run', 'only list missing topics')
    .option(
      '--partitions <n>',
      'partitions of each topic; the maximum number of workers',
      wholeNumberBetween(1, 1_000),
      12,
    )
    .option('--replicas <n>', 'replicas of each partition', wholeNumberBetween(1, 9), 1)
    .examples('jobs-delete topics create --partitions 12 --replicas 3')
    .action((options: TopicOptions) => createTopics(io, options));
  return commandGroup('topics', 'the topics on Kafka', create);
}

async function createTopics(io: Io, options: TopicOptions): Promise<void> {
  const { eventLog } = readCliConfig(io.env);
  if (eventLog.kind === 'embedded')
    throw new Refusal('The embedded event log needs no topics. For Kafka, set EVENT_LOG_URL.');
  const { connectKafka } = await import('@jobs-delete/deleter-service/event-log/kafka/connect-kafka');
  const topics = await import('@jobs-delete/deleter-service/event-log/kafka/topics');
  const kafka = connectKafka(eventLog);
  const before = await onKafka(eventLog, () => topics.reportTopics(kafka));
  if (options.dryRun !== true) {
    const { partitions, replicas: replicationFactor } = options;
    await onKafka(eventLog, () => topics.createTopics(kafka, { partitions, replicationFactor }));
  }
  reportOutcomes(io, options, before, ({ topic }) => ({ topic }));
}

export function indexesCommand(io: Io): Command {
  const create = subcommand('create', 'create missing indexes; existing ones are not changed')
    .option('--dry-run', 'only list missing indexes')
    .examples('jobs-delete indexes create --dry-run', 'jobs-delete indexes create')
    .action((options: CreateOptions) => createIndexes(io, options));
  return commandGroup('indexes', 'the indexes in MongoDB', create);
}

async function createIndexes(io: Io, options: CreateOptions): Promise<void> {
  const { database, accounts, jobsMapping } = readCliConfig(io.env);
  const accountsDatabase = accounts.database;
  if (database.kind === 'sqlite' || accountsDatabase.kind === 'sqlite')
    throw new Refusal('An SQLite database has its indexes already. For MongoDB, set DATABASE_URL.');
  const { openMongo } = await import('@jobs-delete/runtime/mongo/open-mongo');
  const indexes = await import('@jobs-delete/runtime/mongo/mongo-indexes');
  const { mongoIndexes } = await import('@jobs-delete/deleter-service/store/mongo/collections');
  const { mongoAccountsModels } = await import('@jobs-delete/accounts/mongo/mongo-accounts-schema');
  const { mongoRateLimitsModels } = await import('@jobs-delete/gateway/limits/mongo-rate-limiter');

  await closing(await openMongo(database.url), async (connection) =>
    closing(await openMongo(accountsDatabase.url), async (ofAccounts) => {
      const models = [
        ...mongoIndexes(connection, jobsMapping),
        ...mongoAccountsModels(ofAccounts),
        ...mongoRateLimitsModels(ofAccounts),
      ];
      const before = await indexes.reportIndexes(models);
      if (options.dryRun !== true) await indexes.createIndexes(models);
      reportOutcomes(io, options, before, ({ collection, index }) => ({ collection, index }));
    }),
  );
}

/** @param nameOf returns the parts of an item's name, with their names in the JSON output */
function reportOutcomes<Item extends { readonly state: 'present' | 'missing' }>(
  io: Io,
  options: CreateOptions,
  before: readonly Item[],
  nameOf: (item: Item) => Readonly<Record<string, string>>,
): void {
  const outcomes = before.map((item) => {
    const outcome = item.state === 'missing' && options.dryRun !== true ? 'created' : item.state;
    return { name: nameOf(item), outcome };
  });
  const value = outcomes.map(({ name, outcome }) => ({ ...name, outcome }));
  report(io, options, value, () =>
    outcomes.map(({ name, outcome }) => `${Object.values(name).join('.')}: ${outcome}`),
  );
}
