import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { startHttpServer, type HttpServer } from './start-http-server.ts';

let server: HttpServer | undefined;
afterEach(() => server?.stop(0));

async function open(listener: RequestListener): Promise<() => Promise<Socket>> {
  const running = await startHttpServer(listener, {
    host: '127.0.0.1',
    port: 0,
    headersTimeoutMs: 60_000,
    requestTimeoutMs: 60_000,
    keepAliveTimeoutMs: 60_000,
    idleTimeoutMs: 60_000,
    maxHeaderBytes: 16_384,
    maxConnections: 10,
  });
  server = running;
  return async () => {
    const socket = connect(running.port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
}

/** A byte that no header has. */
const filler = 0;

const requests = (path: string, count: number) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(count);

/** Resolves when this number of bytes of bodies has arrived. */
async function untilRead(socket: Socket, bytes: number): Promise<void> {
  let received = 0;
  for await (const chunk of socket) {
    for (const byte of chunk as Buffer) if (byte === filler) received += 1;
    if (received >= bytes) return;
  }
}

test('a connection has at most 16 requests in progress, and all are answered in the end', async () => {
  const held: ServerResponse[] = [];
  let onHeld: () => void = () => undefined;
  const connection = await open((request, response) => {
    if (request.url === '/other') {
      response.end();
      return;
    }
    held.push(response);
    onHeld();
  });
  const untilHeld = (count: number) =>
    new Promise<void>((resolve) => {
      onHeld = () => held.length === count && resolve();
      onHeld();
    });
  const socket = await connection();
  socket.write(requests('/', 300));
  await untilHeld(16);
  const other = await connection();
  for (let round = 0; round < 20; round++) {
    other.write(requests('/other', 1));
    await once(other, 'data');
  }
  expect(held).toHaveLength(16);
  other.destroy();

  let answered = 0;
  let most = 0;
  onHeld = () => {
    most = Math.max(most, held.length);
    setImmediate(() => {
      answered += 1;
      held.shift()?.end(Buffer.alloc(1_000, filler));
    });
  };
  for (let count = 0; count < 16; count++) onHeld();
  await untilRead(socket, 300 * 1_000);
  expect([most <= 16, answered]).toEqual([true, 300]);
});

test('a connection whose answers are not read starts few requests, and goes on once they are read', async () => {
  let started = 0;
  let onFull: () => void;
  const isFull = new Promise<void>((resolve) => (onFull = resolve));
  const connection = await open((request, response) => {
    if (request.url === '/other') {
      response.end();
      return;
    }
    started += 1;
    // More than the buffers of the sockets hold.
    response.end(Buffer.alloc(10_000_000, filler));
    if (request.socket.writableNeedDrain) onFull();
  });
  const socket = await connection();
  socket.pause();
  socket.write(requests('/', 20));
  await isFull;
  const other = await connection();
  for (let round = 0; round < 20; round++) {
    other.write(requests('/other', 1));
    await once(other, 'data');
  }
  expect(started).toBeLessThanOrEqual(4);
  await untilRead(socket, 20 * 10_000_000);
  expect(started).toBe(20);
});
