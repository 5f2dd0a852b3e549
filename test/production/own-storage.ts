import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectKafka } from '@jobs-delete/deleter-service/event-log/kafka/connect-kafka';
import { createTopics } from '@jobs-delete/deleter-service/event-log/kafka/topics';
import { defaultJobsMapping } from '@jobs-delete/deleter-service/store/jobs-mapping';
import { mongoIndexes } from '@jobs-delete/deleter-service/store/mongo/collections';
import { mongoAccountsModels } from '@jobs-delete/accounts/mongo/mongo-accounts-schema';
import { mongoRateLimitsModels } from '@jobs-delete/gateway/limits/mongo-rate-limiter';
import { readOrCreatePepper } from '@jobs-delete/accounts/pepper/read-or-create-pepper';
import { createIndexes } from '@jobs-delete/runtime/mongo/mongo-indexes';
import { openMongo } from '@jobs-delete/runtime/mongo/open-mongo';
import type { Servers } from '../servers/acquire-servers.ts';
import { databaseUrl, kafkaTargetOf, uniqueName } from '../servers/unique-storage.ts';
import { dropCluster, type Stored } from './cluster-aftermath.ts';

/** Returns the database and topics for the service with this data folder. */
export interface OwnStorage extends Stored {
  readonly env: Readonly<Record<'DATABASE_URL' | 'EVENT_LOG_URL' | 'CREDENTIAL_PEPPER', string>>;
  drop(): Promise<void>;
}

const storages = new Map<string, OwnStorage>();

/** undefined on the embedded pair. */
export function ownStorageOf(dataDir: string): OwnStorage | undefined {
  return storages.get(dataDir);
}

/** Creates indexes and topics. The pepper is that of the folder, as on the embedded pair. */
export async function createOwnStorage(dataDir: string): Promise<OwnStorage> {
  const name = uniqueName('http');
  const DATABASE_URL = databaseUrl(urlOf('mongodb'), name);
  const EVENT_LOG_URL = `${urlOf('kafka')}?prefix=${name}.`;
  readOrCreatePepper(dataDir);
  const CREDENTIAL_PEPPER = readFileSync(join(dataDir, 'credential-pepper'), 'utf8').trim();
  const kafka = kafkaTargetOf(EVENT_LOG_URL);
  const connection = await openMongo(DATABASE_URL);
  try {
    await createIndexes([
      ...mongoIndexes(connection, defaultJobsMapping),
      ...mongoAccountsModels(connection),
      ...mongoRateLimitsModels(connection),
    ]);
  } finally {
    await connection.close();
  }
  await createTopics(connectKafka(kafka), { partitions: 1, replicationFactor: 1 });
  const storage: OwnStorage = {
    env: { DATABASE_URL, EVENT_LOG_URL, CREDENTIAL_PEPPER },
    databaseUrl: DATABASE_URL,
    kafka,
    drop: async () => {
      storages.delete(dataDir);
      await dropCluster(storage);
    },
  };
  storages.set(dataDir, storage);
  return storage;
}

function urlOf(need: 'mongodb' | 'kafka'): string {
  const server = (JSON.parse(process.env.TEST_SERVERS ?? '{}') as Servers)[need];
  if (server === undefined || 'missing' in server)
    throw new Error(`${need}: ${server?.missing ?? 'not acquired'}`);
  return server.url;
}
