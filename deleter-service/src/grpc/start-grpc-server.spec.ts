import { once } from 'node:events';
import { connect, type Settings } from 'node:http2';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, test } from '@jest/globals';
import { status } from '@grpc/grpc-js';
import type { DeleterServiceHandlers } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleterService';
import { testIf } from '@jobs-delete/runtime/testing/test-if';
import { createGate } from '../testing/events.ts';
import type { Callers } from './callers.ts';
import {
  startGrpcServer,
  type GrpcServer,
  type GrpcServerOptions,
  type GrpcSurroundings,
} from './start-grpc-server.ts';
import { CallError, connectTestClient, type TestClient } from './testing/test-client.ts';
import { unusedHandlers } from '../testing/unused-handlers.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

describe('the gRPC server', () => {
  const servers: GrpcServer[] = [];
  const clients: TestClient[] = [];
  let answer: () => Promise<void> = () => Promise.resolve();

  const handlers: DeleterServiceHandlers = {
    ...unusedHandlers,
    DeleteJobs: (_, callback) => {
      void answer().then(() => callback(null, { deletionId: 'done' }));
    },
    GetDeletion: (_, callback) => callback(null, {}),
  };
  const start = async (options: Partial<GrpcServerOptions & GrpcSurroundings> = {}) => {
    const server = await startGrpcServer(handlers, {
      host: '127.0.0.1',
      port: 0,
      callers: undefined,
      ...options,
    });
    servers.push(server);
    const client = connectTestClient(server.port, options.host === '::1' ? '[::1]' : '127.0.0.1');
    clients.push(client);
    return { server, client };
  };
  afterEach(async () => {
    for (const client of clients.splice(0)) client.close();
    for (const server of servers.splice(0)) await server.stop(100);
    answer = () => Promise.resolve();
  });

  const codeOf = async (call: Promise<unknown>) => {
    const error = await call.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return error instanceof CallError ? error.code : status.OK;
  };
  test('a caller with too many calls in progress delays no other caller', async () => {
    const tokenOf = (caller: string) => `the-service-token-of-the-caller-${caller}`;
    const callers: Callers = {
      tokens: ['busy', 'other'].map((caller) => ({ caller, token: tokenOf(caller) })),
      roles: new Map([
        ['busy', 'delete'],
        ['other', 'delete'],
      ]),
    };
    const gate = createGate();
    answer = () => gate.opened;
    const { client } = await start({ callers, maxCallsPerCaller: 2 });
    const busy = { token: tokenOf('busy') };
    const held = [client.deleteJobs({}, busy), client.deleteJobs({}, busy)];
    // Calls of one connection arrive in their order.
    expect(await codeOf(client.getDeletion({}, busy))).toBe(status.RESOURCE_EXHAUSTED);
    expect(await codeOf(client.getDeletion({}, { token: tokenOf('other') }))).toBe(status.OK);
    gate.open();
    await Promise.all(held);
    expect(await codeOf(client.getDeletion({}, busy))).toBe(status.OK);
  });

  test('a connection may have 2,000 streams', async () => {
    const { server } = await start();
    const session = connect(`http://127.0.0.1:${String(server.port)}`);
    const [{ maxConcurrentStreams }] = (await once(session, 'remoteSettings')) as [Settings];
    session.destroy();
    expect(maxConcurrentStreams).toBe(2_000);
  });

  test('uses any free port for port 0', async () => {
    const { server, client } = await start();
    expect(server.port).toBeGreaterThan(0);
    expect(await client.deleteJobs({})).toMatchObject({ deletionId: 'done' });
  });

  test('refuses a port in use, and names the variable', async () => {
    const { server } = await start();
    await expect(start({ port: server.port })).rejects.toMatchObject({
      name: 'StartupError',
      message: expect.stringMatching(/^GRPC_PORT: cannot listen on 127\.0\.0\.1:\d+/),
    });
  });

  testIf(hasIpv6, 'listens on an address of IPv6', async () => {
    const { client } = await start({ host: '::1' });
    expect(await client.deleteJobs({})).toMatchObject({ deletionId: 'done' });
  });

  test('stops after the calls in flight are answered', async () => {
    const { server, client } = await start();
    const arrived = createGate();
    const finish = createGate();
    answer = () => {
      arrived.open();
      return finish.opened;
    };
    const call = client.deleteJobs({});
    await arrived.opened;
    let stopped = false;
    const stopping = server.stop(10_000).then(() => (stopped = true));
    expect(stopped).toBe(false);
    finish.open();
    expect(await call).toMatchObject({ deletionId: 'done' });
    await stopping;
    expect(await codeOf(client.deleteJobs({}, { deadlineMs: 500 }))).not.toBe(status.OK);
  });

  test('ends unfinished calls after the deadline', async () => {
    const { server, client } = await start();
    const arrived = createGate();
    answer = () => {
      arrived.open();
      return new Promise(() => undefined);
    };
    const call = codeOf(client.deleteJobs({}));
    await arrived.opened;
    await server.stop(20);
    expect(await call).not.toBe(status.OK);
  });
});
