import { expect, test } from '@jest/globals';
import { isLoopback, isLoopbackAddress } from './loopback.ts';

test.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.1.2.3', '[::1]', '%2Ftmp%2Fmongodb.sock'])(
  '%s is this machine',
  (host) => {
    expect(isLoopback(host)).toBe(true);
    expect(isLoopbackAddress(host)).toBe(true);
  },
);

test('an address of IPv6 without brackets has no port', () => {
  expect(isLoopback('::1')).toBe(true);
});

test.each(['127.0.0.1:9092', 'localhost:27017', '[::1]:27017'])('%s is this machine', (address) => {
  expect(isLoopbackAddress(address)).toBe(true);
});

test.each([
  ...['', '0.0.0.0', '::', '10.0.0.1', 'localhost.example', '127.0.0.1.example', 'my-localhost'],
  ...['128.0.0.1:1', '[::2]:1', 'kafka:9092'],
])('%s is no loopback address', (address) => {
  expect(isLoopbackAddress(address)).toBe(false);
});
