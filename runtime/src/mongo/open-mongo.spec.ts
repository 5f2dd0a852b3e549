import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, jest, test } from '@jest/globals';
import { mongoRead, mongoReadFault, mongoWrite, mongoWriteFault } from './open-mongo.ts';

afterEach(() => void jest.useRealTimers());

/** Connects two sockets and breaks their connection. Resolves with the client's error. */
async function errorAfter(breakIt: (server: Socket, client: Socket) => Promise<unknown>): Promise<unknown> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const accepted = once(listener, 'connection') as Promise<[Socket]>;
  const client = connect((listener.address() as AddressInfo).port, '127.0.0.1');
  await once(client, 'connect');
  const [server] = await accepted;
  const failed = new Promise((resolve) => client.on('error', resolve));
  await breakIt(server, client);
  const error = await Promise.race([failed, new Promise((resolve) => client.write('a command', resolve))]);
  client.destroy();
  server.destroy();
  listener.close();
  return error;
}

test.each<[string, Promise<unknown>]>([
  [
    'the server ended the connection',
    errorAfter((server, client) => {
      const ended = once(client.resume(), 'end');
      server.end();
      return ended;
    }),
  ],
  [
    'the server reset the connection',
    errorAfter((server, client) => {
      const reset = once(client, 'error');
      server.resetAndDestroy();
      return reset;
    }),
  ],
  ['the driver destroyed the socket', errorAfter((_, client) => Promise.resolve(client.destroy()))],
])('a write fails with a transient error after %s', async (_, failing) => {
  const error = await failing;
  expect(mongoReadFault(error)).toMatchObject({ code: 'unavailable' });
  expect(mongoWriteFault(error)).toMatchObject({ code: 'unknown-outcome' });
});

test('an error that is not about the connection is internal', () => {
  expect(mongoReadFault(new Error('no such field'))).toMatchObject({ code: 'internal' });
});

test('a call that does not answer in time fails with a transient error', async () => {
  jest.useFakeTimers();
  const outcomes: unknown[] = [];
  const hang = () => new Promise<never>(() => undefined);
  for (const call of [mongoRead(hang, 10), mongoWrite(hang, 10)])
    call.catch((error: unknown) => outcomes.push(error));
  await jest.advanceTimersByTimeAsync(9);
  expect(outcomes).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  const message = 'MongoDB: no answer within 10 ms';
  expect(outcomes).toMatchObject([
    { code: 'unavailable', message },
    { code: 'unknown-outcome', message },
  ]);
});

test('a call that throws at once rejects', async () => {
  const fail = () => {
    throw new Error('not connected');
  };
  await expect(mongoRead(fail)).rejects.toMatchObject({ code: 'internal' });
});
