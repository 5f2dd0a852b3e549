import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readDeleterConfig } from '@jobs-delete/deleter-service/config';
import { startDeleter } from '@jobs-delete/deleter-service/start-deleter';
import { createLogger } from '@jobs-delete/runtime/telemetry/logger';
import { topics } from '@jobs-delete/proto/events';
import { reapReplicas, runJobsDelete, runReplica } from '../harness/spawn-roles.ts';
import { describeWith } from '../servers/describe-with.ts';
import { dropCluster, withDatabase } from './cluster-aftermath.ts';
import { clusterEnv, succeed } from './cluster.ts';
import { describeTopics } from './cluster-log.ts';
import { kafkaTargetOf } from '../servers/unique-storage.ts';

afterAll(reapReplicas);

describeWith('mongodb', 'setting up the production pair', (mongodbUrl) => {
  describeWith('kafka', 'by the command, and starts without it', (kafkaUrl) => {
    const env = clusterEnv({ mongodbUrl, kafkaUrl });
    afterAll(() => dropCluster({ databaseUrl: env.DATABASE_URL, kafka: kafkaTargetOf(env.EVENT_LOG_URL) }));

    const topicNames = topics.map((topic) => `${kafkaTargetOf(env.EVENT_LOG_URL).prefix ?? ''}${topic}`);
    const outcomes = (outcome: string) => topicNames.map((topic) => ({ topic, outcome }));
    const roles = (ROLES: string) =>
      runReplica({ program: 'deleter-service', env: { ...env, ROLES, GRPC_PORT: '0' } });

    test.each(['api', 'relay', 'worker'])(
      '%s does not start without its indexes, and says what to do',
      async (role) => {
        const { code, stderr } = await roles(role);
        expect(stderr).toMatch(
          /^The database lacks indexes: jobs\.account_job, .*\. Run: jobs-delete indexes create\n$/,
        );
        expect(code).toBe(1);
      },
    );

    test('the gateway does not start without its indexes, and says what to do', async () => {
      const { code, stderr } = await runReplica({ program: 'gateway', env: { ...env, PORT: '0' } });
      expect(stderr).toMatch(
        /^The database lacks indexes: .*credentials.*\. Run: jobs-delete indexes create\n$/,
      );
      expect(code).toBe(1);
    });

    describe('the indexes', () => {
      test('are listed, and not created, by a dry run', async () => {
        const first = await succeed(['indexes', 'create', '--dry-run'], env);
        expect(new Set((first as { outcome: string }[]).map(({ outcome }) => outcome))).toEqual(
          new Set(['missing']),
        );
        expect(await succeed(['indexes', 'create', '--dry-run'], env)).toEqual(first);
        expect(await collectionsOf(env.DATABASE_URL)).toEqual([]);
        const { code, stdout } = await runJobsDelete(['indexes', 'create', '--dry-run'], env);
        expect(stdout).toMatch(/^jobs\.account_job: missing\n(?:\w+\.\w+: missing\n)+$/);
        expect(code).toBe(0);
      });

      test('are created once, and creating them again changes nothing, even concurrently', async () => {
        const dry = (await succeed(['indexes', 'create', '--dry-run'], env)) as object[];
        const of = (outcome: string) => dry.map((index) => ({ ...index, outcome }));
        expect(await succeed(['indexes', 'create'], env)).toEqual(of('created'));
        const collections = await collectionsOf(env.DATABASE_URL);
        expect(collections).toEqual(expect.arrayContaining(['jobs', 'deletions']));
        expect(
          await Promise.all([succeed(['indexes', 'create'], env), succeed(['indexes', 'create'], env)]),
        ).toEqual([of('present'), of('present')]);
        expect((await runJobsDelete(['indexes', 'create'], env)).stdout).toMatch(
          /^jobs\.account_job: present\n/,
        );
      });
    });

    test.each(['relay', 'worker'])(
      '%s does not start without its topics, and says what to do',
      async (role) => {
        const { code, stderr } = await roles(role);
        expect(stderr).toBe(
          `The event log lacks topics: ${topicNames.join(', ')}. Run: jobs-delete topics create\n`,
        );
        expect(code).toBe(1);
      },
    );

    describe('the topics', () => {
      test('are listed, and not created, by a dry run', async () => {
        const dryRun = ['topics', 'create', '--partitions', '2', '--dry-run'];
        expect(await succeed(dryRun, env)).toEqual(outcomes('missing'));
        const { code, stdout } = await runJobsDelete(dryRun, env);
        expect(stdout).toBe(topicNames.map((topic) => `${topic}: missing\n`).join(''));
        expect(code).toBe(0);
        expect(await describeTopics(kafkaTargetOf(env.EVENT_LOG_URL))).toEqual({});
      });

      test('are created once, and creating them again changes nothing', async () => {
        const create = ['topics', 'create', '--partitions', '2'];
        expect(await succeed(create, env)).toEqual(outcomes('created'));
        const [accepted = '', deleted = '', cancelled = '', deadLetter = ''] = topicNames;
        const asAsked = {
          [accepted]: { partitions: 2, replicas: 1, inSync: '1' },
          [deleted]: { partitions: 2, replicas: 1, inSync: '1' },
          [cancelled]: { partitions: 2, replicas: 1, inSync: '1' },
          // The order of this topic decides which record of a letter is the last.
          [deadLetter]: { partitions: 1, replicas: 1, inSync: '1' },
        };
        expect(await describeTopics(kafkaTargetOf(env.EVENT_LOG_URL))).toEqual(asAsked);
        expect(await succeed(['topics', 'create', '--partitions', '3'], env)).toEqual(outcomes('present'));
        expect(await describeTopics(kafkaTargetOf(env.EVENT_LOG_URL))).toEqual(asAsked);
        const { stdout } = await runJobsDelete([...create, '--dry-run'], env);
        expect(stdout).toBe(topicNames.map((topic) => `${topic}: present\n`).join(''));
      });
    });
  });

  describe('an unreachable server', () => {
    const nowhere = {
      ...clusterEnv({ mongodbUrl, kafkaUrl: 'kafka://127.0.0.1:1' }),
      ROLES: 'relay',
    };
    beforeAll(() => succeed(['indexes', 'create'], nowhere));
    afterAll(() => dropCluster({ databaseUrl: nowhere.DATABASE_URL }));

    test('is named when a service starts', async () => {
      const log = createLogger('silent', 'relay');
      await expect(startDeleter(readDeleterConfig(nowhere), log)).rejects.toThrow(
        /^Cannot open the event log 127\.0\.0\.1:1: /,
      );
    });

    test('is named when topics are created', async () => {
      const { code, stderr } = await runJobsDelete(['topics', 'create'], nowhere);
      expect(stderr).toMatch(/127\.0\.0\.1:1/);
      expect(code).not.toBe(0);
    });
  });
});

function collectionsOf(databaseUrl: string): Promise<string[]> {
  return withDatabase({ databaseUrl }, async (database) =>
    (await database.listCollections().toArray()).map(({ name }) => name),
  );
}
