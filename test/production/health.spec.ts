import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { reapReplicas } from '../harness/spawn-roles.ts';
import { until } from '../harness/until.ts';
import type { Admin } from '../operations/admin.ts';
import { describeWith } from '../servers/describe-with.ts';
import { freePort } from '../servers/free-port.ts';
import { startKafka, type KafkaServer } from '../servers/start-kafka.ts';
import { startMongo, type MongoServers } from '../servers/start-mongo.ts';
import { clusterEnv, succeed } from './cluster.ts';
import { createRole, type Role } from './create-role.ts';

const outageMs = 60_000;

describeWith('own mongodb', 'health in production', () => {
  describeWith('own kafka', 'while what a service depends on is away', () => {
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

    const create = async (role: Role, further: Readonly<Record<string, string>> = {}) => {
      const own =
        role === 'gateway'
          ? { PORT: String(await freePort()), DELETER_ADDRESS: `127.0.0.1:${GRPC_PORT}` }
          : { GRPC_PORT };
      return createRole(role, { name: role, env: { ...env, ...own, ...further } });
    };
    const untilReady = (admin: Admin) =>
      until(async () => (await admin.readiness())?.ready === true, {
        timeoutMs: outageMs,
        what: 'ready',
      });
    const untilReason = (admin: Admin, dependency: string) =>
      until(
        async () => {
          const readiness = await admin.readiness();
          return readiness?.status === 503 && readiness.dependencies[dependency]?.reason;
        },
        { timeoutMs: outageMs, what: `not ready for want of the ${dependency}` },
      );

    test('each says what it lacks, lives on, and is ready again by itself', async () => {
      const all = {
        gateway: await create('gateway'),
        api: await create('api'),
        relay: await create('relay'),
        worker: await create('worker'),
      };
      const services = Object.values(all);
      await Promise.all(services.map((replica) => replica.start()));
      await Promise.all(services.map(({ admin }) => untilReady(admin)));
      const pids = services.map((replica) => replica.pid());
      expect((await all.api.admin.readiness())?.dependencies).toEqual({
        database: { up: true, required: true },
      });
      expect(Object.keys((await all.gateway.admin.readiness())?.dependencies ?? {})).toEqual([
        'database',
        'deleter',
      ]);

      await mongo.members[0]?.kill();
      for (const { admin } of services) {
        expect(await untilReason(admin, 'database')).toMatch(/MongoDB|no answer within/);
        expect((await admin.get('/livez')).status).toBe(200);
      }
      // Not for want of a process, but because that one has no database.
      expect(await untilReason(all.gateway.admin, 'deleter')).toBe('it says that it does not serve now');
      await mongo.members[0]?.restart();
      await Promise.all(services.map(({ admin }) => untilReady(admin)));

      await kafka.kill();
      for (const { admin } of [all.relay, all.worker]) {
        expect(await untilReason(admin, 'event_log')).toMatch(/Kafka|no answer within/);
        expect((await admin.get('/livez')).status).toBe(200);
      }
      expect((await all.api.admin.readiness())?.ready).toBe(true);
      expect((await all.gateway.admin.readiness())?.ready).toBe(true);
      await kafka.restart();
      await Promise.all(services.map(({ admin }) => untilReady(admin)));

      await all.api.stop();
      expect(await untilReason(all.gateway.admin, 'deleter')).toMatch(/^UNAVAILABLE|no answer within/);
      await all.api.start();
      await untilReady(all.gateway.admin);

      const stranger = await create('gateway', { GRPC_SERVICE_TOKENS: 'a'.repeat(40) });
      await stranger.start();
      expect(await untilReason(stranger.admin, 'deleter')).toMatch(/^UNAUTHENTICATED/);
      expect(await stranger.stop()).toBe(0);

      expect(pids.slice(0, 1).concat(pids.slice(2))).toEqual(
        [all.gateway, all.relay, all.worker].map((replica) => replica.pid()),
      );
      expect(services.flatMap((replica) => replica.crashes())).toEqual([]);
      expect(await Promise.all(services.map((replica) => replica.stop()))).toEqual([0, 0, 0, 0]);
    });

    test('a start waits for its database and its event log, says so, and goes on when they come', async () => {
      await Promise.all([mongo.members[0]?.kill(), kafka.kill()]);
      const replica = await create('worker');
      const { admin } = replica;
      const started = replica.start();
      expect(await untilReason(admin, 'database')).toMatch(
        /^Cannot open the database mongodb:\/\/127\.0\.0\.1/,
      );
      expect((await admin.readiness())?.phase).toBe('starting');
      expect((await admin.get('/livez')).status).toBe(200);
      await mongo.members[0]?.restart();
      expect(await untilReason(admin, 'event_log')).toMatch(/^Cannot open the event log 127\.0\.0\.1/);
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

    test('a start that waits ends at once on SIGTERM', async () => {
      await kafka.kill();
      const replica = await create('relay');
      const { admin } = replica;
      void replica.start();
      await untilReason(admin, 'event_log');
      expect(await replica.stop()).toBe(143);
      await kafka.restart();
    });
  });
});
