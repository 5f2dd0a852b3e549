import { expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { holdRequest } from '../durability/held-request.ts';
import { setScene } from '../durability/scene.ts';
import { accepts } from '../harness/raw-http.ts';
import { send } from '../harness/http-client.ts';
import { reapAfterEach, spawnServe } from '../harness/spawn-serve.ts';
import { until } from '../harness/until.ts';
import { adminOf } from './admin.ts';

const newPath = temporaryFolder();

reapAfterEach();

async function aScene(dataDir: string) {
  const { accounts, pools } = await setScene(dataDir, { Acme: 10 });
  const [account] = accounts;
  const [pool] = pools;
  if (account === undefined || pool === undefined) throw new Error('there is no account');
  return { account, pool };
}

test('a ready service reports its dependencies on the admin port, not on the public port', async () => {
  const serve = spawnServe(newPath('data'));
  const admin = await adminOf(serve);
  expect((await admin.get('/livez')).status).toBe(200);
  await until(async () => (await admin.readiness())?.status === 200);
  expect(await admin.readiness()).toEqual({
    status: 200,
    ready: true,
    phase: 'running',
    dependencies: {
      database: { up: true, required: false },
      event_log: { up: true, required: false },
      deleter: { up: true, required: false },
    },
  });
  for (const path of ['/livez', '/readyz', '/metrics']) {
    expect((await send(await serve.ready, { method: 'GET', path })).status).toBe(404);
  }
});

test('the admin port refuses other paths and methods', async () => {
  const admin = await adminOf(spawnServe(newPath('data')));
  expect((await admin.get('/')).status).toBe(404);
  expect((await admin.get('/v1/json/jobs-delete')).status).toBe(404);
  expect((await admin.get('/__proto__')).status).toBe(404);
});

test('on SIGTERM the service reports not ready, still accepts requests, then closes the port and completes a request in flight', async () => {
  const dataDir = newPath('data');
  const { account, pool } = await aScene(dataDir);
  const serve = spawnServe(dataDir, { env: { DRAIN_DELAY_MS: '1500', SHUTDOWN_TIMEOUT_MS: '60000' } });
  const baseUrl = await serve.ready;
  const admin = await adminOf(serve);
  const held = await holdRequest(baseUrl, account, pool.jobIds.slice(0, 1));

  serve.kill('SIGTERM');
  await until(async () => (await admin.readiness())?.status === 503);
  expect(await admin.readiness()).toMatchObject({ ready: false, phase: 'stopping' });
  expect(await send(baseUrl, { path: '/nowhere' })).toMatchObject({
    status: 404,
    headers: { connection: 'close' },
  });

  await until(async () => !(await accepts(baseUrl)));
  expect((await admin.get('/livez')).status).toBe(200);
  expect((await admin.readiness())?.status).toBe(503);
  held.release();
  expect((await held.answer).status).toBe(200);
  expect(await serve.exited).toEqual({ code: 0, signal: null });
});

test('a second signal ends a drain immediately', async () => {
  const serve = spawnServe(newPath('data'), {
    env: { DRAIN_DELAY_MS: '600000', SHUTDOWN_TIMEOUT_MS: '600000' },
  });
  const admin = await adminOf(serve);
  serve.kill('SIGTERM');
  await until(async () => (await admin.readiness())?.phase === 'stopping');
  serve.kill('SIGTERM');
  expect(await serve.exited).toEqual({ code: 143, signal: null });
});

test('a DRAIN_DELAY_MS longer than SHUTDOWN_TIMEOUT_MS is refused', async () => {
  const serve = spawnServe(newPath('data'), { env: { DRAIN_DELAY_MS: '2000', SHUTDOWN_TIMEOUT_MS: '1000' } });
  expect(await serve.exited).toEqual({ code: 2, signal: null });
  expect(serve.stderr()).toContain('DRAIN_DELAY_MS: must not be longer than SHUTDOWN_TIMEOUT_MS');
});

test('the error names an ADMIN_PORT that is in use', async () => {
  const first = spawnServe(newPath('data'));
  await first.ready;
  const { admin_port } = JSON.parse(first.stdout()) as { admin_port: number };
  const second = spawnServe(newPath('other'), { env: { ADMIN_PORT: String(admin_port) } });
  expect(await second.exited).toEqual({ code: 2, signal: null });
  expect(second.stderr()).toContain(`ADMIN_PORT: port ${String(admin_port)} cannot be used (it is in use)`);
});
