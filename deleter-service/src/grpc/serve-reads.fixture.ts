import { systemClock } from '@jobs-delete/runtime/time/clock';
import type { Store } from '../store/store.ts';
import { deleterHandlers } from './deleter-handlers.ts';
import { startGrpcServer } from './start-grpc-server.ts';
import { connectTestClient } from './testing/test-client.ts';

/** Serves the reads of a store over gRPC. `stop` closes the client, the server and the store. */
export async function serveReads(store: Store) {
  const handlers = deleterHandlers({
    acceptDeletion: () => Promise.reject(new Error('nothing is accepted here')),
    store,
    clock: systemClock,
    signal: new AbortController().signal,
    retentionMs: 90 * 86_400_000,
    onFault: () => undefined,
  });
  const server = await startGrpcServer(handlers, { host: '127.0.0.1', port: 0, callers: undefined });
  const client = connectTestClient(server.port);
  const stop = async () => {
    client.close();
    await server.stop(1_000);
    await store.close();
  };
  return { client, stop };
}
