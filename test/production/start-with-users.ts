import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { connectKafka, withAdmin } from '@jobs-delete/deleter-service/event-log/kafka/connect-kafka';
import { databaseOf, openMongo } from '@jobs-delete/runtime/mongo/open-mongo';
import { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } from 'kafkajs';
import { root } from '../readme/readme.ts';
import { kafkaTargetOf } from '../servers/unique-storage.ts';
import { runCommand } from '../servers/child-process.ts';
import { startKafka } from '../servers/start-kafka.ts';
import { startMongo } from '../servers/start-mongo.ts';

const password = 'password-of-the-tests';
const name = 'least';
/** The users and roles of docs/least-privilege.md. */
export const roleOf = {
  'jobs-delete-setup': 'jobsDeleteSetUp',
  'jobs-delete-gateway': 'jobsDeleteGateway',
  'jobs-delete-dashboard': 'jobsDeleteDashboard',
  'jobs-delete-api': 'jobsDeleteApi',
  'jobs-delete-relay': 'jobsDeleteRelay',
  'jobs-delete-worker': 'jobsDeleteWorker',
  'jobs-delete-audit': 'jobsDeleteAudit',
} as const;
export type User = keyof typeof roleOf;
export const usersOfKafka = [
  ...(['jobs-delete-setup', 'jobs-delete-api', 'jobs-delete-relay', 'jobs-delete-worker'] as const),
  ...(['jobs-delete-audit', 'jobs-delete-keda'] as const),
];
export type UserOfKafka = (typeof usersOfKafka)[number];

export interface StorageWithUsers {
  /** The names of the roles that deploy/mongodb/roles.js creates. */
  readonly roles: readonly string[];
  /** The URLs for a user with every right. */
  readonly adminDatabaseUrl: string;
  readonly adminEventLogUrl: string;
  databaseUrlOf(user: User): string;
  eventLogUrlOf(user: UserOfKafka): string;
  stop(): Promise<void>;
}

/** Starts MongoDB with authentication and Kafka with ACLs, and creates the documented users and rights. */
export async function startWithUsers(): Promise<StorageWithUsers> {
  const mongo = await startMongo({ withUsers: true });
  const kafka = await startKafka({
    users: Object.fromEntries(['admin', ...usersOfKafka].map((user) => [user, password])),
  });
  const databaseUrl = (user: string, source: string) =>
    mongo.url
      .replace('mongodb://', `mongodb://${user}:${password}@`)
      .replace('/?', `/${name}?authSource=${source}&`);
  const eventLogUrl = (user: string) => `kafka://${user}:${password}@${kafka.brokers.join(',')}`;
  const adminDatabaseUrl = databaseUrl('admin', 'admin');
  const adminEventLogUrl = eventLogUrl('admin');
  const admin = { createUser: 'admin', pwd: password, roles: ['root'] };
  await mongo.command(await mongo.primary(), admin);
  const roles = await createUsers(adminDatabaseUrl);
  await createAcls(adminEventLogUrl);
  return {
    roles,
    adminDatabaseUrl,
    adminEventLogUrl,
    databaseUrlOf: (user) => databaseUrl(user, name),
    eventLogUrlOf: eventLogUrl,
    stop: async () => {
      await mongo.stop();
      await kafka.stop();
    },
  };
}

/** Runs `use` on the database of a URL. */
export async function withDatabase<Result>(
  url: string,
  use: (database: ReturnType<typeof databaseOf>) => Promise<Result>,
): Promise<Result> {
  const connection = await openMongo(url);
  try {
    return await use(databaseOf(connection));
  } finally {
    await connection.close();
  }
}

/** Runs deploy/mongodb/roles.js as mongosh would, and gives each user its role. Returns the roles. */
async function createUsers(adminUrl: string): Promise<readonly string[]> {
  const roles: { role: string }[] = [];
  const db = { getName: () => name, createRole: (role: { role: string }) => roles.push(role) };
  runInContext(readFileSync(join(root, 'deploy/mongodb/roles.js'), 'utf8'), createContext({ db }));
  await withDatabase(adminUrl, async (database) => {
    for (const { role, ...rest } of roles)
      await database.command({ createRole: role, ...(JSON.parse(JSON.stringify(rest)) as object) });
    for (const [user, role] of Object.entries(roleOf))
      await database.command({ createUser: user, pwd: password, roles: [role] });
  });
  return roles.map(({ role }) => role);
}

/** Runs deploy/kafka/acls.sh with a program that records its arguments, and creates the ACLs that they describe. */
async function createAcls(adminUrl: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'jobs-delete-acls-'));
  const recorder = join(folder, 'kafka-acls');
  writeFileSync(recorder, '#!/bin/sh\necho "$@" >> "$0.log"\n', { mode: 0o755 });
  await runCommand('env', [
    ...['BROKERS=unused', 'ADMIN_CONFIG=unused', `KAFKA_ACLS=${recorder}`],
    join(root, 'deploy/kafka/acls.sh'),
  ]);
  const acl = readFileSync(`${recorder}.log`, 'utf8').trim().split('\n').flatMap(aclsOf);
  rmSync(folder, { recursive: true });
  await withAdmin(connectKafka(kafkaTargetOf(adminUrl)).kafka, (admin) => admin.createAcls({ acl }));
}

/** Reads the arguments of kafka-acls.sh. */
function aclsOf(line: string) {
  const valuesOf = (option: string) =>
    [...line.matchAll(new RegExp(`--${option} (\\S+)`, 'g'))].map(([, value = '']) => value);
  const [principal = ''] = valuesOf('allow-principal');
  const [topic] = valuesOf('topic');
  const [group] = valuesOf('group');
  const [pattern = 'literal'] = valuesOf('resource-pattern-type');
  return valuesOf('operation').map((operation) => ({
    resourceType: topic === undefined ? AclResourceTypes.GROUP : AclResourceTypes.TOPIC,
    resourceName: topic ?? group ?? '',
    resourcePatternType: ResourcePatternTypes[pattern.toUpperCase() as keyof typeof ResourcePatternTypes],
    principal,
    host: '*',
    operation: AclOperationTypes[operation.toUpperCase() as keyof typeof AclOperationTypes],
    permissionType: AclPermissionTypes.ALLOW,
  }));
}
