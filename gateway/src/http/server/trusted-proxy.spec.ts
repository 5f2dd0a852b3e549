import { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { createConnectionLimit } from '@jobs-delete/runtime/net/connection-limit';
import { networkOf, proxyCheckOf, trustProxies } from '@jobs-delete/runtime/net/remote-address';
import express from 'express';

const from = (remoteAddress: string): Socket =>
  Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });

test('a trusted proxy has no limit', () => {
  const app = express();
  trustProxies(app, ['10.0.0.0/8']);
  const limit = createConnectionLimit({
    maxConnections: 100,
    maxConnectionsPerAddress: 1,
    isProxy: proxyCheckOf(app),
  });
  const isAdmitted = (remoteAddress: string) => {
    const socket = from(remoteAddress);
    limit.admit(socket);
    return !socket.destroyed;
  };
  for (let count = 0; count < 10; count++) expect(isAdmitted('10.1.2.3')).toBe(true);
  expect([isAdmitted('192.0.2.7'), isAdmitted('192.0.2.7')]).toEqual([true, false]);
});

test('without a trusted proxy, no address is one', () => {
  const app = express();
  trustProxies(app, undefined);
  expect(proxyCheckOf(app)('127.0.0.1')).toBe(false);
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7:1234', '192.0.2.7'],
  ['192.0.2.7:1234, 10.9.9.9:5678', '192.0.2.7'],
  ['[2001:db8::1]:1234, 10.9.9.9', '2001:db8:0:0::/64'],
  // Only the part that a trusted proxy has written counts.
  ['198.51.100.1, 192.0.2.7:1234', '192.0.2.7'],
  ['unknown', 'unknown'],
])('behind a trusted proxy, X-Forwarded-For: %s is the network %s', (forwarded, network) => {
  const app = express();
  trustProxies(app, ['10.0.0.0/8']);
  const request = Object.create(app.request) as express.Request;
  Object.assign(request, { app, socket: from('10.1.2.3'), headers: { 'x-forwarded-for': forwarded } });
  expect(networkOf(request.ip)).toBe(network);
});
