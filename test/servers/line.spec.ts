import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '../harness/until.ts';
import { type Direction, type Line, openLine } from './line.ts';

let server: Server;
let line: Line;
let client: Socket;
let sockets: Socket[];
let received: Record<Direction, string>;

/** The server answers in capitals. */
beforeEach(async () => {
  received = { requests: '', answers: '' };
  sockets = [];
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.setEncoding('utf8').on('data', (text: string) => {
      received.requests += text;
      socket.write(text.toUpperCase());
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  line = await openLine({ port: (server.address() as AddressInfo).port });
  client = connect(line.port, '127.0.0.1');
  client.setEncoding('utf8').on('data', (text: string) => (received.answers += text));
  await ask('a', 'A');
});
afterEach(async () => {
  client.destroy();
  await line.close();
  server.close();
});

const ask = async (text: string, answer: string) => {
  client.write(text);
  await until(() => received.answers.endsWith(answer));
};

test('keeps both directions back until it is mended, then forwards all in order', async () => {
  line.hold('answers');
  client.write('b');
  await until(() => received.requests === 'ab');
  line.hold('requests');
  client.write('c');
  expect(received.answers).toBe('A');
  line.mend();
  await until(() => received.answers === 'ABC');
});

test.each([
  ['delays', 60_000, Infinity],
  ['limits the rate of', 0, 0.001],
])('%s one direction until it is mended', async (_, delayMs, bytesPerSecond) => {
  line.slow('answers', delayMs, bytesPerSecond);
  client.write('b');
  await until(() => received.requests === 'ab');
  expect(received.answers).toBe('A');
  line.mend();
  await until(() => received.answers === 'AB');
});

test('cuts a client whose answers are kept back after the server has ended', async () => {
  line.hold('answers');
  sockets.forEach((socket) => socket.end('bye'));
  await until(() => sockets.every((socket) => socket.closed));
  const closed = once(client, 'close');
  line.cut();
  await closed;
});

test('resets a connection in the middle of a message', async () => {
  line.resetAfter('requests', 5);
  const reset = once(client, 'error');
  client.write('0123456789');
  const [error] = (await reset) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNRESET');
  expect(received.requests).not.toContain('6');
});

test('counts the bytes until a reset from its call on', async () => {
  await ask('b'.repeat(20), 'B'.repeat(20));
  line.resetAfter('requests', 5);
  await ask('12345', '12345');
  const reset = once(client, 'error');
  client.write('6');
  await reset;
});

test('conveys the end of a connection after the bytes before it', async () => {
  line.hold('requests');
  client.end('b');
  client.destroySoon();
  await once(client, 'close');
  line.mend();
  await until(() => received.requests === 'ab');
});
