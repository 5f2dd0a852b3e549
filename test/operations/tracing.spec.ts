import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { setScene } from '../durability/scene.ts';
import { callerHeaders, jsonBody, send } from '../harness/http-client.ts';
import { describeTrace, startOtlpCollector, type OtlpCollector } from '../harness/otlp-collector.ts';
import { runJobsDelete } from '../harness/spawn-roles.ts';
import { reapAfterEach, spawnServe, type ServeProcess } from '../harness/spawn-serve.ts';
import { until } from '../harness/until.ts';
import { freePort } from '../servers/child-process.ts';

const newPath = temporaryFolder();
let collector: OtlpCollector;
let dataDir: string;

reapAfterEach();
beforeEach(async () => {
  collector = await startOtlpCollector();
  dataDir = newPath('data');
});
afterEach(() => collector.stop());

/** Starts a service with tracing, and a client. */
async function start(env: NodeJS.ProcessEnv = {}) {
  const { accounts, pools } = await setScene(dataDir, { Acme: 2_000 });
  const [account] = accounts;
  const jobIds = pools[0]?.jobIds ?? [];
  if (account === undefined) throw new Error('there is no account');
  const serve = spawnServe(dataDir, {
    env: {
      LOG_LEVEL: 'info',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '20',
      ...env,
    },
  });
  const baseUrl = await serve.ready;
  const call = (ids: readonly string[], headers: Record<string, string | string[]> = {}) =>
    send(baseUrl, { headers: { ...callerHeaders(account), ...headers }, body: jsonBody(ids) });
  return { serve, jobIds, call };
}

