import { once } from 'node:events';
import { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { createConnectionLimit, type ConnectionLimitOptions } from './connection-limit.ts';

function limitOf(options: Partial<ConnectionLimitOptions>) {
  const busy = new Set<Socket>();
  let dropped = 0;
  const limit = createConnectionLimit({
    maxConnections: 1_000,
    maxConnectionsPerAddress: 0,
    isProxy: () => false,
    isIdle: (socket) => !busy.has(socket),
    onDropped: () => (dropped += 1),
    ...options,
  });
  const connect = (remoteAddress: string, isBusy = false): Socket => {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
    if (isBusy) busy.add(socket);
    limit(socket);
    return socket;
  };
  return { connect, busy, dropped: () => dropped };
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
  const { connect } = limitOf({ maxConnections: 3, maxConnectionsPerAddress: 1, isProxy: () => true });
  const sockets = Array.from({ length: 4 }, () => connect('192.0.2.7'));
  expect(areOpen(...sockets)).toEqual([true, true, true, false]);
});

test('when all connections are in use, the network with the most gives its oldest idle one to another', async () => {
  const { connect, dropped } = limitOf({ maxConnections: 5 });
  const small = connect('192.0.2.1');
  const many = Array.from({ length: 4 }, (_, index) => connect('192.0.2.2', index === 0));
  const other = connect('192.0.2.3');
  expect(areOpen(other, small, ...many)).toEqual([true, true, true, false, true, true]);
  expect(areOpen(connect('192.0.2.2'))).toEqual([false]);
  expect(dropped()).toBe(2);
  // The closed connection counts no more, and only once.
  if (many[1] !== undefined) await once(many[1], 'close');
  const others = ['192.0.2.4', '192.0.2.5', '192.0.2.6'].map((address) => connect(address));
  expect(areOpen(...others)).toEqual([true, true, false]);
  expect(areOpen(...many)).toEqual([true, false, false, false]);
});

test('a connection in progress is not closed for another', () => {
  const { connect, busy } = limitOf({ maxConnections: 150 });
  const many = Array.from({ length: 150 }, () => connect('192.0.2.2', true));
  expect(areOpen(connect('192.0.2.3'))).toEqual([false]);
  expect(many.every(({ destroyed }) => !destroyed)).toBe(true);
  // The second search begins where the first one ended.
  many.slice(100).forEach((socket) => busy.delete(socket));
  expect(areOpen(connect('192.0.2.3'), ...many.slice(100, 102))).toEqual([true, false, true]);
});

test('networks with as many connections keep them', () => {
  const { connect } = limitOf({ maxConnections: 4 });
  const sockets = ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.2'].map((address) => connect(address));
  expect(areOpen(connect('192.0.2.2'), ...sockets)).toEqual([false, true, true, true, true]);
});

test('a connection from a proxy takes an idle one of a network when all are in use', () => {
  const { connect } = limitOf({ maxConnections: 2, isProxy: (address) => address === '10.0.0.1' });
  const many = [connect('192.0.2.2'), connect('192.0.2.2')];
  expect(areOpen(connect('10.0.0.1'), ...many)).toEqual([true, false, true]);
});
