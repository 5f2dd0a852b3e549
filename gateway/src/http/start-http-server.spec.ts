import { connect } from 'node:net';
import { test } from '@jest/globals';
import { startHttpServer } from './start-http-server.ts';

test('a caller that takes no more of its answer is cut off', async () => {
  let closed: () => void;
  const isClosed = new Promise<void>((resolve) => (closed = resolve));
  const answerAtLength: Parameters<typeof startHttpServer>[0] = (_request, response) => {
    response.once('close', () => closed());
    // More than the kernel holds for the two of us.
    response.end(Buffer.alloc(100_000_000));
  };
  const server = await startHttpServer(answerAtLength, {
    host: '127.0.0.1',
    port: 0,
    headersTimeoutMs: 10_000,
    requestTimeoutMs: 10_000,
    keepAliveTimeoutMs: 10_000,
    idleTimeoutMs: 100,
    maxHeaderBytes: 16_384,
    maxConnections: 10,
  });
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  socket.pause();
  await isClosed;
  socket.destroy();
  await server.stop(0);
});
