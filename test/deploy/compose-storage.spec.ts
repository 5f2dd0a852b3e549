import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectKafka, withAdmin } from '@jobs-delete/deleter-service/event-log/kafka/connect-kafka';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { databaseOf, openMongo } from '@jobs-delete/runtime/mongo/open-mongo';
import { callerHeaders, jsonBody, send } from '../harness/http-client.ts';
import { connectOperator, type Operator } from '../harness/service.ts';
import { createReplica, reapReplicas, runReplica } from '../harness/spawn-roles.ts';
import { until } from '../harness/until.ts';
import { watchTestEnd } from '../harness/watch-test-end.ts';
import { succeed } from '../production/cluster.ts';
import { describeWith } from '../servers/describe-with.ts';
import { freePort, runCommand, type ServerProcess, startServer } from '../servers/child-process.ts';
import { kafkaTargetOf } from '../servers/unique-storage.ts';
import { createSecrets, environmentOf, serviceOf } from './compose.ts';

const newPath = temporaryFolder();
const folder = newPath('compose');
const secrets = join(folder, 'secrets');
const secretOf = (name: string, variable: string) =>
  readFileSync(join(secrets, name, variable), 'utf8').trim();
const configured = (name: string) => environmentOf(serviceOf(name), secrets);

watchTestEnd();

describeWith('own mongodb', 'the storage of docker-compose.yml', (mongod) => {
  describeWith('own kafka', 'MongoDB and Kafka', (kafkaClassPath) => {
    const servers: ServerProcess[] = [];
    let operator: Operator;
    const setUpMongodb = () => {
      const [program = '', script = '', , host = ''] = serviceOf('users').command;
      const passwords = join(secrets, 'mongodb/passwords.json');
      const address = host.replace('mongodb:27017', mongodb);
      return runReplica({
        program: { commandLine: [program, script, passwords, address].join(' ') },
        env: {},
      });
    };
    let mongodb: string;

    beforeAll(async () => {
      const ports = [await freePort(), await freePort(), await freePort()].map(String);
      const [mongodbPort = '', kafkaPort = '', controllerPort = ''] = ports;
      mongodb = `127.0.0.1:${mongodbPort}`;
      createSecrets(secrets, { mongodb, kafka: `127.0.0.1:${kafkaPort}` });
      servers.push(await startMongodb(mongod, mongodbPort));
      expect(await setUpMongodb()).toMatchObject({ code: 0, stderr: '' });
      servers.push(await startKafka(kafkaClassPath, kafkaPort, controllerPort));
      await succeed(['indexes', 'create'], configured('indexes'));
      await succeed(['topics', 'create', '--partitions', '2'], configured('topics'));
      operator = await connectOperator(
        secretOf('operator', 'DATABASE_URL').replace('&insecure=true', ''),
        secretOf('operator', 'CREDENTIAL_PEPPER'),
      );
    });
    afterAll(async () => {
      await operator.close();
      await reapReplicas();
      await Promise.all(servers.map((server) => server.kill()));
    });

    test('let every role work with its own password', async () => {
      const account = await operator.createAccount('Acme');
      await operator.importJobs('Acme', ['JOB000001']);
      const [GRPC_PORT, PORT, DASHBOARD_PORT] = [await freePort(), await freePort(), await freePort()].map(
        String,
      );
      const ports = { GRPC_PORT, PORT, DASHBOARD_PORT, DELETER_ADDRESS: `127.0.0.1:${GRPC_PORT ?? ''}` };
      const replicas = ['api', 'relay', 'worker', 'gateway', 'dashboard'].map((name) =>
        createReplica({
          name,
          program: { commandLine: serviceOf(name).command.join(' ') },
          env: { ...configured(name), ...ports, GRPC_HOST: '127.0.0.1' },
        }),
      );
      await Promise.all(replicas.map((replica) => replica.start()));
      const { status } = await send(`http://127.0.0.1:${PORT ?? ''}`, {
        headers: callerHeaders(account),
        body: jsonBody(['JOB000001']),
      });
      expect(status).toBe(200);
      await until(async () => (await operator.store.findJob('Acme', 'JOB000001')) === undefined);
      for (const replica of replicas) {
        expect([replica.name, await replica.stop()]).toEqual([replica.name, 0]);
        expect(replica.warnings().filter((line) => /auth/i.test(line))).toEqual([]);
      }
    });

    test('let the operator change accounts, and audit MongoDB and Kafka', async () => {
      await succeed(['accounts', 'create', 'ops', '--name', 'Ops'], configured('operator'));
      await succeed(['audit'], configured('operator'));
    });

    test('MongoDB refuses a client without a password, or with a wrong one', async () => {
      const url = secretOf('api', 'DATABASE_URL').replace('&insecure=true', '');
      const findJobs = async (from: string) => {
        const connection = await openMongo(from);
        try {
          return await databaseOf(connection).collection('jobs').countDocuments();
        } finally {
          await connection.close();
        }
      };
      expect(await findJobs(url)).toEqual(expect.any(Number));
      await expect(findJobs(url.replace(/\/\/[^@]+@/, '//'))).rejects.toThrow(/requires authentication/);
      await expect(findJobs(url.replace(/:[^:@]+@/, ':wrong@'))).rejects.toThrow(/Authentication failed/);
    });

    test('the gateway cannot read jobs', async () => {
      const connection = await openMongo(
        secretOf('gateway', 'ACCOUNTS_DATABASE_URL').replace('&insecure=true', ''),
      );
      await expect(databaseOf(connection).collection('jobs').findOne()).rejects.toThrow(/not authorized/);
      await connection.close();
    });

    test('Kafka refuses a client without a password, or with a wrong one', async () => {
      const url = secretOf('worker', 'EVENT_LOG_URL');
      const listTopics = (from: string) => {
        const { kafka } = connectKafka(kafkaTargetOf(from));
        return withAdmin(kafka, (admin) => admin.listTopics());
      };
      expect(await listTopics(url)).toContain('jobs.deletion-accepted.v1');
      await expect(listTopics(url.replace(/:[^:@]+@/, ':wrong@'))).rejects.toThrow(
        /Invalid username or password/,
      );
      await expect(listTopics(url.replace(/\/\/[^@]+@/, '//'))).rejects.toThrow();
    });

    test('MongoDB starts again with another key, and the set-up changes nothing', async () => {
      await servers[0]?.kill();
      servers[0] = await startMongodb(mongod, mongodb.split(':')[1] ?? '');
      expect(await setUpMongodb()).toMatchObject({ code: 0, stderr: '' });
      await succeed(['indexes', 'create'], configured('indexes'));
    });
  });
});

