import { expect, test } from '@jest/globals';
import { sentence } from '../../messages/messages.ts';
import { decodeBody } from './read-body.ts';

test('an absent body is refused with the likely cause', () => {
  expect(decodeBody(Buffer.alloc(0))).toMatchObject({
    code: 'body_malformed',
    errors: [{ pointer: '', detail: [sentence('body_absent')] }],
  });
});

test.each([
  ['Latin-1', Buffer.from('é', 'latin1')],
  ['UTF-16', Buffer.from('\ufeff{}', 'utf16le')],
  ['an overlong encoding', Buffer.from([0xc0, 0xaf])],
  ['an encoded surrogate', Buffer.from([0xed, 0xa0, 0x80])],
  ['a character cut in two', Buffer.from('é').subarray(0, 1)],
])('%s is refused', (_, body) => {
  expect(decodeBody(body)).toMatchObject({
    code: 'body_malformed',
    errors: [{ pointer: '', detail: [sentence('body_not_utf8')] }],
  });
});

test('a byte-order mark stays in the text', () => {
  expect(decodeBody(Buffer.from('\ufeff{}'))).toBe('\ufeff{}');
});
