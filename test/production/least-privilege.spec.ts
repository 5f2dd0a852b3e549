import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connectKafka, withAdmin } from '@jobs-delete/deleter-service/event-log/kafka/connect-kafka';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { deletionAcceptedTopic, jobsDeletedTopic } from '@jobs-delete/proto/events';
import { databaseOf, openMongo } from '@jobs-delete/runtime/mongo/open-mongo';
import { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } from 'kafkajs';
import { callerHeaders, jsonBody, send } from '../harness/http-client.ts';
import { connectOperator } from '../harness/service.ts';
import { reapReplicas } from '../harness/spawn-roles.ts';
import { waitUntil, watchTestEnd } from '../harness/wait-until.ts';
import { root } from '../readme/readme.ts';
import { describeWith } from '../servers/describe-with.ts';
import { freePort } from '../servers/free-port.ts';
import { kafkaTargetOf } from '../servers/kafka-target.ts';
import { runCommand } from '../servers/run-command.ts';
import { startKafka, type KafkaServer } from '../servers/start-kafka.ts';
import { startMongo, type MongoServers } from '../servers/start-mongo.ts';
import { pepper, serviceToken, succeed } from './cluster.ts';
import { createRole } from './create-role.ts';

const newPath = temporaryFolder();
const password = 'password-of-the-tests';
const name = 'least';
const users = {
  'jobs-delete-setup': 'jobsDeleteSetUp',
  'jobs-delete-gateway': 'jobsDeleteGateway',
  'jobs-delete-dashboard': 'jobsDeleteDashboard',
  'jobs-delete-api': 'jobsDeleteApi',
  'jobs-delete-worker': 'jobsDeleteWorker',
} as const;
type User = keyof typeof users;
const kafkaUsers = ['admin', 'jobs-delete-setup', 'jobs-delete-api', 'jobs-delete-worker'];

watchTestEnd();

