import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connectKafka, withAdmin } from '@jobs-delete/deleter-service/event-log/kafka/connect-kafka';
import { removalGroup } from '@jobs-delete/deleter-service/deletion/remove-jobs';
import { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } from 'kafkajs';
import { reapReplicas } from '../harness/spawn-roles.ts';
import { watchTestEnd } from '../harness/watch-test-end.ts';
import { describeWith } from '../servers/describe-with.ts';
import { kafkaTargetOf } from '../servers/unique-storage.ts';
import { succeed } from './cluster.ts';
import {
  roleOf,
  startWithUsers,
  usersOfKafka,
  withDatabase,
  type StorageWithUsers,
  type User,
  type UserOfKafka,
} from './start-with-users.ts';
import { root } from '../readme/readme.ts';

const ofRoles = documentedRights('Collection');
const ofTopics = documentedRights('User');
const collections = [...(ofRoles.get('jobsDeleteApi')?.keys() ?? [])];
const topics = [...ofTopics.keys()];
const users = Object.keys(roleOf) as User[];

watchTestEnd();

describeWith('own mongodb', 'what the page on rights does not name', () => {
  describeWith('own kafka', 'in MongoDB and Kafka', () => {
    let storage: StorageWithUsers;
    beforeAll(async () => {
      storage = await startWithUsers();
      const env = {
        DATABASE_URL: storage.databaseUrlOf('jobs-delete-setup'),
        EVENT_LOG_URL: storage.eventLogUrlOf('jobs-delete-setup'),
      };
      await succeed(['indexes', 'create'], env);
      await succeed(['topics', 'create', '--partitions', '1'], env);
    });
    afterAll(async () => {
      await reapReplicas();
      await storage.stop();
    });

    test('leaves out no collection, role, topic and user', async () => {
      const created = await withDatabase(storage.adminDatabaseUrl, (database) =>
        database.listCollections({}, { nameOnly: true }).toArray(),
      );
      const names = created.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
      expect(collections.toSorted()).toEqual(names.toSorted());
      expect(['jobsDeleteSetUp', ...ofRoles.keys()].toSorted()).toEqual(Object.values(roleOf).toSorted());
      expect([...(ofTopics.get(topics[0] ?? '')?.keys() ?? [])]).toEqual(usersOfKafka);
      const existing = await adminAs('admin', (admin) => admin.listTopics());
      expect(topics.toSorted()).toEqual(existing.filter((topic) => !topic.startsWith('__')).toSorted());
    });

    /** A command of each action, which changes nothing that exists. */
    const commandsOn = (collection: string) => ({
      find: { find: collection, limit: 1 },
      insert: { insert: collection, documents: [{ _id: 'nobody' }] },
      update: { update: collection, updates: [{ q: { _id: 'nobody' }, u: { $set: { x: 1 } } }] },
      remove: { delete: collection, deletes: [{ q: { _id: 'nobody' }, limit: 1 }] },
      'create indexes': { createIndexes: collection, indexes: [{ key: { x: 1 }, name: 'x' }] },
      'drop indexes': { dropIndexes: collection, index: 'x' },
      drop: { drop: collection },
    });
    type Action = keyof ReturnType<typeof commandsOn>;
    const actions = Object.keys(commandsOn('')) as Action[];

    describe.each(users)('MongoDB refuses %s', (user) => {
      const role = roleOf[user];
      const mayDo = (collection: string): readonly string[] =>
        role === 'jobsDeleteSetUp' ? ['create indexes'] : (ofRoles.get(role)?.get(collection) ?? []);

      test.each(collections)('other actions on %s', (collection) =>
        withDatabase(storage.databaseUrlOf(user), async (database) => {
          const commands = commandsOn(collection);
          const refused: Action[] = [];
          for (const action of actions.filter((name) => !mayDo(collection).includes(name)))
            await database.command(commands[action]).catch((error: unknown) => {
              if ((error as { code?: number }).code === unauthorized) refused.push(action);
            });
          expect(refused).toEqual(actions.filter((name) => !mayDo(collection).includes(name)));
        }),
      );

      test('no documented action', () =>
        withDatabase(storage.databaseUrlOf(user), async (database) => {
          const { authInfo } = (await database.command({ connectionStatus: 1, showPrivileges: true })) as {
            authInfo: {
              authenticatedUserPrivileges: { resource: { collection?: string }; actions: string[] }[];
            };
          };
          const granted = (collection: string) =>
            authInfo.authenticatedUserPrivileges
              .filter(({ resource }) => resource.collection === collection)
              .flatMap((privilege) => privilege.actions);
          for (const collection of collections)
            for (const action of mayDo(collection).filter((name) => name !== 'create indexes'))
              expect([collection, granted(collection)]).toEqual([
                collection,
                expect.arrayContaining([action]),
              ]);
        }));
    });

    const kafkaAs = (user: UserOfKafka | 'admin') => {
      const url = user === 'admin' ? storage.adminEventLogUrl : storage.eventLogUrlOf(user);
      return connectKafka(kafkaTargetOf(url)).kafka;
    };
    const adminAs = <Result>(user: UserOfKafka | 'admin', use: Parameters<typeof withAdmin<Result>>[1]) =>
      withAdmin(kafkaAs(user), use);

    describe.each(usersOfKafka)('Kafka lets %s', (user) => {
      // Reading needs a group. This one says nothing about the rights on topics.
      const groupId = `tests.${user}`;
      beforeAll(async () => {
        const acl = {
          resourceType: AclResourceTypes.GROUP,
          resourceName: groupId,
          host: '*',
          resourcePatternType: ResourcePatternTypes.LITERAL,
          principal: `User:${user}`,
          operation: AclOperationTypes.READ,
          permissionType: AclPermissionTypes.ALLOW,
        };
        await adminAs('admin', (admin) => admin.createAcls({ acl: [acl] }));
      });

      test.each(topics)('write and read %s only as documented', async (topic) => {
        const may = ofTopics.get(topic)?.get(user) ?? [];
        expect(await tryTo(() => write(user, topic))).toBe(may.includes('write') ? 'allowed' : refusal);
        expect(await tryTo(() => read(user, topic, groupId))).toBe(
          may.includes('read') ? 'allowed' : refusal,
        );
      });

      test('describe the group of the workers only as documented', async () => {
        const offsets = adminAs(user, (admin) => admin.fetchOffsets({ groupId: removalGroup }));
        // kafkajs looks the coordinator up first, and does not pass on why that was refused.
        if (user === 'jobs-delete-worker' || user === 'jobs-delete-keda')
          await expect(offsets).resolves.toEqual([]);
        else await expect(offsets).rejects.toMatchObject({ name: 'KafkaJSGroupCoordinatorNotFound' });
      });

      test('join the group of the workers only as documented', async () => {
        const [topic = ''] = topics;
        const joined = await tryTo(() => read(user, topic, removalGroup));
        expect(joined).toMatch(user === 'jobs-delete-worker' ? 'allowed' : /AUTHORIZATION|Coordinator/);
      });
    });

    async function write(user: UserOfKafka, topic: string): Promise<void> {
      const producer = kafkaAs(user).producer();
      await producer.connect();
      try {
        await producer.send({ topic, messages: [{ key: 'x', value: 'x' }] });
      } finally {
        await producer.disconnect();
      }
    }

    /** Resolves when a fetch has succeeded. */
    async function read(user: UserOfKafka, topic: string, groupId: string): Promise<void> {
      const consumer = kafkaAs(user).consumer({ groupId });
      const fetched = new Promise<void>((resolve, reject) => {
        consumer.on(consumer.events.FETCH, () => resolve());
        consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
      });
      fetched.catch(() => undefined);
      await consumer.connect();
      try {
        await consumer.subscribe({ topic });
        await consumer.run({ eachMessage: () => Promise.resolve() });
        await fetched;
      } finally {
        await consumer.disconnect();
      }
    }
  });
});

