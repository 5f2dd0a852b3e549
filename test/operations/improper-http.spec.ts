import { expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { setScene } from '../durability/scene.ts';
import { callerHeaders, jsonPath } from '../harness/http-client.ts';
import { exchange, openRaw } from '../harness/raw-http.ts';
import { reapAfterEach, spawnServe } from '../harness/spawn-serve.ts';
import { until } from '../harness/until.ts';
import { inChunks, requestText } from '../http/details.ts';
import { adminOf } from './admin.ts';

const newPath = temporaryFolder();

reapAfterEach();

test('invalid HTTP is counted and logged without its contents', async () => {
  const env = { LOG_LEVEL: 'info' };
  const serve = spawnServe(newPath('data'), { env });
  const baseUrl = await serve.ready;
  const admin = await adminOf(serve);
  const secret = 'told-to-nobody';
  const statuses: number[] = [];
  for (const text of [
    `DELETE /${secret} HTTP/1.1\r\n\r\n`,
    `${secret}\r\n\r\n`,
    `CONNECT ${secret}:443 HTTP/1.1\r\nHost: a\r\n\r\n`,
    `DELETE / HTTP/1.1\r\nHost: a\r\nX: ${secret.repeat(2_000)}\r\n\r\n`,
    `DELETE /${secret} HTTP/2.0\r\nHost: a\r\n\r\n`,
  ]) {
    const answers = await exchange(baseUrl, text);
    statuses.push(...answers.map(({ status }) => status));
  }
  expect(statuses).toEqual([400, 400, 400, 431, 505]);
  const slow = await openRaw(baseUrl);
  slow.write(`DELETE /${secret} HTTP/1.1\r\nHost: a\r\n`);
  const countOf = async (status: number | string) =>
    (await admin.metrics()).get(`http_requests_total{endpoint="other",status="${String(status)}"}`);
  await until(async () => (await countOf(408)) === 1);
  slow.destroy();
  expect([await countOf(400), await countOf(431), await countOf(505)]).toEqual([3, 1, 1]);
  const lines = serve
    .stderr()
    .split('\n')
    .filter((line) => line.includes('improper request'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.map(({ level, part, status }) => [level, part, status])).toEqual(
    [...statuses, 408].map((status) => [30, 'gateway', status]),
  );
  expect(serve.stderr()).not.toContain(secret);
});

test('a request followed by invalid HTTP is counted once, with its own status', async () => {
  const dataDir = newPath('data');
  const { accounts } = await setScene(dataDir, { Acme: 1 });
  const [account] = accounts;
  if (account === undefined) throw new Error('there is no account');
  const serve = spawnServe(dataDir);
  const baseUrl = await serve.ready;
  const admin = await adminOf(serve);
  const requestsOf = async () =>
    [...(await admin.metrics())].filter(([name]) => name.startsWith('http_requests_total'));

  const call = { path: jsonPath, headers: callerHeaders(account), body: 'no chunk' };
  const inPieces = inChunks(requestText(baseUrl, call), (body) => `${body}\r\n`);
  for (const [text, status] of [
    [inPieces.replace(jsonPath, '/none'), 404],
    [inPieces, 400],
  ] as const) {
    const answers = await exchange(baseUrl, text);
    expect(answers.map((answer) => answer.status)).toEqual([status]);
  }
  await until(async () => (await requestsOf()).length === 2);
  expect(Object.fromEntries(await requestsOf())).toEqual({
    'http_requests_total{endpoint="other",status="404"}': 1,
    'http_requests_total{endpoint="/v1/json/jobs-delete",status="400"}': 1,
  });
});