/** Starts MongoDB by the command of the service, on loopback. */
async function startMongodb(mongod: string, port: string): Promise<ServerProcess> {
  const own = join(folder, 'mongodb');
  mkdirSync(join(own, 'data'), { recursive: true });
  const [shell = '', option = '', script = ''] = serviceOf('mongodb').command;
  const command = script
    .replaceAll('$$', '$')
    .replace('exec mongod', `exec ${mongod} --port ${port} --dbpath ${join(own, 'data')}`)
    .replace('--bind_ip_all', '--bind_ip 127.0.0.1 --nounixsocket');
  return startServer({
    name: 'MongoDB',
    file: 'env',
    args: [`TMPDIR=${own}`, shell, option, command],
    outputFile: join(own, 'log'),
    // The set-up waits for it.
    isReady: () => Promise.resolve(true),
  });
}

/** Starts Kafka with the settings of the service, on loopback. */
async function startKafka(classPath: string, port: string, controllerPort: string): Promise<ServerProcess> {
  const own = join(folder, 'kafka');
  mkdirSync(own, { recursive: true });
  const { KAFKA_OPTS = '', ...environment } = configured('kafka');
  const onLoopback = (value: string) =>
    value
      .replace(/:\/\/(?:kafka)?:9092/g, `://127.0.0.1:${port}`)
      .replace(/localhost:9093/g, `127.0.0.1:${controllerPort}`)
      .replace('/var/lib/kafka', own);
  // The image writes its settings by the same rule.
  const settings = Object.entries(environment).map(
    ([name, value]) =>
      `${name.replace('KAFKA_', '').toLowerCase().replaceAll('_', '.')}=${onLoopback(value)}\n`,
  );
  const file = join(own, 'server.properties');
  writeFileSync(file, settings.join(''));
  const java = ['-Xmx512m', KAFKA_OPTS, '-cp', classPath];
  const clusterId = Buffer.from(randomUUID().replaceAll('-', ''), 'hex')
    .toString('base64url')
    .replace(/^-/, 'A');
  await runCommand('java', [...java, 'kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', file]);
  const properties = readFileSync(join(secrets, 'kafka/client.properties'), 'utf8');
  const [, user = '', password = ''] = /username="(.+)" password="(.+)"/.exec(properties) ?? [];
  const { kafka } = connectKafka(kafkaTargetOf(`kafka://${user}:${password}@127.0.0.1:${port}`));
  return startServer({
    name: 'Kafka',
    file: 'java',
    args: [...java, 'kafka.Kafka', file],
    outputFile: join(own, 'log'),
    // The health check of Compose lists the topics too.
    isReady: async () => (await withAdmin(kafka, (admin) => admin.listTopics())).length === 0,
  });
}
