import { expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { setScene } from '../durability/scene.ts';
import { callerHeaders, jsonBody, send } from '../harness/http-client.ts';
import { openRaw } from '../harness/raw-http.ts';
import { reapAfterEach, spawnServe } from '../harness/spawn-serve.ts';
import { until } from '../harness/until.ts';
import { watchTestEnd } from '../harness/watch-test-end.ts';
import { requestText } from '../http/details.ts';

const connectionCount = 20;
const requestsEach = 500;

const newPath = temporaryFolder();
reapAfterEach();
watchTestEnd();

test('many pipelined refusals do not delay a request on another connection', async () => {
  const dataDir = newPath('data');
  const { accounts, pools } = await setScene(dataDir, { Acme: 10 });
  const [account] = accounts;
  if (account === undefined) throw new Error('no account');
  const baseUrl = await spawnServe(dataDir).ready;
  const call = (id = '') => send(baseUrl, { headers: callerHeaders(account), body: jsonBody([id]) });
  const [first, second] = pools[0]?.jobIds ?? [];
  expect((await call(first)).status).toBe(200);

  const refused = 'DELETE /v1/json/jobs-delete HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}';
  let refusals = 0;
  const connections = await Promise.all(Array.from({ length: connectionCount }, () => openRaw(baseUrl)));
  for (const { socket, write } of connections) {
    let rest = '';
    socket.on('data', (bytes: Buffer) => {
      const parts = (rest + bytes.toString('latin1')).split('HTTP/1.1 401');
      refusals += parts.length - 1;
      rest = (parts.at(-1) ?? '').slice(-11);
    });
    write(refused.repeat(requestsEach));
  }
  const sentAtMs = performance.now();
  expect((await call(second)).status).toBe(200);
  const tookMs = Math.round(performance.now() - sentAtMs);
  process.stderr.write(`pipelined flood: a valid request took ${String(tookMs)} ms\n`);
  const before = refusals;
  await until(() => refusals === connectionCount * requestsEach);
  expect(before).toBeLessThan((connectionCount * requestsEach) / 2);
  for (const connection of connections) connection.destroy();
});

test('callers that pipeline deletions and do not read the answers take no answer from another one', async () => {
  const dataDir = newPath('data');
  const { accounts, pools } = await setScene(dataDir, { Acme: 10, Flood: 10 });
  const [account, flood] = accounts;
  if (account === undefined || flood === undefined) throw new Error('no account');
  const baseUrl = await spawnServe(dataDir).ready;
  const body = jsonBody(pools[1]?.jobIds ?? []);
  const path = '/v1-sandbox/json/jobs-delete';
  const request = requestText(baseUrl, { method: 'DELETE', path, headers: callerHeaders(flood), body });
  const connections = await Promise.all(Array.from({ length: connectionCount }, () => openRaw(baseUrl)));
  for (const { socket, write } of connections) {
    socket.pause();
    write(request.repeat(300));
  }
  const live = { headers: callerHeaders(account), path };
  for (const id of pools[0]?.jobIds ?? [])
    expect((await send(baseUrl, { ...live, body: jsonBody([id]) })).status).toBe(200);
  for (const connection of connections) connection.destroy();
});
