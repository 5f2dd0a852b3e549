import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseDeletionAccepted } from '@jobs-delete/deleter-service/deletion/deletion-event';
import { fits, type JsonSchema } from '@jobs-delete/deleter-service/testing/json-schema';
import { deadLetterTopic, deletionAcceptedTopic } from '@jobs-delete/proto/events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mongo } from 'mongoose';
import { reapReplicas } from '../harness/spawn-roles.ts';
import { until } from '../harness/until.ts';
import { root } from '../readme/readme.ts';
import {
  expectAllShown,
  expectToServe,
  listDeletions,
  type Installation,
} from '../releases/recorded-checks.ts';
import { recordProduction, type Servers } from '../releases/record-production.ts';
import {
  checkedReleases,
  pepper,
  readRecording,
  recordedEnv,
  thisVersion,
  type RecordedEvent,
  type Recording,
} from '../releases/recording.ts';
import { describeWith } from '../servers/describe-with.ts';
import { dropCluster, removalLag, untilClusterSettled, withDatabase } from './cluster-aftermath.ts';
import { publishTo } from './cluster-log.ts';
import { createCluster, succeed, type Cluster } from './cluster.ts';
import { startUntilReady } from './create-role.ts';

describeWith('mongodb', 'data that earlier releases stored', (mongodbUrl) => {
  describeWith('kafka', 'and published, read by this version', (kafkaUrl) => {
    describe.each(checkedReleases)('%s', (release) => {
      let installation: Installation;
      let topics: Recording['topics'];
      let cluster: Cluster;
      const jobsDelete: Installation['jobsDelete'] = (...args) => succeed(args, cluster.env);
      const states = async () => (await listDeletions(installation)).map(({ state }) => state);

      beforeAll(async () => {
        const recording = await recordingOf(release, { mongodbUrl, kafkaUrl });
        ({ topics } = recording);
        installation = { caller: recording.caller, jobsDelete };
        cluster = await createCluster({
          mongodbUrl,
          kafkaUrl,
          replicas: { gateway: 1, api: 1, relay: 1, worker: 1 },
          // The records are as old as the release, and must not expire.
          env: { CREDENTIAL_PEPPER: pepper, RECEIPT_RETENTION_DAYS: '3650' },
        });
        await withDatabase(cluster, async (database) => {
          const all = mongo.BSON.EJSON.parse(recording.collections) as Record<string, mongo.Document[]>;
          for (const [name, documents] of Object.entries(all))
            await database.collection(name).insertMany(documents);
        });
        await publishTo(cluster, topics[deadLetterTopic].map(outgoing), deadLetterTopic);
      });
      afterAll(async () => {
        await reapReplicas();
        await dropCluster(cluster);
      });

      test('its events fit the schema, and are parsed as parts of deletions', () => {
        const path = join(root, `proto/schemas/${deletionAcceptedTopic}.json`);
        const schema = JSON.parse(readFileSync(path, 'utf8')) as JsonSchema;
        expect(topics[deletionAcceptedTopic].length).toBeGreaterThan(0);
        for (const event of topics[deletionAcceptedTopic]) {
          expect(fits(JSON.parse(event.value), schema)).toBe(true);
          expect(parseDeletionAccepted({ ...outgoing(event), position: 't/0/0' })).toMatchObject({
            kind: 'part',
            data: { account_id: 'acme', part: 0, parts: 1 },
          });
        }
      });

      test('every deletion is shown, with its state and its jobs, and the dead letter', () =>
        expectAllShown(installation));

      test('the worker removes the jobs of replayed dead letters and of redelivered events', async () => {
        await Promise.all(cluster.workers.map((worker) => worker.start()));
        expect(await jobsDelete('dead-letters', 'replay', '--all')).toEqual({ replayed_count: 1 });
        await until(async () => (await states())[1] === 'completed');
        await publishTo(cluster, topics[deletionAcceptedTopic].map(outgoing));
        await until(async () => (await removalLag(cluster)) === 0);
        expect(await states()).toEqual(['accepted', 'completed', 'completed']);
        expect(await jobsDelete('dead-letters', 'list')).toEqual([]);
        expect(await jobsDelete('jobs', 'count')).toMatchObject({ job_count: 3 });
      });

      test('the relay publishes the rest, and the caller and its key still work', async () => {
        await startUntilReady([...cluster.relays, ...cluster.apis, ...cluster.gateways]);
        await untilClusterSettled(cluster);
        await expectToServe(installation, cluster.gateways[0]?.baseUrl ?? '', () =>
          untilClusterSettled(cluster),
        );
        expect(cluster.replicas.flatMap((replica) => replica.crashes())).toEqual([]);
      });
    });
  });
});

async function recordingOf(release: string, servers: Servers) {
  if (release === thisVersion) return recordProduction(servers, recordedEnv);
  const { caller, ...recording } = readRecording(release);
  return { ...recording, caller: caller.production };
}

function outgoing({ key, headers, value }: RecordedEvent) {
  return { key, headers, value: Buffer.from(value) };
}