describeWith('own mongodb', 'the documented rights', () => {
  describeWith('own kafka', 'in MongoDB and Kafka', () => {
    let mongo: MongoServers;
    let kafka: KafkaServer;
    beforeAll(async () => {
      mongo = await startMongo({ withUsers: true });
      kafka = await startKafka({ users: Object.fromEntries(kafkaUsers.map((user) => [user, password])) });
      await createUsers();
      await createAcls();
      const env = environmentOf('jobs-delete-setup');
      await succeed(['indexes', 'create'], env);
      await succeed(['topics', 'create', '--partitions', '2'], env);
    });
    afterAll(async () => {
      await reapReplicas();
      await mongo.stop();
      await kafka.stop();
    });

    const databaseUrlOf = (user: string, source: string) =>
      mongo.url
        .replace('mongodb://', `mongodb://${user}:${password}@`)
        .replace('/?', `/${name}?authSource=${source}&`);
    const eventLogUrlOf = (user: string) => `kafka://${user}:${password}@${kafka.brokers.join(',')}`;
    const environmentOf = (user: User) => ({
      DATABASE_URL: databaseUrlOf(user, name),
      EVENT_LOG_URL: eventLogUrlOf(user),
      CREDENTIAL_PEPPER: pepper,
      GRPC_SERVICE_TOKENS: serviceToken,
    });
    const withDatabase = async <Result>(
      url: string,
      use: (database: ReturnType<typeof databaseOf>) => Promise<Result>,
    ): Promise<Result> => {
      const connection = await openMongo(url);
      try {
        return await use(databaseOf(connection));
      } finally {
        await connection.close();
      }
    };

    /** Runs deploy/mongodb/roles.js as mongosh would, and gives each user its role. */
    async function createUsers() {
      const primary = await mongo.primary();
      await mongo.command(primary, { createUser: 'admin', pwd: password, roles: ['root'] });
      const roles: { role: string }[] = [];
      const db = { getName: () => name, createRole: (role: { role: string }) => roles.push(role) };
      runInContext(readFileSync(join(root, 'deploy/mongodb/roles.js'), 'utf8'), createContext({ db }));
      expect(roles.map(({ role }) => role).sort()).toEqual(Object.values(users).sort());
      await withDatabase(databaseUrlOf('admin', 'admin'), async (database) => {
        for (const { role, ...rest } of roles)
          await database.command({ createRole: role, ...(JSON.parse(JSON.stringify(rest)) as object) });
        for (const [user, role] of Object.entries(users))
          await database.command({ createUser: user, pwd: password, roles: [role] });
      });
    }

    /** Runs deploy/kafka/acls.sh with a program that records its arguments, and creates what they say. */
    async function createAcls() {
      const recorder = newPath('kafka-acls');
      mkdirSync(dirname(recorder), { recursive: true });
      writeFileSync(recorder, '#!/bin/sh\necho "$@" >> "$0.log"\n', { mode: 0o755 });
      await runCommand('env', [
        ...['BROKERS=unused', 'ADMIN_CONFIG=unused', `KAFKA_ACLS=${recorder}`],
        join(root, 'deploy/kafka/acls.sh'),
      ]);
      const acl = readFileSync(`${recorder}.log`, 'utf8').trim().split('\n').flatMap(aclsOf);
      await withAdmin(connectKafka(kafkaTargetOf(eventLogUrlOf('admin'))).kafka, (admin) =>
        admin.createAcls({ acl }),
      );
    }

    test('let every process do its work', async () => {
      const operator = await connectOperator(databaseUrlOf('admin', 'admin'), pepper);
      const account = await operator.createAccount('Acme');
      const jobIds = ['JOB000001', 'JOB000002'];
      await operator.importJobs('Acme', jobIds);
      const [GRPC_PORT, PORT] = [String(await freePort()), String(await freePort())];
      const { DATABASE_URL: ACCOUNTS_DATABASE_URL, ...ofGateway } = environmentOf('jobs-delete-gateway');
      const gatewayEnv = {
        ...{ ACCOUNTS_DATABASE_URL, CREDENTIAL_PEPPER: ofGateway.CREDENTIAL_PEPPER },
        ...{ GRPC_SERVICE_TOKENS: serviceToken, RATE_LIMIT_REQUESTS: '1000' },
        ...{ DELETER_ADDRESS: `127.0.0.1:${GRPC_PORT}`, PORT },
      };
      const replicas = [
        await createRole('api', {
          name: 'api',
          env: { ...environmentOf('jobs-delete-api'), ROLES: 'api,relay', GRPC_PORT },
        }),
        await createRole('worker', { name: 'worker', env: environmentOf('jobs-delete-worker') }),
        await createRole('gateway', { name: 'gateway', env: gatewayEnv }),
      ];
      for (const replica of replicas) await replica.start();
      const answer = await send(`http://127.0.0.1:${PORT}`, {
        headers: callerHeaders(account),
        body: jsonBody(jobIds),
      });
      expect(answer.status).toBe(200);
      await waitUntil(async () => (await operator.store.findJob('Acme', 'JOB000001')) === undefined);
      await waitUntil(
        async () => (await operator.accounts.listCredentials('token', 'Acme'))[0]?.lastUsedAtMs !== undefined,
      );
      await operator.close();
      for (const replica of replicas) {
        expect(await replica.stop()).toBe(0);
        expect(replica.warnings().filter((line) => /authori[sz]/i.test(line))).toEqual([]);
      }
    });

    const writes = ['insert', 'update', 'delete'] as const;
    describe.each<[User, Record<string, readonly ('find' | (typeof writes)[number])[]>]>([
      [
        'jobs-delete-setup',
        { jobs: ['find', ...writes], deletions: ['find', ...writes], credentials: ['find', ...writes] },
      ],
      [
        'jobs-delete-gateway',
        {
          jobs: ['find', ...writes],
          deletions: ['find', ...writes],
          accounts: writes,
          credentials: ['insert', 'delete'],
          people: ['find', ...writes],
          sessions: ['find', ...writes],
        },
      ],
      [
        'jobs-delete-dashboard',
        {
          jobs: ['find', ...writes],
          deletions: ['find', ...writes],
          accounts: ['delete'],
          credentials: ['delete'],
          audit_entries: ['delete'],
        },
      ],
      [
        'jobs-delete-api',
        {
          jobs: writes,
          deletions: ['delete'],
          credentials: ['find', ...writes],
          accounts: ['find', ...writes],
        },
      ],
      [
        'jobs-delete-worker',
        {
          jobs: ['insert', 'update'],
          deletions: ['insert'],
          credentials: ['find', ...writes],
          accounts: ['find', ...writes],
        },
      ],
    ])('refuse %s in MongoDB', (user, refused) => {
      test.each(Object.entries(refused))('%s: %j', (collection, actions) =>
        withDatabase(databaseUrlOf(user, name), async (database) => {
          const commands = {
            find: { find: collection },
            insert: { insert: collection, documents: [{ x: 1 }] },
            update: { update: collection, updates: [{ q: {}, u: { $set: { x: 1 } } }] },
            delete: { delete: collection, deletes: [{ q: {}, limit: 1 }] },
          };
          for (const action of actions)
            await expect(database.command(commands[action])).rejects.toMatchObject({ code: 13 });
        }),
      );
    });

    test.each([
      ['jobs-delete-setup', deletionAcceptedTopic],
      ['jobs-delete-api', jobsDeletedTopic],
      ['jobs-delete-worker', deletionAcceptedTopic],
    ])('refuse %s to publish %s', async (user, topic) => {
      const producer = connectKafka(kafkaTargetOf(eventLogUrlOf(user))).kafka.producer();
      await producer.connect();
      const sent = producer.send({ topic, messages: [{ value: 'x' }] });
      await expect(sent).rejects.toMatchObject({ type: 'TOPIC_AUTHORIZATION_FAILED' });
      await producer.disconnect();
    });

    test.each(['jobs-delete-setup', 'jobs-delete-api'])(
      'refuse %s the group of the workers',
      async (user) => {
        const offsetsFor = (name: string) =>
          withAdmin(connectKafka(kafkaTargetOf(eventLogUrlOf(name))).kafka, (admin) =>
            admin.fetchOffsets({ groupId: 'jobs-delete.removal' }),
          );
        expect(await offsetsFor('jobs-delete-worker')).not.toEqual([]);
        // kafkajs looks the coordinator up first, and does not pass on why that was refused.
        await expect(offsetsFor(user)).rejects.toMatchObject({ name: 'KafkaJSGroupCoordinatorNotFound' });
      },
    );
  });
});

/** Reads the arguments of kafka-acls.sh. */
function aclsOf(line: string) {
  const valuesOf = (option: string) =>
    [...line.matchAll(new RegExp(`--${option} (\\S+)`, 'g'))].map(([, value = '']) => value);
  const [principal = ''] = valuesOf('allow-principal');
  const [topic] = valuesOf('topic');
  const [group] = valuesOf('group');
  return valuesOf('operation').map((operation) => ({
    resourceType: topic === undefined ? AclResourceTypes.GROUP : AclResourceTypes.TOPIC,
    resourceName: topic ?? group ?? '',
    resourcePatternType: ResourcePatternTypes.LITERAL,
    principal,
    host: '*',
    operation: AclOperationTypes[operation.toUpperCase() as keyof typeof AclOperationTypes],
    permissionType: AclPermissionTypes.ALLOW,
  }));
}
