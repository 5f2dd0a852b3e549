import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { numberedIds } from '../durability/scene.ts';
import type { GatewayLimits } from '../harness/gateway-limits.ts';
import { callerHeaders, jsonBody, send } from '../harness/http-client.ts';
import { connectOperator, type TestAccount } from '../harness/service.ts';
import { reapReplicas } from '../harness/spawn-roles.ts';
import { until } from '../harness/until.ts';
import type { Admin } from '../operations/admin.ts';
import { describeWith } from '../servers/describe-with.ts';
import { freePort } from '../servers/child-process.ts';
import { startKafka, type KafkaServer } from '../servers/start-kafka.ts';
import { startMongo, type MongoServers } from '../servers/start-mongo.ts';
import { clusterEnv, pepper, succeed } from './cluster.ts';
import { createRole, type Role } from './create-role.ts';

describeWith('own mongodb', 'health in production', () => {
  describeWith('own kafka', 'during outages of MongoDB, Kafka or an api', () => {
    let mongo: MongoServers;
    let kafka: KafkaServer;
    let env: Readonly<Record<string, string>>;
    let GRPC_PORT: string;

    beforeAll(async () => {
      [mongo, kafka] = await Promise.all([startMongo(), startKafka()]);
      env = clusterEnv({ mongodbUrl: mongo.url, kafkaUrl: `kafka://${kafka.brokers.join(',')}` });
      GRPC_PORT = String(await freePort());
      await succeed(['indexes', 'create'], env);
      await succeed(['topics', 'create', '--partitions', '1'], env);
    });
    afterAll(async () => {
      await reapReplicas();
      await Promise.all([mongo.stop(), kafka.stop()]);
    });

    const create = async (
      role: Role,
      further: Readonly<Record<string, string>> = {},
      limits?: GatewayLimits,
    ) => {
      const port = String(await freePort());
      const own =
        role === 'gateway' ? { PORT: port, DELETER_ADDRESS: `127.0.0.1:${GRPC_PORT}` } : { GRPC_PORT };
      const replica = await createRole(role, { name: role, env: { ...env, ...own, ...further }, limits });
      return { ...replica, port };
    };
    const untilReady = (admin: Admin) =>
      until(
        async () => {
          const { ready = false, dependencies = {} } = (await admin.readiness()) ?? {};
          return ready && Object.values(dependencies).every(({ up }) => up);
        },
        { what: 'readiness, with every dependency up' },
      );
    /** Gateways and apis stay ready (200) without their dependencies. */
    const untilReason = (admin: Admin, dependency: string, status: 200 | 503) =>
      until(
        async () => {
          const readiness = await admin.readiness();
          return readiness?.status === status && readiness.dependencies[dependency]?.reason;
        },
        { what: `${String(status)} with a reason about the ${dependency}` },
      );

    describe('each service', () => {
      let all: Readonly<Record<Role, Awaited<ReturnType<typeof create>>>>;
      let account: TestAccount;
      const [jobId = ''] = numberedIds('HEALTH', 1);
      const services = () => Object.values(all);
      const untilAllReady = () => Promise.all(services().map(({ admin }) => untilReady(admin)));
      const pidsOf = (...roles: readonly Role[]) => roles.map((role) => all[role].pid());

      beforeAll(async () => {
        all = {
          gateway: await create('gateway'),
          api: await create('api'),
          relay: await create('relay'),
          worker: await create('worker'),
        };
        const operator = await connectOperator(env.DATABASE_URL ?? '', pepper);
        account = await operator.createAccount('Acme');
        await operator.importJobs('Acme', [jobId]);
        await operator.close();
        await Promise.all(services().map((replica) => replica.start()));
        await untilAllReady();
      });
      afterAll(async () => {
        expect(services().flatMap((replica) => replica.crashes())).toEqual([]);
        expect(await Promise.all(services().map((replica) => replica.stop()))).toEqual([0, 0, 0, 0]);
      });

      test('reports its dependencies', async () => {
        expect((await all.api.admin.readiness())?.dependencies).toEqual({
          database: { up: true, required: false },
        });
        const { dependencies = {} } = (await all.gateway.admin.readiness()) ?? {};
        expect(Object.keys(dependencies)).toEqual(['database', 'deleter']);
      });

      test('reports a MongoDB outage, stays alive, and recovers', async () => {
        const pids = pidsOf('gateway', 'api', 'relay', 'worker');
        await mongo.members[0]?.kill();
        for (const { admin } of services()) {
          const status = admin === all.gateway.admin || admin === all.api.admin ? 200 : 503;
          expect(await untilReason(admin, 'database', status)).toMatch(/MongoDB|no answer within/);
          expect((await admin.get('/livez')).status).toBe(200);
        }
        const call = { headers: callerHeaders(account), body: jsonBody([jobId]) };
        const answer = await send(`http://127.0.0.1:${all.gateway.port}`, call);
        expect([answer.status, answer.json]).toEqual([503, expect.objectContaining({ code: 'unavailable' })]);
        // The api runs, but has no database.
        expect(await untilReason(all.gateway.admin, 'deleter', 200)).toBe(
          'it reports that it does not serve',
        );
        await mongo.members[0]?.restart();
        await untilAllReady();
        expect(pidsOf('gateway', 'api', 'relay', 'worker')).toEqual(pids);
      });

      test('reports a Kafka outage if it needs Kafka, stays alive, and recovers', async () => {
        const pids = pidsOf('gateway', 'api', 'relay', 'worker');
        await kafka.kill();
        for (const { admin } of [all.relay, all.worker]) {
          expect(await untilReason(admin, 'event_log', 503)).toMatch(/Kafka|no answer within/);
          expect((await admin.get('/livez')).status).toBe(200);
        }
        expect((await all.api.admin.readiness())?.ready).toBe(true);
        expect((await all.gateway.admin.readiness())?.ready).toBe(true);
        await kafka.restart();
        await untilAllReady();
        expect(pidsOf('gateway', 'api', 'relay', 'worker')).toEqual(pids);
      });

      test('reports an api outage if it is a gateway, and recovers', async () => {
        const pids = pidsOf('gateway');
        await all.api.stop();
        expect(await untilReason(all.gateway.admin, 'deleter', 200)).toMatch(/^UNAVAILABLE|no answer within/);
        await all.api.start();
        await untilReady(all.gateway.admin);
        expect(pidsOf('gateway')).toEqual(pids);
      });

      test('a gateway with a wrong token never becomes ready, which stops a roll-out', async () => {
        const unauthenticated = await create('gateway', { GRPC_SERVICE_TOKENS: 'a'.repeat(40) });
        await unauthenticated.start();
        expect(await untilReason(unauthenticated.admin, 'deleter', 503)).toMatch(/^UNAUTHENTICATED/);
        expect(await unauthenticated.stop()).toBe(0);
      });
    });

    test('load that uses every connection of a pool does not delay health checks', async () => {
      const url = `${env.DATABASE_URL ?? ''}${env.DATABASE_URL?.includes('?') ? '&' : '?'}maxPoolSize=1&waitQueueTimeoutMS=60000`;
      const gateway = await create('gateway', { DATABASE_URL: url }, { answerTimeoutMs: 60_000 });
      const api = await create('api', { DATABASE_URL: url });
      await Promise.all([gateway.start(), api.start()]);
      await Promise.all([untilReady(gateway.admin), untilReady(api.admin)]);
      const operator = await connectOperator(env.DATABASE_URL ?? '', pepper);
      const account = await operator.createAccount('Umbrella');
      const jobIds = numberedIds('LOAD', 3_000);
      await operator.importJobs('Umbrella', jobIds);
      await operator.close();
      const [primary] = mongo.members;
      if (primary === undefined) throw new Error('no member');
      const poolOf = async () => {
        const metrics = await api.admin.metrics();
        return metrics.get('store_mongodb_connections{state="in_use"}');
      };

      // Writes wait now. Reads work.
      await mongo.command(primary, { fsync: 1, lock: true });
      const calls = [0, 500, 1_000, 1_500, 2_000, 2_500].map((from) =>
        send(`http://127.0.0.1:${gateway.port}`, {
          headers: callerHeaders(account),
          body: jsonBody(jobIds.slice(from, from + 500)),
        }),
      );
      await until(async () => (await poolOf()) === 1);
      // Health is checked each second.
      const reported = { gateway: new Set<unknown>(), api: new Set<unknown>() };
      for (let each = 0; each < 300; each++) {
        const { database, deleter } = (await gateway.admin.readiness())?.dependencies ?? {};
        reported.gateway.add(database?.up).add(deleter?.up);
        reported.api.add((await api.admin.readiness())?.dependencies.database?.up);
        await delay(10);
      }
      expect(reported).toEqual({ gateway: new Set([true]), api: new Set([true]) });
      expect(await poolOf()).toBe(1);
      await mongo.command(primary, { fsyncUnlock: 1 });
      expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 200));
      expect(await Promise.all([gateway.stop(), api.stop()])).toEqual([0, 0]);
    });

    test('a start waits for its database and its event log, logs that, and continues when they are up', async () => {
      await Promise.all([mongo.members[0]?.kill(), kafka.kill()]);
      const replica = await create('worker');
      const { admin } = replica;
      const started = replica.start();
      expect(await untilReason(admin, 'database', 503)).toMatch(
        /^Cannot open the database mongodb:\/\/127\.0\.0\.1/,
      );
      expect((await admin.readiness())?.phase).toBe('starting');
      expect((await admin.get('/livez')).status).toBe(200);
      await mongo.members[0]?.restart();
      expect(await untilReason(admin, 'event_log', 503)).toMatch(/^Cannot open the event log 127\.0\.0\.1/);
      await kafka.restart();
      await started;
      await untilReady(admin);
      expect(replica.crashes()).toEqual([]);
      const waits = replica.warnings().filter((line) => line.includes('the start waits'));
      expect(new Set(waits.map((line) => (JSON.parse(line) as { dependency: string }).dependency))).toEqual(
        new Set(['database', 'event_log']),
      );
      expect(await replica.stop()).toBe(0);
    });

    test('a waiting start ends immediately on SIGTERM', async () => {
      await kafka.kill();
      const replica = await create('relay');
      const { admin } = replica;
      void replica.start();
      await untilReason(admin, 'event_log', 503);
      expect(await replica.stop()).toBe(143);
      await kafka.restart();
    });
  });
});
