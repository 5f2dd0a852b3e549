import { existsSync } from 'node:fs';
import { openStore } from '@jobs-delete/deleter-service/store/open-store';
import type { MongoState } from '@jobs-delete/runtime/mongo/inspect-mongo';
import type { CliConfig } from '../config.ts';
import { findings, ok, problem, warning, type Finding } from './finding.ts';

export function examineDatabase(config: CliConfig, now: () => number): Promise<readonly Finding[]> {
  const { database } = config;
  return database.kind === 'sqlite'
    ? findings('database', 'Look to the disk and who may write there, or restore a backup.', () =>
        examineSqlite(database.path),
      )
    : findings('database', 'Look to DATABASE_URL, to the network, and to the servers.', () =>
        examineMongo(database.url, config, now),
      );
}

async function examineSqlite(path: string): Promise<readonly Finding[]> {
  if (!existsSync(path)) {
    const advice =
      'Run jobs-delete serve, which creates it; if it is elsewhere, set DATA_DIR or DATABASE_URL.';
    return [problem('database', `There is no database at ${path}.`, advice)];
  }
  const store = await openStore({ kind: 'sqlite', path }, { checkIntegrity: true });
  await store.close();
  return [ok('database', `${path} is intact, and durable: WAL with synchronous=FULL`)];
}

async function examineMongo(
  url: string,
  { jobsMapping }: CliConfig,
  now: () => number,
): Promise<readonly Finding[]> {
  const { openMongo } = await import('@jobs-delete/runtime/mongo/open-mongo');
  const { inspectMongo } = await import('@jobs-delete/runtime/mongo/inspect-mongo');
  const { reportIndexes } = await import('@jobs-delete/runtime/mongo/mongo-indexes');
  const { mongoModels } = await import('@jobs-delete/deleter-service/store/mongo/collections');
  const { mongoAccountsModels } = await import('@jobs-delete/accounts/mongo/mongo-accounts-schema');
  const connection = await openMongo(url);
  try {
    const state = await inspectMongo(connection, now);
    const models = [...mongoModels(connection, jobsMapping), ...mongoAccountsModels(connection)];
    const missing = (await reportIndexes(models)).filter((index) => index.state === 'missing');
    const names = missing.map(({ collection, index }) => `${collection}.${index}`).join(', ');
    return [
      judgeVersion(state),
      ...judgeMembers(state),
      judgeClock(state),
      missing.length === 0
        ? ok('indexes', 'all are there')
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
    `MongoDB ${version} is older than what is tested`,
    'Upgrade it to 6.0 or newer.',
  );
}

/** A majority has to have each write before it is answered. */
export function judgeMembers({ members }: Pick<MongoState, 'members'>): Finding[] {
  if (members === undefined) {
    const advice = 'Behind mongos that is as it should be; else give the user the role clusterMonitor.';
    return [warning('database', 'the members of the replica set cannot be told', advice)];
  }
  const down = members.filter(({ isUp }) => !isUp).map(({ host }) => host);
  const up = members.length - down.length;
  if (up * 2 <= members.length) {
    const message = `no majority: ${down.join(', ')} of ${members.length} members do not take part`;
    return [problem('database', message, 'Bring them back: nothing can be accepted without a majority.')];
  }
  if (down.length > 0) {
    const message = `${down.join(', ')} of ${members.length} members does not take part`;
    return [warning('database', message, 'Bring it back before another one fails.')];
  }
  if (members.length < 3) {
    const message = `the replica set has ${members.length} of the 3 members that survive the loss of one`;
    return [warning('database', message, 'Add members, each on a machine of its own.')];
  }
  return [ok('database', `a replica set of ${members.length} members, all of which take part`)];
}

/** Leases and due times are told by the clocks of the processes; those of the machines should agree. */
export function judgeClock({ clockAheadMs }: Pick<MongoState, 'clockAheadMs'>): Finding {
  const ms = Math.abs(clockAheadMs);
  const message = `this machine's clock and MongoDB's differ by ${(ms / 1_000).toFixed(1)} s`;
  const advice = 'Let both machines keep the time by NTP.';
  if (ms > 5_000) return problem('clock', message, advice);
  return ms > 1_000 ? warning('clock', message, advice) : ok('clock', 'agrees with that of MongoDB');
}
