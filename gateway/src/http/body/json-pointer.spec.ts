import { expect, test } from '@jest/globals';
import { jsonPointer } from './json-pointer.ts';

test('the root is the empty pointer', () => {
  expect(jsonPointer([])).toBe('');
});

test('names and indexes are joined by slashes', () => {
  expect(jsonPointer(['jobs', 'job', 3, 'id'])).toBe('/jobs/job/3/id');
});

test('a tilde and a slash in a name are escaped, the tilde first', () => {
  expect(jsonPointer(['a/b', '~1', ''])).toBe('/a~1b/~01/');
});

test('a long name is cut', () => {
  expect(jsonPointer(['n'.repeat(1_000_000), 'id'])).toBe(`/${'n'.repeat(128)}/id`);
});
