import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { setScene, type Scene } from '../durability/scene.ts';
import { callerHeaders, jsonBody, jsonPath, send, xmlBody, xmlPath } from '../harness/http-client.ts';
import { reapAfterEach, spawnServe } from '../harness/spawn-serve.ts';
import { until } from '../harness/until.ts';
import { adminOf } from './admin.ts';

const newPath = temporaryFolder();

reapAfterEach();

/** The metrics after `sendOfEachKind`. */
const expectedMetrics = {
  'http_requests_total{endpoint="/v1/json/jobs-delete",status="200"}': 3,
  'http_requests_total{endpoint="/v1/json/jobs-delete",status="400"}': 1,
  'http_requests_total{endpoint="/v1/json/jobs-delete",status="403"}': 1,
  'http_requests_total{endpoint="/v1/json/jobs-delete",status="404"}': 1,
  'http_requests_total{endpoint="/v1/json/jobs-delete",status="405"}': 1,
  'http_requests_total{endpoint="/v1/xml/jobs-delete",status="200"}': 1,
  'http_requests_total{endpoint="/v1-sandbox/json/jobs-delete",status="404"}': 1,
  'http_requests_total{endpoint="other",status="404"}': 1,
  'http_refusals_total{code="token_invalid"}': 1,
  'http_refusals_total{code="job_not_found"}': 2,
  'http_refusals_total{code="secret_key_invalid"}': 0,
  'http_requests_by_client_technology_total{client_technology="typescript"}': 5,
  'http_requests_by_client_technology_total{client_technology="php"}': 1,
  'http_requests_by_client_technology_total{client_technology="other"}': 1,
  'http_request_duration_seconds_count{endpoint="/v1/json/jobs-delete"}': 7,
  'http_request_duration_seconds_count{endpoint="other"}': 1,
  // Requests of a stream count like calls of their own.
  'grpc_requests_total{method="DeleteJobs",code="OK"}': 4,
  'grpc_requests_total{method="DeleteJobs",code="NOT_FOUND"}': 2,
  'grpc_request_duration_seconds_count{method="DeleteJobs"}': 6,
  deletions_accepted_total: 3,
  jobs_accepted_total: 1_504,
  jobs_removed_total: 1_504,
  dead_letters_total: 0,
  // One count per event. 1,500 jobs are two events.
  accepted_to_removed_seconds_count: 4,
  group_commit_requests_count: 6,
  'credential_cache_reads_total{kind="token",result="miss"}': 1,
  'credential_cache_reads_total{kind="secret-key",result="miss"}': 1,
  'credential_cache_reads_total{kind="token",result="hit"}': 6,
  'outbox_deletions{state="accepted"}': 0,
  'outbox_deletions{state="published"}': 0,
  'outbox_oldest_age_seconds{state="accepted"}': 0,
  'consumer_lag_events{partition="0"}': 0,
  'dependency_up{dependency="database"}': 1,
};

/** Sends accepted, replayed, refused and misdirected requests. Returns their statuses. */
async function sendOfEachKind(
  baseUrl: string,
  account: Scene['accounts'][number],
  jobIds: readonly string[],
) {
  const json = (ids: readonly string[], headers: Record<string, string> = {}) =>
    send(baseUrl, { headers: { ...callerHeaders(account), ...headers }, body: jsonBody(ids) });
  const xml = (ids: readonly string[]) =>
    send(baseUrl, { path: xmlPath, headers: callerHeaders(account, 'xml'), body: xmlBody(ids) });

  const answers = [
    await json(jobIds.slice(0, 3)),
    await json(jobIds.slice(3, 4), { 'Idempotency-Key': 'once', 'X-Client-Lang': 'PHP 8.3' }),
    // A replay is answered 200 and accepts nothing.
    await json(jobIds.slice(3, 4), { 'Idempotency-Key': 'once', 'X-Client-Lang': 'our own 7' }),
    await json(jobIds.slice(0, 1)),
    await json(['no']),
    await json(jobIds.slice(5, 6), { Authorization: 'Bearer nobody' }),
    await xml(jobIds.slice(10, 1_510)),
    await send(baseUrl, {
      path: `/v1-sandbox${jsonPath.slice('/v1'.length)}`,
      headers: callerHeaders(account),
      body: jsonBody(jobIds.slice(20, 25)),
    }),
    await send(baseUrl, { path: jsonPath, method: 'GET' }),
    await send(baseUrl, { path: '/nowhere' }),
  ];
  return answers.map(({ status }) => status);
}