function linesOf(serve: ServeProcess, msg: string): Record<string, unknown>[] {
  return serve
    .stderr()
    .split('\n')
    .filter((line) => line.includes(`"msg":"${msg}"`))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

const spansOf = (name: string) => collector.spans.filter((span) => span.name.startsWith(name));
const incoming = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const traceparent = `00-${incoming.traceId}-${incoming.spanId}-01`;

test('one trace covers the request to the removal of the last job', async () => {
  const { serve, jobIds, call } = await start();
  const answer = await call(jobIds.slice(0, 1_200), { traceparent, 'Idempotency-Key': 'once' });
  await until(() => collector.spans.length >= 10);
  expect(describeTrace(collector.spans, incoming.traceId)).toEqual([
    'jobs-delete: DELETE /v1/json/jobs-delete (server)',
    '  jobs-delete: jobs.deleter.v1.DeleterService/DeleteJobs (client)',
    '    jobs-delete: jobs.deleter.v1.DeleterService/DeleteJobs (server)',
    ...[0, 1].flatMap(() => [
      '      jobs-delete: publish jobs.deletion-accepted.v1 (producer)',
      '        jobs-delete: process jobs.deletion-accepted.v1 (consumer)',
      '          jobs-delete: store removeJobs (client)',
    ]),
    '      jobs-delete: store acceptDeletions (client)',
  ]);
  expect(collector.spans.every(({ traceId }) => traceId === incoming.traceId)).toBe(true);
  const [request] = spansOf('DELETE');
  const deletionId = answer.headers['deletion-id'];
  expect(request).toMatchObject({
    parentSpanId: incoming.spanId,
    attributes: {
      'http.route': '/v1/json/jobs-delete',
      'http.response.status_code': 200,
      'jobs_delete.account_id': 'Acme',
      'jobs_delete.jobs': 1_200,
      'jobs_delete.deletion_id': deletionId,
    },
  });
  expect(spansOf('store removeJobs').map(({ attributes }) => attributes['jobs_delete.jobs'])).toEqual([
    1_000, 200,
  ]);
  // The number of jobs is the only fact about jobs in a trace.
  const told = JSON.stringify(collector.spans);
  expect(jobIds.filter((id) => told.includes(id))).toEqual([]);

  // The log and the deletion record contain the trace id.
  expect(linesOf(serve, 'request')).toEqual([expect.objectContaining({ trace_id: incoming.traceId })]);
  const { stdout } = await runJobsDelete(['deletions', 'show', String(deletionId), '--json'], {
    DATA_DIR: dataDir,
  });
  expect(JSON.parse(stdout)).toMatchObject({ trace_id: incoming.traceId });

  // A replay has its own trace, with a link to the trace of the deletion.
  await call(jobIds.slice(0, 1_200), { 'Idempotency-Key': 'once' });
  await until(() => spansOf('DELETE').length === 2);
  const replay = spansOf('jobs.deleter').filter(({ links }) => links.length > 0);
  expect(replay).toEqual([expect.objectContaining({ links: [incoming.traceId] })]);
  expect(replay[0]?.traceId).not.toBe(incoming.traceId);
});

test('requests in one batch have separate traces', async () => {
  const { jobIds, call } = await start();
  const answers = await Promise.all(jobIds.slice(0, 40).map((id) => call([id])));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  // Waits for all spans in any order: the answer and the removal race.
  await until(() => collector.spans.length >= 40 * 7);
  const traceIds = spansOf('DELETE').map(({ traceId }) => traceId);
  expect(new Set(traceIds).size).toBe(40);
  for (const traceId of traceIds) expect(describeTrace(collector.spans, traceId)).toHaveLength(7);
  const batches = spansOf('store acceptDeletions').map(
    ({ attributes }) => attributes['jobs_delete.batch_size'],
  );
  expect(Math.max(...batches.map(Number))).toBeGreaterThan(1);
});

test('an invalid or repeated traceparent starts a new trace', async () => {
  const { jobIds, call } = await start();
  const { traceId, spanId } = incoming;
  const wrong = [
    'no',
    `00-${traceId}-${spanId}`,
    `ff-${traceId}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}-01-more`,
    [traceparent, traceparent],
  ];
  for (const [index, header] of wrong.entries()) {
    const answer = await call(jobIds.slice(index, index + 1), { traceparent: header });
    expect(answer.status).toBe(200);
  }
  await until(() => spansOf('DELETE').length === wrong.length);
  expect(spansOf('DELETE').filter((span) => span.parentSpanId !== '' || span.traceId === traceId)).toEqual(
    [],
  );
});

test('a caller that is not authenticated gets a new trace, with a link to its own', async () => {
  const { serve, jobIds, call } = await start();
  const unauthenticated = { Authorization: 'Bearer unknown' };
  const unsampled = traceparent.replace(/01$/, '00');
  for (const header of [traceparent, unsampled, 'no'])
    expect((await call(jobIds.slice(0, 1), { ...unauthenticated, traceparent: header })).status).toBe(403);
  await until(() => spansOf('DELETE').length === 3);
  const spans = spansOf('DELETE');
  expect(spans.map(({ parentSpanId, links }) => ({ parentSpanId, links }))).toEqual([
    { parentSpanId: '', links: [incoming.traceId] },
    { parentSpanId: '', links: [incoming.traceId] },
    { parentSpanId: '', links: [] },
  ]);
  const traceIds = spans.map(({ traceId }) => traceId);
  expect(traceIds).not.toContain(incoming.traceId);
  expect(new Set(linesOf(serve, 'request').map(({ trace_id: traceId }) => traceId))).toEqual(
    new Set(traceIds),
  );
});

test('a failure marks its span as failed, and a refusal does not', async () => {
  const { call } = await start();
  expect((await call(['Unknown0001'])).status).toBe(404);
  await until(() => spansOf('DELETE').length === 1);
  const [request] = spansOf('DELETE');
  expect(request).toMatchObject({
    failed: false,
    attributes: { 'http.response.status_code': 404, 'jobs_delete.refusal': 'job_not_found' },
  });
  expect(describeTrace(collector.spans, request?.traceId ?? '')).toHaveLength(4);
});

test('the standard variables set the service name, the export headers and the sampler', async () => {
  const { jobIds, call } = await start({
    OTEL_SERVICE_NAME: 'deletions',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=not-this-one',
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=the-key',
    OTEL_TRACES_SAMPLER: 'parentbased_always_off',
  });
  const unsampled = traceparent.replace(/01$/, '00').replace(incoming.traceId, 'a'.repeat(32));
  await call(jobIds.slice(0, 1));
  await call(jobIds.slice(0, 1), { traceparent, Usersecretkey: 'wrong' });
  await call(jobIds.slice(1, 2), { traceparent: unsampled });
  await call(jobIds.slice(2, 3), { traceparent });
  await until(() => spansOf('process').length === 1);
  expect(new Set(collector.spans.map(({ service, traceId }) => `${service} ${traceId}`))).toEqual(
    new Set([`deletions ${incoming.traceId}`]),
  );
  expect(collector.requests[0]).toMatchObject({ 'api-key': 'the-key' });
});

test('a failing collector fails no request, and its start and end are logged once', async () => {
  collector.answer(400);
  const { serve, jobIds, call } = await start();
  const outage = 'traces cannot be exported';
  for (let exports = 1; exports <= 3; exports++) {
    expect((await call(jobIds.slice(exports, exports + 1))).status).toBe(200);
    await until(() => collector.requests.length >= exports && linesOf(serve, 'removed').length === exports);
  }
  collector.answer(200);
  await call(jobIds.slice(10, 11));
  await until(() => linesOf(serve, 'traces are exported again').length === 1);
  expect(linesOf(serve, outage)).toHaveLength(1);
});

test('an unreachable collector is logged once and does not delay the stop', async () => {
  const { serve, jobIds, call } = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${String(await freePort())}`,
    OTEL_EXPORTER_OTLP_TIMEOUT: '50',
  });
  expect((await call(jobIds.slice(0, 1))).status).toBe(200);
  await until(() => linesOf(serve, 'traces cannot be exported').length === 1);
  serve.kill('SIGTERM');
  expect(await serve.exited).toEqual({ code: 0, signal: null });
});

test('a stop exports the remaining spans', async () => {
  const { serve, jobIds, call } = await start({ OTEL_BSP_SCHEDULE_DELAY: '600000' });
  await call(jobIds.slice(0, 1), { traceparent });
  await until(() => linesOf(serve, 'removed').length === 1);
  serve.kill('SIGTERM');
  expect(await serve.exited).toEqual({ code: 0, signal: null });
  expect(describeTrace(collector.spans, incoming.traceId)).toHaveLength(7);
});

test('a stop waits for a silent collector until its timeout', async () => {
  collector.answer(undefined);
  const { serve, jobIds, call } = await start({
    OTEL_BSP_SCHEDULE_DELAY: '600000',
    OTEL_EXPORTER_OTLP_TIMEOUT: '600000',
    OTEL_BSP_EXPORT_TIMEOUT: '600000',
    SHUTDOWN_TIMEOUT_MS: '1000',
  });
  await call(jobIds.slice(0, 1));
  serve.kill('SIGTERM');
  expect(await serve.exited).toEqual({ code: 0, signal: null });
  expect(collector.requests).toHaveLength(1);
});

test('OpenTelemetry is not loaded without a collector', async () => {
  const refuse = `export const resolve = (name, context, next) => {
    if (name.startsWith('@opentelemetry/')) throw new Error('OpenTelemetry is loaded');
    return next(name, context);
  };`;
  const register = `import { register } from 'node:module'; register(${JSON.stringify(dataUrl(refuse))});`;
  const NODE_OPTIONS = `--import=${dataUrl(register)}`;
  const loading = spawnServe(dataDir, {
    env: { NODE_OPTIONS, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  });
  expect((await loading.exited).code).toBe(70);
  expect(loading.stderr()).toContain('OpenTelemetry is loaded');

  const { jobIds, call } = await start({ NODE_OPTIONS, OTEL_EXPORTER_OTLP_ENDPOINT: '' });
  expect((await call(jobIds.slice(0, 1), { traceparent })).status).toBe(200);
});

test('the error names invalid variables', async () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
  const wrong = [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' },
    { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER: 'sometimes' },
  ];
  for (const env of wrong) {
    const serve = spawnServe(newPath('data'), { env });
    expect(await serve.exited).toEqual({ code: 2, signal: null });
    expect(serve.stderr()).toContain(Object.keys(env).at(-1));
  }
});

function dataUrl(script: string): string {
  return `data:text/javascript,${encodeURIComponent(script)}`;
}
