import { existsSync } from 'node:fs';
import { accountsSchema } from '@jobs-delete/accounts/sqlite/sqlite-accounts-schema';
import type { TopicState } from '@jobs-delete/deleter-service/event-log/kafka/topics';
import { eventLogAdapter } from '@jobs-delete/deleter-service/event-log/open-event-log';
import { jobsSchema } from '@jobs-delete/deleter-service/store/sqlite/schema';
import { deletionAcceptedTopic } from '@jobs-delete/proto/events';
import type { DatabaseUrl, EventLogUrl, KafkaUrl } from '@jobs-delete/runtime/config/storage-url';
import type { Mongo } from '@jobs-delete/runtime/mongo/open-mongo';
import { openSqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import type { CliConfig } from '../config.ts';
import { closing, onKafka } from '../open-storage.ts';
import { findings, ok, problem, warning, type Finding } from './finding.ts';

/** The data that a service has in a database. */
type Part = 'jobs' | 'accounts';

/** Examines the databases of the service: one, or two where ACCOUNTS_DATABASE_URL differs. */
export async function examineDatabases(
  config: CliConfig,
  service: 'gateway' | 'dashboard' | 'deleter' | undefined,
  now: () => number,
): Promise<readonly Finding[]> {
  const { database, accounts } = config;
  const isOne = JSON.stringify(database) === JSON.stringify(accounts.database);
  const parts: readonly Part[] =
    service === undefined ? ['jobs', 'accounts'] : service === 'deleter' ? ['jobs'] : ['accounts'];
  const found: Finding[] = [];
  for (const together of isOne ? [parts] : parts.map((part) => [part])) {
    const url = together.includes('jobs') ? database : accounts.database;
    found.push(...(await examineDatabase(url, together, config, now)));
  }
  return found;
}

function examineDatabase(
  database: DatabaseUrl,
  parts: readonly Part[],
  config: CliConfig,
  now: () => number,
): Promise<readonly Finding[]> {
  return 'path' in database
    ? examineFile('database', database.path, () => {
        const schema = parts.includes('jobs') ? jobsSchema : accountsSchema;
        return openSqlite(database.path, schema, { checkIntegrity: true });
      })
    : findings('database', 'Check DATABASE_URL, ACCOUNTS_DATABASE_URL, the network and the servers.', () =>
        examineMongo(database.url, parts, config, now),
      );
}

async function examineMongo(
  url: string,
  parts: readonly Part[],
  { jobsMapping }: CliConfig,
  now: () => number,
): Promise<readonly Finding[]> {
  const { openMongo } = await import('@jobs-delete/runtime/mongo/open-mongo');
  const { reportIndexes } = await import('@jobs-delete/runtime/mongo/mongo-indexes');
  const { mongoIndexes } = await import('@jobs-delete/deleter-service/store/mongo/collections');
  const { mongoAccountsModels } = await import('@jobs-delete/accounts/mongo/mongo-accounts-schema');
  return closing(await openMongo(url), async (connection) => {
    const state = await inspectMongo(connection, now);
    const models = [
      ...(parts.includes('jobs') ? mongoIndexes(connection, jobsMapping) : []),
      ...(parts.includes('accounts') ? mongoAccountsModels(connection) : []),
    ];
    const missing = (await reportIndexes(models)).filter((index) => index.state === 'missing');
    const names = missing.map(({ collection, index }) => `${collection}.${index}`).join(', ');
    return [
      judgeVersion(state),
      ...judgeMembers(state),
      judgeClock(state),
      missing.length === 0
        ? ok('indexes', 'all exist')
        : problem('indexes', `missing: ${names}`, 'Run jobs-delete indexes create.'),
    ];
  });
}

/** The state of the servers. */
interface MongoState {
  readonly version: string;
  /** The members of the replica set; undefined behind mongos or without permission. */
  readonly members: readonly MongoMember[] | undefined;
  /** How far the primary's clock is ahead; negative if behind, 0 if the difference is within the round trip. */
  readonly clockAheadMs: number;
}

interface MongoMember {
  readonly host: string;
  /** True for a healthy primary or secondary. */
  readonly isUp: boolean;
}

/** @throws Fault */
async function inspectMongo(connection: Mongo, now: () => number): Promise<MongoState> {
  const { databaseOf, mongoRead } = await import('@jobs-delete/runtime/mongo/open-mongo');
  return mongoRead(async () => {
    const admin = databaseOf(connection).admin();
    const sentAtMs = now();
    const hello = await admin.command({ hello: 1 });
    const receivedAtMs = now();
    const { version } = (await admin.buildInfo()) as { version: string };
    const serverMs = (hello.localTime as Date).getTime();
    const late = Math.max(0, serverMs - receivedAtMs);
    const early = Math.max(0, sentAtMs - serverMs);
    const members = await admin.replSetGetStatus().then(membersOf, () => undefined);
    return { version, members, clockAheadMs: late - early };
  });
}

const [primary, secondary] = [1, 2];

function membersOf(status: unknown): MongoMember[] {
  const { members } = status as { members: { name: string; state: number; health: number }[] };
  return members.map(({ name, state, health }) => ({
    host: name,
    isUp: health === 1 && (state === primary || state === secondary),
  }));
}

function judgeVersion({ version }: MongoState): Finding {
  if (Number.parseInt(version) >= 6) return ok('database', `MongoDB ${version}`);
  return warning(
    'database',
    `MongoDB ${version} is older than the tested versions`,
    'Upgrade it to 6.0 or newer.',
  );
}

/** Checks for a majority, which must confirm each write. */
export function judgeMembers({ members }: Pick<MongoState, 'members'>): Finding[] {
  if (members === undefined) {
    const advice = 'Behind mongos, ignore this. Otherwise give the user the role clusterMonitor.';
    return [warning('database', 'the members of the replica set cannot be read', advice)];
  }
  const down = members.filter(({ isUp }) => !isUp).map(({ host }) => host);
  const up = members.length - down.length;
  if (up * 2 <= members.length) {
    const message = `no majority: ${down.length} of ${members.length} members are down: ${down.join(', ')}`;
    return [problem('database', message, 'Restart them. Without a majority all writes fail.')];
  }
  if (down.length > 0) {
    const message = `${down.length} of ${members.length} members is down: ${down.join(', ')}`;
    return [warning('database', message, 'Restart it before another one fails.')];
  }
  if (members.length < 3) {
    const message = `the replica set has ${members.length} members; at least 3 survive the loss of one`;
    return [warning('database', message, 'Add members on other machines.')];
  }
  return [ok('database', `a replica set of ${members.length} members, all up`)];
}

/** Compares the clocks: leases and due times need clocks that agree. */
export function judgeClock({ clockAheadMs }: Pick<MongoState, 'clockAheadMs'>): Finding {
  const ms = Math.abs(clockAheadMs);
  const message = `this machine's clock and MongoDB's differ by ${(ms / 1_000).toFixed(1)} s`;
  const advice = 'Synchronize both machines by NTP.';
  if (ms > 5_000) return problem('clock', message, advice);
  return ms > 1_000 ? warning('clock', message, advice) : ok('clock', 'agrees with the clock of MongoDB');
}

/** @param receiptRetentionMs the setting of the deleter, if its environment is examined */
export function examineEventLog(
  eventLog: EventLogUrl,
  receiptRetentionMs: number | undefined,
): Promise<readonly Finding[]> {
  return 'path' in eventLog
    ? examineFile('event_log', eventLog.path, () => eventLogAdapter(eventLog).open({ checkIntegrity: true }))
    : findings('event_log', 'Check EVENT_LOG_URL, the network and the brokers.', () =>
        examineKafka(eventLog, receiptRetentionMs),
      );
}

async function examineKafka(
  target: KafkaUrl,
  receiptRetentionMs: number | undefined,
): Promise<readonly Finding[]> {
  const { connectKafka } = await import('@jobs-delete/deleter-service/event-log/kafka/connect-kafka');
  const { inspectKafka } = await import('@jobs-delete/deleter-service/event-log/kafka/topics');
  const { brokers, missing, topics } = await onKafka(target, () => inspectKafka(connectKafka(target)));
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

const nouns = { database: 'database', event_log: 'event log' };

/** Checks a file of embedded storage. `open` verifies its integrity and durability. */
function examineFile(
  subject: keyof typeof nouns,
  path: string,
  open: () => { close(): unknown } | Promise<{ close(): unknown }>,
): Promise<readonly Finding[]> {
  return findings(subject, 'Check the disk and its permissions, or restore a backup.', async () => {
    if (!existsSync(path)) {
      const advice =
        'Run jobs-delete serve to create it, or set DATA_DIR or DATABASE_URL if it is elsewhere.';
      return [problem(subject, `There is no ${nouns[subject]} at ${path}.`, advice)];
    }
    const opened = await open();
    await opened.close();
    return [ok(subject, `${path} is intact and durable: WAL with synchronous=FULL`)];
  });
}
