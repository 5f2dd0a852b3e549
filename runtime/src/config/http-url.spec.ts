import { expect, test } from '@jest/globals';
import { addressVariable, isServiceUrl } from './http-url.ts';

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
