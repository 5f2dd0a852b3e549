import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { CallError, connectTestClient } from '@jobs-delete/deleter-service/grpc/testing/test-client';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { setScene } from '../durability/scene.ts';
import { callerHeaders, jsonBody, send } from '../harness/http-client.ts';
import { reapAfterEach, spawnServe } from '../harness/spawn-serve.ts';

const newPath = temporaryFolder();
const codes: Readonly<Record<number, string>> = { 7: 'PERMISSION_DENIED', 16: 'UNAUTHENTICATED' };
const clients: { close(): void }[] = [];

reapAfterEach();
afterEach(() => clients.splice(0).forEach((client) => client.close()));

/** Returns the gRPC status of each method for a local process, with and without a token. */
async function serveAndCall(env: NodeJS.ProcessEnv = {}) {
  const dataDir = newPath('data');
  const { accounts, pools } = await setScene(dataDir, { Acme: 10 });
  const [account] = accounts;
  const [first = '', second = ''] = pools[0]?.jobIds ?? [];
  if (account === undefined) throw new Error('there is no account');
  const serve = spawnServe(dataDir, { env });
  const baseUrl = await serve.ready;
  const { grpc_port: port } = JSON.parse(serve.stdout()) as { grpc_port: number };
  const client = connectTestClient(port);
  clients.push(client);
  const statusOf = (answer: Promise<unknown>) =>
    answer.then(
      () => 'OK',
      (error: unknown) => (error instanceof CallError ? (codes[error.code] ?? error.code) : error),
    );
  const call = (method: 'deleteJobs' | 'listDeletions', token?: string) => {
    const options = token === undefined ? {} : { token };
    return method === 'listDeletions'
      ? statusOf(client.listDeletions({ accountId: 'Acme' }, options))
      : statusOf(client.deleteJobs({ accountId: 'Acme', jobIds: [first] }, options));
  };
  const deleteOverHttp = async () =>
    (await send(baseUrl, { headers: callerHeaders(account), body: jsonBody([second]) })).status;
  return { call, deleteOverHttp };
}

const token = 'a-token-of-a-caller-0123456789-0123456789';

test('without configured callers, serve accepts only calls of its own gateway', async () => {
  const { call, deleteOverHttp } = await serveAndCall();
  for (const guess of [undefined, token, '']) {
    expect(await call('deleteJobs', guess)).toBe('UNAUTHENTICATED');
    expect(await call('listDeletions', guess)).toBe('UNAUTHENTICATED');
  }
  expect(await deleteOverHttp()).toBe(200);
});

test('a configured token can delete', async () => {
  const { call, deleteOverHttp } = await serveAndCall({ GRPC_SERVICE_TOKENS: token });
  expect(await call('deleteJobs')).toBe('UNAUTHENTICATED');
  expect(await call('deleteJobs', token)).toBe('OK');
  expect(await deleteOverHttp()).toBe(200);
});

test('a token of a file can delete, and the gateway needs none', async () => {
  const file = newPath('tokens');
  mkdirSync(dirname(file));
  writeFileSync(file, token);
  const { call, deleteOverHttp } = await serveAndCall({ GRPC_SERVICE_TOKENS_FILE: file });
  expect(await call('deleteJobs')).toBe('UNAUTHENTICATED');
  expect(await call('deleteJobs', token)).toBe('OK');
  expect(await deleteOverHttp()).toBe(200);
});

test('a read-only caller cannot delete, and the gateway does not need its token', async () => {
  const { call, deleteOverHttp } = await serveAndCall({
    GRPC_SERVICE_TOKENS: `search:${token}`,
    GRPC_CALLERS: 'search=read',
  });
  expect(await call('listDeletions', token)).toBe('OK');
  expect(await call('deleteJobs', token)).toBe('PERMISSION_DENIED');
  expect(await deleteOverHttp()).toBe(200);
});
