import { expect, test } from '@jest/globals';
import { addressVariable, isServiceUrl, isLoopback, isLoopbackAddress } from './addresses.ts';

test.each([
  'https://a.example',
  'HTTP://127.0.0.1:80/',
  'http://[::1]:8080/api/v1',
  'https://münchen.example/a',
])('%s is the URL of a service', (url) => expect(isServiceUrl(url)).toBe(true));

test.each([
  ...['', 'a.example', 'ftp://a.example', 'https://', 'https://a b.example', 'https://a.example:x'],
  ...['https://user:password@a.example', 'https://user@a.example', 'https://user:1/word@a.example'],
  ...[
    'https://a.example?b',
    'https://a.example#b',
    'https:\\\\user:password@a.example',
    ' https://a.example',
  ],
])('“%s” is no URL of a service', (url) => expect(isServiceUrl(url)).toBe(false));

test('an address loses its final slash, and has a simple path', () => {
  const variable = addressVariable('must be an address');
  expect(variable.parse('https://a.example/api/')).toBe('https://a.example/api');
  expect(variable.safeParse('https://a.example/%61').success).toBe(false);
});

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
