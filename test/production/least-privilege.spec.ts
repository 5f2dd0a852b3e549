import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { enrol, signInWith } from '@jobs-delete/dashboard/testing/enrol';
import { inviteAndWithdraw } from '@jobs-delete/dashboard/testing/invite-and-withdraw';
import { fieldOf, textOf } from '@jobs-delete/dashboard/testing/read-page';
import { createTestBrowser } from '@jobs-delete/dashboard/testing/test-browser';
import { connectKafka, withAdmin } from '@jobs-delete/deleter-service/event-log/kafka/connect-kafka';
import { eventLogAdapter } from '@jobs-delete/deleter-service/event-log/open-event-log';
import { accept, removeAndRecord } from '@jobs-delete/deleter-service/testing/deletions';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { callerHeaders, jsonBody, send } from '../harness/http-client.ts';
import { connectOperator, type Operator } from '../harness/service.ts';
import { createReplica, reapReplicas, runJobsDelete, type Replica } from '../harness/spawn-roles.ts';
import { until } from '../harness/until.ts';
import { watchTestEnd } from '../harness/watch-test-end.ts';
import { codeBlocks, root } from '../readme/readme.ts';
import { describeWith } from '../servers/describe-with.ts';
import { freePort } from '../servers/child-process.ts';
import { kafkaTargetOf } from '../servers/unique-storage.ts';
import { pepper, serviceToken, succeed } from './cluster.ts';
import { createRole } from './create-role.ts';
import {
  roleOf,
  startWithUsers,
  type StorageWithUsers,
  type User,
  type UserOfKafka,
} from './start-with-users.ts';

const newPath = temporaryFolder();
const dashboardToken = 'token-of-the-dashboard-0123456789-0123456789';

watchTestEnd();

