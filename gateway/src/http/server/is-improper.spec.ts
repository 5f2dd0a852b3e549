import { expect, test } from '@jest/globals';
import { originForm } from './is-improper.ts';

test.each([
  ['/v1/json/jobs-delete', '/v1/json/jobs-delete'],
  ['/a?b=c', '/a?b=c'],
  ['//a.example/b', '//a.example/b'],
  ['/a/../b%2F', '/a/../b%2F'],
  ['*', '*'],
  ['http://a.example/b?c', '/b?c'],
  ['HTTPS://[::1]:8443/b', '/b'],
  ['http://a.example', '/'],
  ['http://a.example?b', '/?b'],
  ['http://a.example//b', '//b'],
])('the target %s has the path %s', (target, path) => {
  expect(originForm(target)).toBe(path);
});

test.each([
  '',
  'a',
  '/a#b',
  '/a?b#',
  'a.example:443',
  'ftp://a.example/b',
  'http:/b',
  'http:///b',
  'http://:80/b',
  'http://user@a.example/b',
  'http://a.example\\b/c',
  'http://a b/c',
])('%j is no request target', (target) => {
  expect(originForm(target)).toBeUndefined();
});
