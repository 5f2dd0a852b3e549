import { once } from 'node:events';
import { Client, credentials, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { service as healthService } from 'grpc-health-check';
import { systemClock } from '@jobs-delete/runtime/time/clock';
import { createGrpcHealth, startGrpcServer, type GrpcServer } from './start-grpc-server.ts';
import { unusedHandlers as handlers } from '../testing/unused-handlers.ts';

const token = 'a service token of forty characters 0123';
const withoutRole = 'another token of forty characters 012345';
const own = 'jobs.deleter.v1.DeleterService';

describe('the gRPC server', () => {
  let reason: string | undefined;
  let asked: () => void = () => undefined;
  let health: ReturnType<typeof createGrpcHealth>;
  let server: GrpcServer;
  let client: Client;

  const connect = () =>
    new Client(`127.0.0.1:${String(server.port)}`, credentials.createInsecure(), {
      'grpc.use_local_subchannel_pool': 1,
    });
  beforeEach(async () => {
    reason = undefined;
    // Ticks on demand, instead of once a second.
    const sleep = () => new Promise<void>((resolve) => (asked = resolve));
    health = createGrpcHealth({
      check: () => Promise.resolve(reason),
      clock: { ...systemClock, sleep },
    });
    server = await startGrpcServer(handlers, {
      host: '127.0.0.1',
      port: 0,
      callers: {
        tokens: [
          { caller: 'probe', token },
          { caller: 'nobody', token: withoutRole },
        ],
        roles: new Map([['probe', 'read']]),
      },
      health: health.implementation,
      maxHealthWatches: 2,
    });
    client = connect();
  });
  afterEach(async () => {
    client.close();
    health.stop();
    asked();
    await server.stop(0);
  });

  const method = (name: string) => {
    const definition = healthService[name];
    if (definition === undefined) throw new Error(`there is no ${name}`);
    return definition;
  };
  const check = (service: string, metadata = new Metadata()): Promise<string> => {
    const { path, requestSerialize: encode, responseDeserialize: decode } = method('Check');
    return new Promise((resolve) => {
      client.makeUnaryRequest(path, encode, decode, { service }, metadata, (error, response) => {
        resolve(error ? status[error.code] : (response as { status: string }).status);
      });
    });
  };
  /** The statuses that the watcher receives; the last entry is the end of the stream. */
  const watch = (service: string) => {
    const { path, requestSerialize, responseDeserialize } = method('Watch');
    const call = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, { service });
    const told: string[] = [];
    let onTold: () => void = () => undefined;
    const tell = (what: string) => {
      told.push(what);
      onTold();
    };
    call.on('data', (response: { status: string }) => tell(response.status));
    call.on('error', (error: ServiceError) => tell(status[error.code]));
    const untilTold = async (count: number) => {
      while (told.length < count) await new Promise<void>((resolve) => (onTold = resolve));
      return told;
    };
    return { untilTold, cancel: () => call.cancel() };
  };
  const reflect = async (request: Buffer, metadata = new Metadata()): Promise<Buffer> => {
    const call = client.makeBidiStreamRequest(
      '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
      (bytes: Buffer) => bytes,
      (bytes: Buffer) => bytes,
      metadata,
    );
    call.end(request);
    try {
      const [answer] = (await once(call, 'data')) as [Buffer];
      return answer;
    } finally {
      call.cancel();
      call.on('error', () => undefined);
    }
  };
  const authorized = (bearer = token) => {
    const metadata = new Metadata();
    metadata.set('authorization', `Bearer ${bearer}`);
    return metadata;
  };

  describe('with grpc.health.v1', () => {
    test('can be checked as a whole and by name, without a service token', async () => {
      expect(await check('')).toBe('SERVING');
      expect(await check(own)).toBe('SERVING');
      expect(await check('jobs.another.v1.Service')).toBe('NOT_FOUND');
    });

    test('refuses a check with an unknown service token, and accepts one with any role', async () => {
      expect(await check('', authorized())).toBe('SERVING');
      expect(await check('', authorized(withoutRole))).toBe('SERVING');
      expect(await check('', authorized(token.slice(1)))).toBe('UNAUTHENTICATED');
    });

    test('is NOT_SERVING while its store is away, and SERVING again afterwards', async () => {
      const { untilTold } = watch(own);
      expect(await untilTold(1)).toEqual(['SERVING']);
      reason = 'the store is away';
      asked();
      expect(await untilTold(2)).toEqual(['SERVING', 'NOT_SERVING']);
      expect(await check('')).toBe('NOT_SERVING');
      reason = undefined;
      asked();
      expect(await untilTold(3)).toEqual(['SERVING', 'NOT_SERVING', 'SERVING']);
    });

    test('tells watchers that it stops, and does not wait for them', async () => {
      const watches = [watch(''), watch(own)];
      for (const { untilTold } of watches) await untilTold(1);
      health.stop();
      await server.stop(600_000);
      for (const { untilTold } of watches) {
        expect(await untilTold(3)).toEqual(['SERVING', 'NOT_SERVING', 'UNAVAILABLE']);
      }
    });
  });

  describe('with a limit of two health watches', () => {
    test('refuses a third one, also on another connection, and still answers checks', async () => {
      const watches = [watch(''), watch(own)];
      for (const { untilTold } of watches) await untilTold(1);
      const first = client;
      client = connect();
      expect(await watch('').untilTold(1)).toEqual(['RESOURCE_EXHAUSTED']);
      expect(await check(own)).toBe('SERVING');

      watches[0]?.cancel();
      expect(await watches[0]?.untilTold(2)).toEqual(['SERVING', 'CANCELLED']);
      // The server frees the place when the cancellation arrives, which no answer reports.
      let [told] = await watch('').untilTold(1);
      while (told !== 'SERVING') [told] = await watch('').untilTold(1);
      first.close();
    });
  });

  describe('with server reflection', () => {
    const listServices = Buffer.from([0x3a, 0x00]);
    const fileOf = (symbol: string) =>
      Buffer.concat([Buffer.from([0x22, symbol.length]), Buffer.from(symbol)]);

    test('lists the services', async () => {
      const answer = (await reflect(listServices, authorized())).toString('latin1');
      expect(answer).toContain(own);
      expect(answer).toContain('grpc.health.v1.Health');
    });

    test('describes them', async () => {
      const described = await reflect(fileOf(own), authorized());
      expect(described.includes('DeleteJobsRequest')).toBe(true);
      // Field 3 of a file: what it imports, without which clients written in Go refuse it.
      for (const imported of ['google_rpc.proto', 'google_protobuf.proto'])
        expect(described.includes(`\x1a${String.fromCharCode(imported.length)}${imported}`)).toBe(true);
      const health = await reflect(fileOf('grpc.health.v1.Health'), authorized());
      expect(health.includes('HealthCheckRequest')).toBe(true);
    });

    test('needs a service token', async () => {
      await expect(reflect(listServices)).rejects.toMatchObject({ code: status.UNAUTHENTICATED });
    });
  });
});
