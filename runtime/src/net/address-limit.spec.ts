import { once } from 'node:events';
import { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { createAddressLimit } from './address-limit.ts';

const from = (remoteAddress: string): Socket =>
  Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
const noProxy = () => false;

test('a network has at most its number of open connections, and others have theirs', async () => {
  const isAdmitted = createAddressLimit({ maxConnections: 2, isProxy: noProxy });
  const first = from('192.0.2.7');
  expect(isAdmitted(first)).toBe(true);
  // The same address in another spelling.
  expect(isAdmitted(from('::ffff:192.0.2.7'))).toBe(true);
  expect(isAdmitted(from('192.0.2.7'))).toBe(false);
  expect(isAdmitted(from('192.0.2.8'))).toBe(true);
  first.destroy();
  await once(first, 'close');
  expect(isAdmitted(from('192.0.2.7'))).toBe(true);
  expect(isAdmitted(from('192.0.2.7'))).toBe(false);
});

test('0 means no limit', () => {
  const isAdmitted = createAddressLimit({ maxConnections: 0, isProxy: noProxy });
  for (let count = 0; count < 100; count++) expect(isAdmitted(from('192.0.2.7'))).toBe(true);
});
