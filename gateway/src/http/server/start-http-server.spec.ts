import { once } from 'node:events';
import { Agent, IncomingMessage, type RequestListener, ServerResponse, get } from 'node:http';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect, test } from '@jest/globals';
import express from 'express';
import { createAuthority } from '@jobs-delete/runtime/testing/certificates';
import { messageClasses, originForm, startHttpServer } from './start-http-server.ts';

const options = {
  host: '127.0.0.1',
  port: 0,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 10_000,
  keepAliveTimeoutMs: 10_000,
  idleTimeoutMs: 10_000,
  maxHeaderBytes: 16_384,
  maxConnections: 10,
};

test('a caller that stops reading its answer is cut off', async () => {
  let closed: () => void;
  const isClosed = new Promise<void>((resolve) => (closed = resolve));
  const answerAtLength: RequestListener = (_request, response) => {
    response.once('close', () => closed());
    // More than the socket buffers hold.
    response.end(Buffer.alloc(100_000_000));
  };
  const server = await startHttpServer(answerAtLength, { ...options, idleTimeoutMs: 100 });
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  socket.pause();
  await isClosed;
  socket.destroy();
  await server.stop(0);
});

test('a draining server answers on old and new connections, and closes each connection after its answer', async () => {
  let hold: (response: ServerResponse) => void;
  const held = new Promise<ServerResponse>((resolve) => (hold = resolve));
  const server = await startHttpServer((request, response) => {
    if (request.url === '/held') hold(response);
    else response.end();
  }, options);
  const ask = (agent: Agent, path = '/') =>
    new Promise<{ connection: string | undefined; onOld: boolean }>((resolve, reject) => {
      const request = get({ port: server.port, host: options.host, agent, path }, (response) => {
        const { connection } = response.headers;
        response.resume().once('end', () => resolve({ connection, onOld: request.reusedSocket }));
      });
      request.once('error', reject);
    });
  const [kept, busy, young] = [1, 2, 3].map(() => new Agent({ keepAlive: true })) as [Agent, Agent, Agent];
  expect(await ask(kept)).toEqual({ connection: 'keep-alive', onOld: false });
  const inFlight = ask(busy, '/held');
  const response = await held;

  server.drain();
  response.end();
  expect(await inFlight).toEqual({ connection: 'close', onOld: false });
  expect(await ask(kept)).toEqual({ connection: 'close', onOld: true });
  expect(await ask(kept)).toEqual({ connection: 'close', onOld: false });
  expect(await ask(young)).toEqual({ connection: 'close', onOld: false });
  await server.stop(0);
  await expect(ask(young)).rejects.toThrow('ECONNREFUSED');
});

const own = createAuthority('the authority').issue(['localhost']);
const identity = {
  certificate: Buffer.from(own.certificate),
  privateKey: Buffer.from(own.key),
  expiresAtMs: 0,
};
const certificate = { current: () => identity, subscribe: () => undefined };

test.each(['HTTP', 'HTTPS'])(
  'when all connections are in use, an idle one of %s is closed for another network, and no busy one',
  async (protocol) => {
    const isTls = protocol === 'HTTPS';
    let hold: (response: ServerResponse) => void;
    const held = new Promise<ServerResponse>((resolve) => (hold = resolve));
    const server = await startHttpServer(
      (request, response) => {
        if (request.url === '/held') hold(response);
        else response.end('answer');
      },
      { ...options, maxConnections: 2, ...(isTls && { certificate }) },
    );
    const open = (localAddress: string, path: string) => {
      const to = { port: server.port, host: options.host, localAddress };
      const socket = isTls ? connectTls({ ...to, rejectUnauthorized: false }) : connect(to);
      socket.on('error', () => undefined).write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      const answered = once(socket.setEncoding('utf8'), 'data').then(([text]) => String(text).slice(-6));
      const closed = once(socket, 'close').then(() => 'closed');
      return { answer: Promise.race([answered, closed]), closed };
    };
    const busy = open('127.0.0.1', '/held');
    const response = await held;
    const idle = open('127.0.0.1', '/');
    expect(await idle.answer).toBe('answer');
    const other = open('127.0.0.2', '/');
    expect(await other.answer).toBe('answer');
    await idle.closed;
    response.end('answer');
    expect(await busy.answer).toBe('answer');
    await server.stop(0);
  },
);

test('a stop cuts off a caller that does not finish its TLS handshake', async () => {
  let onAccepted: () => void;
  const isAccepted = new Promise<void>((resolve) => (onAccepted = resolve));
  const server = await startHttpServer(() => undefined, {
    ...options,
    certificate,
    headersTimeoutMs: 600_000,
    requestTimeoutMs: 600_000,
    maxConnectionsPerAddress: 1,
    // Called for each new connection.
    isProxy: () => {
      onAccepted();
      return false;
    },
  });
  const caller = connect(server.port, '127.0.0.1').resume();
  const isClosed = once(caller, 'close');
  await isAccepted;
  await server.stop(50);
  await isClosed;
});

test.each([
  ['/v1/json/jobs-delete', '/v1/json/jobs-delete'],
  ['/a?b=c', '/a?b=c'],
  ['//a.example/b', '//a.example/b'],
  ['/a/../b%2F', '/a/../b%2F'],
  ['*', '*'],
  ['http://a.example/b?c', '/b?c'],
  ['HTTPS://[::1]:8443/b', '/b'],
  ['http://a.example', '/'],
  ['http://a.example?b', '/?b'],
  ['http://a.example//b', '//b'],
])('the target %s has the path %s', (target, path) => {
  expect(originForm(target)).toBe(path);
});

test.each([
  '',
  'a',
  '/a#b',
  '/a?b#',
  'a.example:443',
  'ftp://a.example/b',
  'http:/b',
  'http:///b',
  'http://:80/b',
  'http://user@a.example/b',
  'http://a.example\\b/c',
  'http://a b/c',
])('%j is no request target', (target) => {
  expect(originForm(target)).toBeUndefined();
});

test('requests and responses have Express’s prototypes before Express sets them', async () => {
  const app = express();
  app.get('/', (request, response) => {
    response.json({ path: request.path });
  });
  const born: unknown[] = [];
  const listener: RequestListener = (request, response) => {
    born.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
    expect(request).toBeInstanceOf(IncomingMessage);
    expect(response).toBeInstanceOf(ServerResponse);
    app(request, response);
  };
  const server = await startHttpServer(listener, { ...options, messageClasses: messageClasses(app) });
  const answer = await fetch(`http://127.0.0.1:${String(server.port)}/`);
  expect(await answer.json()).toEqual({ path: '/' });
  expect(born[0]).toBe(app.request);
  expect(born[1]).toBe(app.response);
  await server.stop(0);
});
