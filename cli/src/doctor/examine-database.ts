import { openStore } from '@jobs-delete/deleter-service/store/open-store';
import type { MongoState } from '@jobs-delete/runtime/mongo/inspect-mongo';
import type { DatabaseUrl } from '@jobs-delete/runtime/config/storage-url';
import type { CliConfig } from '../config.ts';
import { examineFile, findings, ok, problem, warning, type Finding } from './finding.ts';

/** The data that a service has in a database. */
type Part = 'jobs' | 'accounts';

/** Examines the databases of the service: one, or two where ACCOUNTS_DATABASE_URL differs. */
export async function examineDatabases(
  config: CliConfig,
  service: 'gateway' | 'dashboard' | 'deleter' | undefined,
  now: () => number,
): Promise<readonly Finding[]> {
  const { database, accountsDatabase } = config;
  const isOne = JSON.stringify(database) === JSON.stringify(accountsDatabase);
  const parts: readonly Part[] =
    service === undefined ? ['jobs', 'accounts'] : service === 'deleter' ? ['jobs'] : ['accounts'];
  if (isOne) return examineDatabase(database, parts, config, now);
  const found: Finding[] = [];
  for (const part of parts)
    found.push(
      ...(await examineDatabase(part === 'jobs' ? database : accountsDatabase, [part], config, now)),
    );
  return found;
}

function examineDatabase(
  database: DatabaseUrl,
  parts: readonly Part[],
  config: CliConfig,
  now: () => number,
): Promise<readonly Finding[]> {
  return 'path' in database
    ? examineFile('database', database.path, () => openStore(database, { checkIntegrity: true }))
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
  const { inspectMongo } = await import('@jobs-delete/runtime/mongo/inspect-mongo');
  const { reportIndexes } = await import('@jobs-delete/runtime/mongo/mongo-indexes');
  const { mongoIndexes } = await import('@jobs-delete/deleter-service/store/mongo/collections');
  const { mongoAccountsModels } = await import('@jobs-delete/accounts/mongo/mongo-accounts-schema');
  const connection = await openMongo(url);
  try {
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
  } finally {
    await connection.close();
  }
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
