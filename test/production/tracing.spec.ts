import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectTestClient } from '@jobs-delete/deleter-service/grpc/testing/test-client';
import { traceIdOf } from '@jobs-delete/runtime/telemetry/tracing';
import { deletionAcceptedTopic, jobsDeletedTopic } from '@jobs-delete/proto/events';
import { callerHeaders, jsonBody, send } from '../harness/http-client.ts';
import { describeTrace, startOtlpCollector, type OtlpCollector } from '../harness/otlp-collector.ts';
import { reapReplicas } from '../harness/spawn-roles.ts';
import { until } from '../harness/until.ts';
import { describeWith } from '../servers/describe-with.ts';
import { dropCluster, readTopicOf } from './cluster-aftermath.ts';
import { createCluster, serviceToken, setClusterScene, type Cluster } from './cluster.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;

describeWith('mongodb', 'traces in production', (mongodbUrl) => {
  describeWith('kafka', 'through all the services', (kafkaUrl) => {
    let collector: OtlpCollector;
    let cluster: Cluster;
    beforeAll(async () => {
      collector = await startOtlpCollector();
      const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '20' };
      const replicas = { gateway: 1, api: 1, relay: 1, worker: 1 };
      cluster = await createCluster({ mongodbUrl, kafkaUrl, replicas, env });
      await cluster.startAll();
    });
    afterAll(async () => {
      await reapReplicas();
      await dropCluster(cluster);
      await collector.stop();
    });

    const spansOf = (id: string) => collector.spans.filter((span) => span.traceId === id);
    const below = [
      '    deleter-service: jobs.deleter.v1.DeleterService/DeleteJobs (server)',
      '      deleter-service: publish jobs.deletion-accepted.v1 (producer)',
      '        deleter-service: process jobs.deletion-accepted.v1 (consumer)',
      '          deleter-service: store removeJobs (client)',
      '      deleter-service: store acceptDeletions (client)',
    ];

    test('a deletion is one trace, from its request to the removal and the announcement', async () => {
      const { accounts, imported } = await setClusterScene(cluster, { Acme: 100 });
      const [account] = accounts;
      const jobIds = imported.get('Acme') ?? [];
      if (account === undefined) throw new Error('no account');
      const { baseUrl = '' } = cluster.gateways[0] ?? {};
      const call = (ids: readonly string[], headers: Record<string, string> = {}) =>
        send(baseUrl, { headers: { ...callerHeaders(account), ...headers }, body: jsonBody(ids) });

      // Other requests with other traces share its batches.
      const answers = await Promise.all([
        call(jobIds.slice(0, 2), { traceparent }),
        ...jobIds.slice(10, 30).map((id) => call([id])),
      ]);
      expect(answers.every(({ status }) => status === 200)).toBe(true);
      await until(() => collector.spans.length >= 21 * 7);
      expect(describeTrace(collector.spans, traceId)).toEqual([
        'gateway: DELETE /v1/json/jobs-delete (server)',
        '  gateway: jobs.deleter.v1.DeleterService/DeleteJobs (client)',
        ...below,
      ]);
      for (const other of new Set(collector.spans.map((span) => span.traceId)))
        expect(describeTrace(collector.spans, other)).toHaveLength(7);

      for (const topic of [deletionAcceptedTopic, jobsDeletedTopic] as const) {
        const events = (await readTopicOf(cluster, topic)).map(({ event }) => event);
        const deletionId = answers[0].headers['deletion-id'];
        const own = events.filter(({ headers }) => (headers.ce_id ?? '').startsWith(String(deletionId)));
        expect(own.map(({ headers }) => traceIdOf(headers.traceparent))).toEqual([traceId]);
      }
    });

    test('the api continues the trace in the metadata of a call, or else in its request', async () => {
      const { imported } = await setClusterScene(cluster, { Other: 10 });
      const [first = '', second = ''] = imported.get('Other') ?? [];
      const client = connectTestClient(Number(cluster.apis[0]?.address.split(':')[1]));
      const call = { token: serviceToken, traceparent: traceparent.replace('0af7', '1111') };
      const origin = { traceparent: traceparent.replace('0af7', '2222') };
      await client.deleteJobs({ accountId: 'Other', jobIds: [first] }, call);
      await client.deleteJobs({ accountId: 'Other', jobIds: [second], origin }, call);
      client.close();
      for (const id of [call, origin].map((carrier) => traceIdOf(carrier.traceparent) ?? '')) {
        await until(() => spansOf(id).length >= below.length);
        expect(describeTrace(collector.spans, id)).toEqual(below.map((line) => line.slice(4)));
      }
    });
  });
});
