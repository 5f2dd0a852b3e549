import { afterEach, expect, test } from '@jest/globals';
import type { Callers } from '@jobs-delete/deleter-service/grpc/callers';
import { startGrpcServer } from '@jobs-delete/deleter-service/grpc/start-grpc-server';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { connectDeleter } from '@jobs-delete/gateway/deleter/deleter-client';
import type { AcceptDeletionsRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/AcceptDeletionsRequest';
import type { DeleterServiceHandlers } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleterService';
import {
  createAuthority,
  mountSecret,
  type MountedSecret,
  type Secret,
} from '@jobs-delete/runtime/testing/certificates';
import { watchCertificates } from '@jobs-delete/runtime/tls/watch-certificates';
import { until } from '../harness/until.ts';
import { watchTestEnd } from '../harness/watch-test-end.ts';
import { unusedHandlers } from '@jobs-delete/deleter-service/testing/unused-handlers';

watchTestEnd();
const newPath = temporaryFolder();
const stops: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

const callers: Callers = { tokens: [], roles: new Map([['gateway', 'delete']]) };
const timeoutMs = 20_000;

/** Starts server and gateway like production, but with very short connection lifetimes, to force reconnects. */
async function startPair(server: MountedSecret, gateway: MountedSecret) {
  const reloads = { server: 0, gateway: 0 };
  const watch = (side: keyof typeof reloads, { files }: MountedSecret) => {
    const log = {
      info: () => {
        reloads[side] += 1;
      },
      warn: () => {
        throw new Error(`the ${side} refuses new certificates`);
      },
    };
    const watched = watchCertificates(files, { log, everyMs: 10 });
    stops.push(watched.stop);
    return watched;
  };
  const connections = new Set<string>();
  const handlers: DeleterServiceHandlers = {
    ...unusedHandlers,
    AcceptDeletions: (call) => {
      connections.add(call.getPeer());
      const response = { deletionId: 'done', replayed: false, language: 'en' };
      call.on('data', ({ requests }: AcceptDeletionsRequest__Output) =>
        call.write({ outcomes: requests.map(({ number }) => ({ number, response })) }),
      );
      call.on('end', () => call.end());
    },
  };
  const { port, stop } = await startGrpcServer(handlers, {
    host: '127.0.0.1',
    port: 0,
    callers,
    certificates: watch('server', server),
    maxConnectionAgeMs: 100,
  });
  stops.push(() => stop(1_000));
  const address = `localhost:${String(port)}`;
  const certificates = watch('gateway', gateway);
  const connect = () => connectDeleter({ address, serviceToken: undefined, certificates, timeoutMs });
  return { address, connect, connections, reloads };
}

const ask = (client: ReturnType<typeof connectDeleter>) =>
  client.deleteJobs({
    accountId: 'Acme',
    jobIds: ['JOB1'],
    dryRun: false,
    idempotencyKey: undefined,
    origin: {},
  });

/** Calls the deleter until `stop`: four clients with one channel, like the gateway, and one with a channel per call. */
function startLoad(connect: () => ReturnType<typeof connectDeleter>) {
  let isOver = false;
  let answered = 0;
  const failures: unknown[] = [];
  const run = async (usesNewChannels: boolean) => {
    let client = connect();
    while (!isOver) {
      try {
        expect(await ask(client)).toMatchObject({ kind: 'accepted' });
        answered += 1;
      } catch (error) {
        failures.push(error);
      }
      if (!usesNewChannels) continue;
      client.close();
      client = connect();
    }
    client.close();
  };
  const running = [true, false, false, false, false].map(run);
  return {
    answered: () => answered,
    stop: async () => {
      isOver = true;
      await Promise.all(running);
      return failures;
    },
  };
}

test('rotating both certificates and their authority under load fails no call', async () => {
  const [old, young] = [createAuthority('old'), createAuthority('young')];
  const both = old.certificate + young.certificate;
  const secretOf = (name: string, issuer: typeof old, trusted: string): Secret => ({
    ...issuer.issue([name]),
    trusted,
  });
  const before = {
    server: secretOf('localhost', old, old.certificate),
    gateway: secretOf('gateway', old, old.certificate),
  };
  const server = mountSecret(newPath('server'), before.server);
  const gateway = mountSecret(newPath('gateway'), before.gateway);
  const { address, connect, connections, reloads } = await startPair(server, gateway);

  const load = startLoad(connect);

  const steps: [MountedSecret, keyof typeof reloads, Secret][] = [
    [server, 'server', { ...before.server, trusted: both }],
    [gateway, 'gateway', { ...before.gateway, trusted: both }],
    [server, 'server', secretOf('localhost', young, both)],
    [gateway, 'gateway', secretOf('gateway', young, both)],
  ];
  const last: typeof steps = [
    [server, 'server', secretOf('localhost', young, young.certificate)],
    [gateway, 'gateway', secretOf('gateway', young, young.certificate)],
  ];
  for (const [mounted, side, secret] of [...steps, ...last]) {
    const reload = reloads[side] + 1;
    const since = load.answered();
    mounted.swap(secret);
    await until(() => reloads[side] === reload && load.answered() > since + 50);
    connections.clear();
    await until(() => connections.size > 10);
  }
  expect(await load.stop()).toEqual([]);

  // The old certificate is refused now.
  const { files } = mountSecret(newPath('old'), { ...before.gateway, trusted: both });
  const outdated = watchCertificates(files, { log: { info: () => undefined, warn: () => undefined } });
  const client = connectDeleter({ address, serviceToken: undefined, certificates: outdated, timeoutMs });
  stops.push(outdated.stop, client.close);
  await expect(ask(client)).rejects.toMatchObject({ message: expect.stringContaining('UNAUTHENTICATED') });
});
