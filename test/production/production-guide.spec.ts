import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseKafkaUrl } from '@jobs-delete/runtime/config/storage-url';
import { audit } from '../durability/audit.ts';
import { attempt, type SentRequest } from '../durability/sent-requests.ts';
import { connectOperator } from '../harness/service.ts';
import { createReplica, reapReplicas } from '../harness/spawn-roles.ts';
import { codeBlocks, readDocument, root, tableRows } from '../readme/readme.ts';
import { describeWith } from '../servers/describe-with.ts';
import { freePort } from '../servers/child-process.ts';
import { startKafka, type KafkaServer } from '../servers/start-kafka.ts';
import { databaseUrl, kafkaTargetOf, uniqueName } from '../servers/unique-storage.ts';
import { dropCluster, readClusterAftermath, untilClusterSettled } from './cluster-aftermath.ts';
import { pepper, serviceToken, setClusterScene } from './cluster.ts';
import { describeTopics } from './cluster-log.ts';

const text = readDocument('docs/production.md');
const [setUp = '', ...others] = codeBlocks('sh', text);
const processes = tableRows(text).map(([name = '', command = '']) => ({
  name,
  commandLine: command.replaceAll('`', ''),
}));

describeWith('mongodb', 'the examples of docs/production.md', (mongodbUrl) => {
  describeWith('own kafka', 'run as written, on three brokers', () => {
    let kafka: KafkaServer;
    let urls: Readonly<Record<'DATABASE_URL' | 'EVENT_LOG_URL', string>>;
    const PATH = [join(root, 'node_modules/.bin'), dirname(process.execPath), process.env.PATH].join(':');
    const stored = () => ({ databaseUrl: urls.DATABASE_URL, kafka: kafkaTargetOf(urls.EVENT_LOG_URL) });

    beforeAll(async () => {
      kafka = await startKafka({ brokers: 3 });
      urls = {
        DATABASE_URL: databaseUrl(mongodbUrl, uniqueName('guide')),
        EVENT_LOG_URL: `kafka://${kafka.brokers.join(',')}`,
      };
    });
    afterAll(async () => {
      await reapReplicas();
      await dropCluster({ databaseUrl: urls.DATABASE_URL });
      await kafka.stop();
    });

    /** The example, with the addresses of the test's servers. */
    const runSetUp = () => {
      const exported: string[] = [];
      const script = setUp.replace(/^export (DATABASE_URL|EVENT_LOG_URL)='.*'$/gm, (_line, name: string) => {
        exported.push(name);
        return `export ${name}='${urls[name as keyof typeof urls]}'`;
      });
      expect(exported).toEqual(['DATABASE_URL', 'EVENT_LOG_URL']);
      const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
        cwd: root,
        env: { PATH },
        encoding: 'utf8',
      });
      expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
      return stdout.trimEnd().split('\n');
    };

    test('the set-up creates missing indexes and topics, and can run again after an upgrade', async () => {
      expect(others).toEqual([]);
      const first = runSetUp();
      expect(first).toContain('jobs.account_job: created');
      expect(first).toContain('jobs.deletion-accepted.v1: created');
      expect(first.filter((line) => !line.endsWith(': created'))).toEqual([]);
      expect(runSetUp()).toEqual(first.map((line) => line.replace(/created$/, 'present')));
      expect(await describeTopics(stored().kafka)).toEqual({
        'jobs.deletion-accepted.v1': { partitions: 12, replicas: 3, inSync: '2' },
        'jobs.deleted.v1': { partitions: 12, replicas: 3, inSync: '2' },
        'jobs.deletion-cancelled.v1': { partitions: 12, replicas: 3, inSync: '2' },
        'jobs.deletion-accepted.v1.dead-letter': { partitions: 1, replicas: 3, inSync: '2' },
      });
    });

    test('the five processes of the table run together, delete a job, and stop with exit code 0', async () => {
      expect(processes.map(({ name }) => name)).toEqual(['gateway', 'dashboard', 'api', 'relay', 'worker']);
      const [PORT, GRPC_PORT] = [String(await freePort()), String(await freePort())];
      const ports = { PORT, GRPC_PORT, DASHBOARD_PORT: '0', DELETER_ADDRESS: `127.0.0.1:${GRPC_PORT}` };
      const env = { ...urls, ...ports, PATH, CREDENTIAL_PEPPER: pepper, GRPC_SERVICE_TOKENS: serviceToken };
      const replicas = processes.map(({ name, commandLine }) =>
        createReplica({ name, program: { commandLine }, env }),
      );
      // The gateway last: it then reaches the api at once.
      for (const replica of replicas.toReversed()) await replica.start();
      expect(replicas.flatMap((replica) => replica.crashes())).toEqual([]);

      const { accounts, imported } = await setClusterScene(
        { openOperator: () => connectOperator(urls.DATABASE_URL, pepper) },
        { Acme: 20 },
      );
      const requests = accounts.map((account): SentRequest => {
        return { account, format: 'json', jobIds: ['Acme000003'], key: undefined, attempts: [] };
      });
      for (const request of requests)
        expect((await attempt(request, `http://127.0.0.1:${PORT}`))?.status).toBe(200);
      await untilClusterSettled(stored());
      expect(audit({ imported, requests }, await readClusterAftermath(stored()))).toEqual([]);

      expect(await Promise.all(replicas.map((replica) => replica.stop()))).toEqual([0, 0, 0, 0, 0]);
      expect(replicas.flatMap((replica) => replica.crashes())).toEqual([]);
    });
  });
});

describe('the URL of Kafka in docs/production.md', () => {
  const [, written = '', alternatives = ''] = /`(kafka:\/\/USER[^`]*)` \(or ([^)]*)\)/.exec(text) ?? [];
  const url = written.replaceAll('PORT', '9092');

  test('is valid, with its password and TLS', () => {
    expect(parseKafkaUrl(url)).toEqual({
      kind: 'kafka',
      brokers: ['HOST:9092', 'HOST:9092'],
      tls: true,
      sasl: { mechanism: 'scram-sha-512', username: 'USER', password: 'PASSWORD' },
      prefix: '',
    });
  });

  test('may have the other documented mechanisms and the prefix', () => {
    const mechanisms = [...alternatives.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    expect(mechanisms).toHaveLength(2);
    for (const mechanism of mechanisms)
      expect(parseKafkaUrl(url.replace('scram-sha-512', mechanism))?.sasl?.mechanism).toBe(mechanism);
    const [, prefix = ''] = /`prefix=([^`]+)`/.exec(text) ?? [];
    expect(parseKafkaUrl(`${url}&prefix=${prefix}`)?.prefix).toBe('staging.');
  });
});
