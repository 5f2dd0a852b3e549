import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { mongoReadFault, mongoWriteFault } from './open-mongo.ts';

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
