import { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { createAddressLimit, proxyCheckOf } from '@jobs-delete/runtime/net/address-limit';
import express from 'express';

const from = (remoteAddress: string): Socket =>
  Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });

test('a trusted proxy has no limit', () => {
  const app = express();
  app.set('trust proxy', ['10.0.0.0/8']);
  const isAdmitted = createAddressLimit({ maxConnections: 1, isProxy: proxyCheckOf(app) });
  for (let count = 0; count < 10; count++) expect(isAdmitted(from('10.1.2.3'))).toBe(true);
  expect([isAdmitted(from('192.0.2.7')), isAdmitted(from('192.0.2.7'))]).toEqual([true, false]);
});

test('without a trusted proxy, no address is one', () => {
  const app = express();
  app.set('trust proxy', false);
  expect(proxyCheckOf(app)('127.0.0.1')).toBe(false);
});
