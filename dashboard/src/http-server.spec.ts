import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { openHttpServer } from './http-server.ts';

const dayMs = 24 * 3_600_000;
const limits = { maxConnections: 100, maxConnectionsPerAddress: 0 };
const start = (changed: Partial<typeof limits> = {}) =>
  openHttpServer({ host: '127.0.0.1', port: 0, shutdownTimeoutMs: dayMs, ...limits, ...changed });

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
  await expect(
    openHttpServer({ host: '127.0.0.1', port, shutdownTimeoutMs: dayMs, ...limits }),
  ).rejects.toThrow(`DASHBOARD_PORT: cannot listen on 127.0.0.1:${String(port)}: listen EADDRINUSE`);
  await stop();
});

/** Returns whether the server closes a connection that sends a request, instead of answering. */
async function isRefused(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  return Promise.race([once(socket, 'data').then(() => false), once(socket, 'close').then(() => true)]);
}

test('a connection past the limit of its address is closed at once, except that of a proxy', async () => {
  const answer: RequestListener = (_request, response) => void response.end('a page');
  const server = await start({ maxConnectionsPerAddress: 2 });
  server.serve(answer);
  const behindProxy = await start({ maxConnectionsPerAddress: 2 });
  behindProxy.serve(answer, () => true);
  const outcomes = [];
  for (const { port } of [server, server, server, behindProxy, behindProxy, behindProxy])
    outcomes.push(await isRefused(port));
  expect(outcomes).toEqual([false, false, true, false, false, false]);
  await Promise.all([server.stop(), behindProxy.stop()]);
});

test('a connection past the limit of all takes the place of an idle one, not of a busy one', async () => {
  const server = await start({ maxConnections: 1 });
  let hold: ((response: ServerResponse) => void) | undefined;
  server.serve((_request, response) => {
    if (hold === undefined) response.end('a page');
    else hold(response);
  });
  expect([await isRefused(server.port), await isRefused(server.port)]).toEqual([false, false]);
  const held = new Promise<ServerResponse>((resolve) => (hold = resolve));
  const busy = isRefused(server.port);
  const response = await held;
  expect(await isRefused(server.port)).toBe(true);
  response.end('a page');
  expect(await busy).toBe(false);
  await server.stop();
});