test('the metrics match the requests and removals', async () => {
  const dataDir = newPath('data');
  const { accounts, pools } = await setScene(dataDir, { Acme: 2_000 });
  const [account] = accounts;
  const jobIds = pools[0]?.jobIds ?? [];
  if (account === undefined) throw new Error('there is no account');
  const serve = spawnServe(dataDir);
  const baseUrl = await serve.ready;
  const admin = await adminOf(serve);
  const statuses = await sendOfEachKind(baseUrl, account, jobIds);
  expect(statuses).toEqual([200, 200, 200, 404, 400, 403, 200, 404, 405, 404]);

  await until(async () => (await admin.metrics()).get('jobs_removed_total') === 1_504);
  await until(async () => {
    const metrics = await admin.metrics();
    return (
      metrics.get('outbox_deletions{state="accepted"}') === 0 &&
      metrics.get('consumer_lag_events{partition="0"}') === 0
    );
  });
  const metrics = await admin.metrics();
  expect(Object.fromEntries(Object.keys(expectedMetrics).map((name) => [name, metrics.get(name)]))).toEqual(
    expectedMetrics,
  );
  expect(metrics.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
});

test('each limit counts its refusals', async () => {
  const dataDir = newPath('data');
  const { accounts, pools } = await setScene(dataDir, { Acme: 1 });
  const [account] = accounts;
  if (account === undefined) throw new Error('there is no account');
  const env = { RATE_LIMIT_REQUESTS: '1', RATE_LIMIT_JOBS: '10000', FAILED_AUTHENTICATIONS_LIMIT: '1' };
  const serve = spawnServe(dataDir, { env });
  const baseUrl = await serve.ready;
  const admin = await adminOf(serve);
  const headers = callerHeaders(account);
  const unauthenticated = { ...headers, Authorization: 'Bearer nobody' };
  const statuses: number[] = [];
  for (const each of [headers, headers, unauthenticated, unauthenticated]) {
    const { status } = await send(baseUrl, { headers: each, body: jsonBody(pools[0]?.jobIds ?? []) });
    statuses.push(status);
  }
  expect(statuses).toEqual([200, 429, 403, 429]);
  const limited = (limit: string) => `http_requests_limited_total{limit="${limit}"}`;
  await until(async () => (await admin.metrics()).get(limited('failed_authentications')) === 1);
  const metrics = await admin.metrics();
  const counts = ['requests', 'jobs', 'load'].map((limit) => metrics.get(limited(limit)));
  expect(counts).toEqual([1, 0, 0]);
  expect(metrics.get('http_requests_serving')).toBe(0);
  expect(metrics.get('http_requests_serving_limit')).toBe(1_024);
});

test('labels have few values, whatever the request path', async () => {
  const serve = spawnServe(newPath('data'), { env: { LOG_LEVEL: 'silent' } });
  const baseUrl = await serve.ready;
  const admin = await adminOf(serve);
  await send(baseUrl, { path: '/nowhere' });
  await until(async () => seriesOf(await admin.metrics()).length === 1);
  // The first report starts the health checks of the deleter.
  await until(async () => (await admin.readiness())?.ready === true);
  const before = ownSeriesOf(await admin.metrics());
  const methods = ['DELETE', 'GET', 'POST', 'PUT', 'PATCH', 'OPTIONS'];
  for (let round = 0; round < 1_000; round++) {
    const path = `/${randomBytes(8).toString('hex')}/${'jobs-delete'.repeat(round % 3)}?id=${String(round)}`;
    await send(baseUrl, { method: methods[round % methods.length] ?? 'GET', path });
  }
  const other = 'http_requests_total{endpoint="other",status="404"}';
  await until(async () => (await admin.metrics()).get(other) === 1_001);
  expect(ownSeriesOf(await admin.metrics())).toEqual(before);
});

/** Excludes the metrics of the process, which vary. */
function ownSeriesOf(metrics: ReadonlyMap<string, number>): string[] {
  return [...metrics.keys()].filter((series) => !/^(?:nodejs|process)_/.test(series)).sort();
}

function seriesOf(metrics: ReadonlyMap<string, number>): string[] {
  return [...metrics.keys()].filter((series) => series.startsWith('http_requests_total'));
}