describeWith('own mongodb', 'the documented rights', () => {
  describeWith('own kafka', 'in MongoDB and Kafka', () => {
    let storage: StorageWithUsers;
    let operator: Operator;
    beforeAll(async () => {
      storage = await startWithUsers();
      const env = environmentOf('jobs-delete-setup');
      await succeed(['indexes', 'create'], env);
      await succeed(['topics', 'create', '--partitions', '2'], env);
      operator = await connectOperator(storage.adminDatabaseUrl, pepper);
    });
    afterAll(async () => {
      await operator.close();
      await reapReplicas();
      await storage.stop();
    });

    const environmentOf = (user: User & UserOfKafka) => ({
      DATABASE_URL: storage.databaseUrlOf(user),
      EVENT_LOG_URL: storage.eventLogUrlOf(user),
    });
    const accountsEnvironmentOf = (user: User) => ({
      ACCOUNTS_DATABASE_URL: storage.databaseUrlOf(user),
      CREDENTIAL_PEPPER: pepper,
    });
    const createApi = (GRPC_PORT: string) =>
      createRole('api', {
        name: 'api',
        env: {
          ...environmentOf('jobs-delete-api'),
          ROLES: 'api,relay',
          GRPC_PORT,
          GRPC_SERVICE_TOKENS: `${serviceToken},dashboard:${dashboardToken}`,
          GRPC_CALLERS: 'gateway=delete,dashboard=manage',
        },
      });
    /** Expects that no process logged a refusal of MongoDB or Kafka. */
    const stopAll = async (replicas: readonly Replica[]) => {
      for (const replica of replicas) {
        expect(await replica.stop()).toBe(0);
        expect(replica.warnings().filter((line) => /authori[sz]/i.test(line))).toEqual([]);
      }
    };

    test('are those of the roles that the file creates', () => {
      expect(storage.roles.toSorted()).toEqual(Object.values(roleOf).toSorted());
    });

    test('let gateway, api and worker delete jobs', async () => {
      const account = await operator.createAccount('Acme');
      const jobIds = ['JOB000001', 'JOB000002'];
      await operator.importJobs('Acme', jobIds);
      const [GRPC_PORT, PORT] = [String(await freePort()), String(await freePort())];
      const gatewayEnv = {
        ...accountsEnvironmentOf('jobs-delete-gateway'),
        GRPC_SERVICE_TOKENS: serviceToken,
        RATE_LIMIT_REQUESTS: '1000',
        DELETER_ADDRESS: `127.0.0.1:${GRPC_PORT}`,
        PORT,
      };
      const replicas = [
        await createApi(GRPC_PORT),
        await createRole('worker', { name: 'worker', env: environmentOf('jobs-delete-worker') }),
        await createRole('gateway', { name: 'gateway', env: gatewayEnv }),
      ];
      for (const replica of replicas) await replica.start();
      const answer = await send(`http://127.0.0.1:${PORT}`, {
        headers: callerHeaders(account),
        body: jsonBody(jobIds),
      });
      expect(answer.status).toBe(200);
      await until(async () => (await operator.store.findJob('Acme', 'JOB000001')) === undefined);
      await until(
        async () => (await operator.accounts.listCredentials('token', 'Acme'))[0]?.lastUsedAtMs !== undefined,
      );
      await stopAll(replicas);
    });

    test('let a relay alone publish a deletion, which a worker removes', async () => {
      await operator.importJobs('Relayed', ['JOB000001']);
      const acceptedAtMs = Date.now();
      await accept(operator.store, ['JOB000001'], {
        accountId: 'Relayed',
        deletionId: 'relayed',
        acceptedAtMs,
        dueAtMs: acceptedAtMs,
      });
      const relay = await createRole('relay', { name: 'relay', env: environmentOf('jobs-delete-relay') });
      await relay.start();
      const stateOf = async () => (await operator.store.findReceipt('relayed', 'Relayed'))?.state;
      await until(async () => (await stateOf()) === 'published');
      const worker = await createRole('worker', { name: 'worker', env: environmentOf('jobs-delete-worker') });
      await worker.start();
      await until(async () => (await stateOf()) === 'completed');
      await stopAll([relay, worker]);
    });

    test('let a dashboard admit a person, who creates a key, withdraws an invitation and reads the activity', async () => {
      const [GRPC_PORT, DASHBOARD_PORT] = [String(await freePort()), String(await freePort())];
      const dashboard = createReplica({
        name: 'dashboard',
        program: { commandLine: 'node dashboard/dist/main.js' },
        env: {
          ...accountsEnvironmentOf('jobs-delete-dashboard'),
          DASHBOARD_PORT,
          ADMIN_PORT: '0',
          DELETER_ADDRESS: `127.0.0.1:${GRPC_PORT}`,
          GRPC_SERVICE_TOKENS: dashboardToken,
        },
      });
      const replicas = [await createApi(GRPC_PORT), dashboard];
      for (const replica of replicas) await replica.start();
      const browser = () => createTestBrowser(`http://127.0.0.1:${DASHBOARD_PORT}`);
      const publicUrl = `http://localhost:${DASHBOARD_PORT}`;
      const visited = { accounts: operator.accounts, browser, publicUrl };
      const { authenticator } = await enrol(visited, 'Shop', 'ada@example.com');
      const owner = browser();
      expect(await signInWith(owner, authenticator)).toMatchObject({
        status: 303,
        location: '/',
      });

      const once = fieldOf(await owner.get('/keys/new'), 'once');
      const created = await owner.post('/keys/new', {
        once,
        create: 'both',
        name: 'shop',
        expiry: '90',
        environment: 'live',
      });
      expect(textOf(created, 'token')).toMatch(/^jdt_/);
      const domain = { domain: 'www.example.com' };
      expect(await owner.post('/domains/new', domain)).toMatchObject({ status: 303 });
      const [key] = await operator.accounts.listCredentials('token', 'Shop');
      expect(await owner.post(`/keys/token/${key?.id ?? ''}/revoke`)).toMatchObject({ status: 303 });
      expect(await inviteAndWithdraw(owner, 'grace@example.com')).toMatchObject({ status: 303 });
      await operator.importJobs('Shop', ['JOB000001']);
      const { id } = await accept(operator.store, ['JOB000001'], {
        accountId: 'Shop',
        deletionId: randomUUID(),
        acceptedAtMs: Date.now(),
        dueAtMs: Date.now(),
      });
      const activity = await owner.get('/activity');
      expect(activity).toMatchObject({ status: 200, text: expect.stringContaining(id) });
      for (const page of ['/keys', '/domains', '/people', '/trail', '/profile', `/activity/${id}`])
        expect([page, (await owner.get(page)).status]).toEqual([page, 200]);
      expect(await owner.post('/sign-out')).toMatchObject({ status: 303 });
      await stopAll(replicas);
    });

    describe('let the audit', () => {
      const audit = () => runJobsDelete(['audit', '--json'], environmentOf('jobs-delete-audit'));

      beforeAll(async () => {
        const ids = ['JOB000001', 'JOB000002'];
        await operator.importJobs('Audited', ids);
        const acceptedAtMs = Date.now() - 20 * 60_000;
        for (const [index, deletionId] of ['completed', 'stuck'].entries()) {
          const more = { accountId: 'Audited', deletionId, acceptedAtMs, dueAtMs: acceptedAtMs };
          const { claims } = await accept(operator.store, [ids[index] ?? ''], more);
          const part = { deletionId, accountId: 'Audited', part: 0, parts: 1, claims };
          if (deletionId === 'completed') await removeAndRecord(operator.store, [part], Date.now());
        }
        const eventLog = await eventLogAdapter(
          kafkaTargetOf(storage.eventLogUrlOf('jobs-delete-worker')),
        ).open();
        const event = { position: '0/1', key: 'k', headers: {}, value: Buffer.from('{') };
        const letter = { id: 'letter', reason: 'not JSON', attempts: 1, failedAtMs: Date.now(), event };
        await eventLog.addDeadLetters([letter]);
        await eventLog.close();
      });

      test('find a deletion that is not published, and a dead letter', async () => {
        const { code, stdout, stderr } = await audit();
        expect([code, stderr]).toEqual([1, '']);
        expect(JSON.parse(stdout)).toMatchObject({
          findings: expect.arrayContaining([
            expect.objectContaining({ kind: 'not_published', deletion_id: 'stuck' }),
            expect.objectContaining({ kind: 'dead_letter', dead_letter_id: 'letter' }),
          ]) as unknown,
        });
      });

      test('leave no group of its own in Kafka', async () => {
        await audit();
        const admin = connectKafka(kafkaTargetOf(storage.adminEventLogUrl)).kafka;
        const { groups } = await withAdmin(admin, (client) => client.listGroups());
        const names = groups.map(({ groupId }) => groupId);
        expect(names).toContain('jobs-delete.removal');
        expect(names.filter((name) => name.startsWith('jobs-delete.dead-letters'))).toEqual([]);
      });

      test('read completed deletions with their jobs', async () => {
        const { completed_count } = JSON.parse((await audit()).stdout) as { completed_count: number };
        expect(completed_count).toBeGreaterThan(0);
      });

      test('be repaired by an operator, with the function of the guide', () => {
        const folder = newPath('programs');
        mkdirSync(folder, { recursive: true });
        const program = (name: string, script: string) => {
          writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
        };
        // The pod has the URLs of the api's user.
        const ofPod = Object.entries(environmentOf('jobs-delete-api')).map(
          ([name, url]) => `${name}='${url}'`,
        );
        program('kubectl', `while [ "$1" != -- ]; do shift; done; shift; exec env ${ofPod.join(' ')} "$@"`);
        program('jobs-delete', `exec node ${join(root, 'cli/bin/jobs-delete.js')} "$@"`);
        const [block = ''] = codeBlocks('sh', readFileSync(join(root, 'docs/least-privilege.md'), 'utf8'));
        const script = block.replace('jobs-delete doctor', 'jobs-delete audit --repair --json');
        const { stdout } = spawnSync('sh', ['-euc', script], {
          env: {
            PATH: `${folder}:${process.env.PATH ?? ''}`,
            DATABASE_URL: storage.adminDatabaseUrl,
            EVENT_LOG_URL: storage.adminEventLogUrl,
          },
          encoding: 'utf8',
        });
        expect(JSON.parse(stdout)).toMatchObject({
          findings: expect.arrayContaining([
            expect.objectContaining({ deletion_id: 'stuck', republished: true }),
          ]) as unknown,
        });
      });
    });
  });
});
