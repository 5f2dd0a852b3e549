import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { readDeleterConfig } from '@jobs-delete/deleter-service/config';
import { followTokensFile } from '@jobs-delete/deleter-service/grpc/callers';
import { startGrpcServer } from '@jobs-delete/deleter-service/grpc/start-grpc-server';
import { CallError, connectTestClient } from '@jobs-delete/deleter-service/grpc/testing/test-client';
import { startDeleter } from '@jobs-delete/deleter-service/start-deleter';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { readGatewayConfig } from '@jobs-delete/gateway/config';
import { connectDeleter } from '@jobs-delete/gateway/deleter/deleter-client';
import { startGateway } from '@jobs-delete/gateway/start-gateway';
import type { AcceptDeletionsRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/AcceptDeletionsRequest';
import type { DeleterServiceHandlers } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleterService';
import { watchServiceTokens } from '@jobs-delete/proto/service-tokens';
import { createLogger } from '@jobs-delete/runtime/telemetry/logger';
import { setScene } from '../durability/scene.ts';
import { callerHeaders, jsonBody, send } from '../harness/http-client.ts';
import { until } from '../harness/until.ts';
import { watchTestEnd } from '../harness/watch-test-end.ts';
import { unusedHandlers } from '@jobs-delete/deleter-service/testing/unused-handlers';

watchTestEnd();
const newPath = temporaryFolder();
const newFile = (name: string) => {
  const path = newPath(name);
  mkdirSync(dirname(path), { recursive: true });
  return path;
};
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

const [old, young] = ['the-old-token-of-the-gateway-0123456789', 'the-new-token-of-the-gateway-0123456789'];
const codes: Readonly<Record<number, string>> = { 16: 'UNAUTHENTICATED' };
const gatewayToken = (token: string) => ({ caller: 'gateway', token });

/** Starts an api and a gateway that follow their files with short polls. */
async function startPair() {
  const files = { api: newFile('api-tokens'), gateway: newFile('gateway-tokens') };
  for (const file of Object.values(files)) writeFileSync(file, old);
  const reloads = { api: 0, gateway: 0 };
  const logOf = (side: keyof typeof reloads) => ({
    info: () => void (reloads[side] += 1),
    warn: () => {
      throw new Error(`the ${side} refuses new tokens`);
    },
  });
  const first = [gatewayToken(old)];
  const followed = followTokensFile(
    {
      tokens: [],
      tokensFile: { path: files.api, first },
      roles: new Map([['gateway', 'delete']]),
    },
    { log: logOf('api'), everyMs: 10 },
  );
  const handlers: DeleterServiceHandlers = {
    ...unusedHandlers,
    AcceptDeletions: (call) => {
      const response = { deletionId: 'done', replayed: false, language: 'en' };
      call.on('data', ({ requests }: AcceptDeletionsRequest__Output) =>
        call.write({ outcomes: requests.map(({ number }) => ({ number, response })) }),
      );
      call.on('end', () => call.end());
    },
  };
  const { callers } = followed;
  const server = await startGrpcServer(handlers, { host: '127.0.0.1', port: 0, callers });
  const watched = watchServiceTokens(files.gateway, first, { log: logOf('gateway'), everyMs: 10 });
  const client = connectDeleter({
    address: `127.0.0.1:${String(server.port)}`,
    serviceToken: () => watched.current()[0]?.token,
    timeoutMs: 20_000,
  });
  stops.push(followed.stop, () => server.stop(1_000), watched.stop, client.close);
  const write = async (side: keyof typeof files, tokens: string) => {
    const before = reloads[side];
    writeFileSync(files[side], tokens);
    await until(() => reloads[side] > before);
  };
  return { client, write };
}

const call = { accountId: 'Acme', jobIds: ['JOB1'], dryRun: false, idempotencyKey: undefined, origin: {} };

test('replacing the token in both files under load fails no call', async () => {
  const { client, write } = await startPair();
  const isOver = { now: false };
  let answered = 0;
  const load = (async () => {
    while (!isOver.now) {
      expect(await client.deleteJobs(call)).toMatchObject({ kind: 'accepted' });
      answered += 1;
    }
  })();
  for (const [side, tokens] of [
    ['api', `${old},${young}`],
    ['gateway', young],
    ['api', young],
  ] as const) {
    await write(side, tokens);
    const since = answered;
    await until(() => answered > since + 10);
  }
  isOver.now = true;
  await load;
  await write('gateway', old);
  await expect(client.deleteJobs(call)).rejects.toThrow();
});

test('a running api and a running gateway use a token that is put into their files', async () => {
  const dataDir = newPath('data');
  const { accounts, pools } = await setScene(dataDir, { Acme: 10 });
  const [account] = accounts;
  if (account === undefined) throw new Error('there is no account');
  const files = [newFile('api-tokens'), newFile('gateway-tokens')] as const;
  for (const file of files) writeFileSync(file, `${old}\n`);
  const log = createLogger('silent', 'test');
  const env = { DATA_DIR: dataDir, GRPC_PORT: '0', PORT: '0', ADMIN_PORT: '0' };
  const deleter = await startDeleter(readDeleterConfig({ ...env, GRPC_SERVICE_TOKENS_FILE: files[0] }), log);
  stops.push(deleter.stop);
  const DELETER_ADDRESS = `127.0.0.1:${String(deleter.grpcPort)}`;
  const gateway = await startGateway(
    readGatewayConfig({ ...env, DELETER_ADDRESS, GRPC_SERVICE_TOKENS_FILE: files[1] }),
    log,
  );
  stops.push(gateway.stop);
  const client = connectTestClient(deleter.grpcPort ?? 0);
  stops.push(() => client.close());
  const isAccepted = (token: string) =>
    client.listDeletions({ accountId: 'Acme' }, { token }).then(
      () => true,
      (error: unknown) => !(error instanceof CallError && codes[error.code] === 'UNAUTHENTICATED'),
    );
  const jobIds = [...(pools[0]?.jobIds ?? [])];
  const baseUrl = `http://127.0.0.1:${String(gateway.port)}`;
  const deleteOne = async () =>
    (await send(baseUrl, { headers: callerHeaders(account), body: jsonBody(jobIds.slice(0, 1)) })).status;

  expect(await deleteOne()).toBe(200);
  jobIds.shift();
  expect(await isAccepted(young)).toBe(false);
  for (const file of files) writeFileSync(file, `${young}\n`);
  await until(() => isAccepted(young));
  expect(await isAccepted(old)).toBe(false);
  await until(async () => (await deleteOne()) === 200);
});