const unauthorized = 13;
const refusal = 'TOPIC_AUTHORIZATION_FAILED';

/** Returns `allowed`, or the name of the error. */
async function tryTo(attempt: () => Promise<void>): Promise<string> {
  try {
    await attempt();
    return 'allowed';
  } catch (error) {
    const { type, name } = innermost(error as KafkaError);
    // Kafka still creates its own topic of groups.
    return type === 'GROUP_LOAD_IN_PROGRESS' ? tryTo(attempt) : (type ?? name);
  }
}

type KafkaError = Error & { readonly type?: string; readonly cause?: unknown };

const innermost = (error: KafkaError): KafkaError =>
  error.cause instanceof Error ? innermost(error.cause) : error;

/** The rights of each column: what it may do with each row. */
type Rights = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** Reads a table of docs/least-privilege.md, by the title of its first column. */
function documentedRights(title: string): Rights {
  const page = readFileSync(join(root, 'docs/least-privilege.md'), 'utf8');
  const [header = [], , ...rows] = page
    .slice(page.search(new RegExp(`^\\| ${title} `, 'm')))
    .split('\n\n', 1)
    .flatMap((table) => table.split('\n').map(cellsOf));
  return new Map(
    header
      .slice(1)
      .map((column, index) => [
        column,
        new Map(rows.map(([row = '', ...cells]) => [row, cells[index]?.split(', ').filter(Boolean) ?? []])),
      ]),
  );
}

function cellsOf(line: string): string[] {
  const cells = line.split('|').slice(1, -1);
  return cells.map((cell) => cell.trim().replaceAll('`', ''));
}
