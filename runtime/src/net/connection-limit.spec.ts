import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { createConnectionLimit, type ConnectionLimitOptions } from './connection-limit.ts';

function limitOf(options: Partial<ConnectionLimitOptions>) {
  let dropped = 0;
  let remotePort = 0;
  const limit = createConnectionLimit({
    maxConnections: 1_000,
    maxConnectionsPerAddress: 0,
    isProxy: () => false,
    onDropped: () => (dropped += 1),
    ...options,
  });
  const connect = (remoteAddress: string): Socket => {
    remotePort += 1;
    const socket = Object.defineProperties(new Socket(), {
      remoteAddress: { value: remoteAddress },
      remotePort: { value: remotePort },
    });
    limit.admit(socket);
    return socket;
  };
  /** Returns a function that ends the answer. */
  const ask = (socket: Socket) => {
    const response = new EventEmitter();
    limit.hold({ socket }, response as ServerResponse);
    return () => response.emit('close');
  };
  return { connect, ask, dropped: () => dropped };
}

const areOpen = (...sockets: readonly Socket[]) => sockets.map(({ destroyed }) => !destroyed);

test('a network has at most its number of open connections, and others have theirs', async () => {
  const { connect, dropped } = limitOf({ maxConnectionsPerAddress: 2 });
  const first = connect('192.0.2.7');
  // The same address in another spelling.
  expect(areOpen(first, connect('::ffff:192.0.2.7'), connect('192.0.2.7'))).toEqual([true, true, false]);
  expect(areOpen(connect('192.0.2.8'))).toEqual([true]);
  expect(dropped()).toBe(1);
  first.destroy();
  await once(first, 'close');
  expect(areOpen(connect('192.0.2.7'), connect('192.0.2.7'))).toEqual([true, false]);
});

test('0 means no limit for a network', () => {
  const { connect } = limitOf({});
  for (let count = 0; count < 100; count++) expect(areOpen(connect('192.0.2.7'))).toEqual([true]);
});

test('a proxy has only the limit of all connections', () => {
  const { connect, ask } = limitOf({
    maxConnections: 3,
    maxConnectionsPerAddress: 1,
    isProxy: () => true,
  });
  const sockets = Array.from({ length: 3 }, () => connect('192.0.2.7'));
  sockets.forEach(ask);
  expect(areOpen(...sockets, connect('192.0.2.7'))).toEqual([true, true, true, false]);
});

test('when all connections are in use, a new one takes the place of the one that is idle for the longest time', async () => {
  const { connect, ask, dropped } = limitOf({ maxConnections: 4 });
  const busy = connect('192.0.2.1');
  const used = connect('192.0.2.2');
  const unused = connect('192.0.2.3');
  const young = connect('192.0.2.4');
  ask(busy);
  ask(used)();
  expect(areOpen(connect('192.0.2.5'), busy, used, unused, young)).toEqual([true, true, true, false, true]);
  await once(unused, 'close');
  expect(areOpen(connect('192.0.2.6'), busy, used, young)).toEqual([true, true, true, false]);
  expect(areOpen(connect('192.0.2.7'), busy, used)).toEqual([true, true, false]);
  expect(dropped()).toBe(3);
});

test('a connection with a request in progress is not closed for another', async () => {
  const { connect, ask } = limitOf({ maxConnections: 2 });
  const [one, two] = [connect('192.0.2.2'), connect('192.0.2.2')];
  const endOne = ask(one);
  const [endFirst, endSecond] = [ask(two), ask(two)];
  expect(areOpen(connect('192.0.2.3'), one, two)).toEqual([false, true, true]);
  one.destroy();
  await once(one, 'close');
  endOne();
  endFirst();
  const other = connect('192.0.2.3');
  expect(areOpen(other, connect('192.0.2.4'), two)).toEqual([false, true, true]);
  endSecond();
  expect(areOpen(connect('192.0.2.5'), connect('192.0.2.6'), two)).toEqual([true, true, false]);
});

test('a connection that a limit closes gives its permit back', async () => {
  const { connect } = limitOf({ maxConnections: 1, maxConnectionsPerAddress: 1 });
  const first = connect('192.0.2.1');
  connect('192.0.2.2');
  await once(first, 'close');
  expect(areOpen(first, connect('192.0.2.1'))).toEqual([false, true]);
});
