import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { listen } from './http-server.ts';

const dayMs = 24 * 3_600_000;
const start = () => listen({ host: '127.0.0.1', port: 0, shutdownTimeoutMs: dayMs });

test('a connection that a browser opens in advance does not delay a stop', async () => {
  const server = await start();
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  const closed = once(socket.resume(), 'close');
  await server.stop();
  await closed;
});

test('a stop finishes the requests in flight', async () => {
  const server = await start();
  let finish: () => void = () => undefined;
  const received = new Promise<void>((resolve) =>
    server.serve((_request, response) => {
      finish = () => response.end('the page');
      resolve();
    }),
  );
  const page = fetch(`http://127.0.0.1:${String(server.port)}/`).then((response) => response.text());
  await received;
  const stopped = server.stop();
  finish();
  expect(await page).toBe('the page');
  await stopped;
});

test('a port in use is named', async () => {
  const { port, stop } = await start();
  await expect(listen({ host: '127.0.0.1', port, shutdownTimeoutMs: dayMs })).rejects.toThrow(
    `DASHBOARD_PORT: cannot listen on 127.0.0.1:${String(port)}: listen EADDRINUSE`,
  );
  await stop();
});
