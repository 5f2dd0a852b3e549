import { expect, test } from '@jest/globals';
import { sentence } from '../../messages/sentences.ts';
import { explainHeader } from './explain-header.ts';

const type = 'application/xml';
const fault = (...values: string[]) => explainHeader('User-Agent', values, type)[0];

test('distinguishes a missing, an empty, a repeated and a wrong header', () => {
  const name = 'User-Agent';
  expect(explainHeader(name, undefined, type)).toEqual([
    sentence('header_missing', { name }),
    sentence('expect_user_agent', { type }),
  ]);
  expect(fault('')).toEqual(sentence('header_empty', { name }));
  expect(fault('a/1', 'b/1', 'c/1')).toEqual(sentence('header_repeated', { name, count: 3 }));
  expect(fault('node')).toEqual(sentence('value_wrong', { value: 'node' }));
});

test('a header that may be repeated is one list', () => {
  expect(explainHeader('Accept-Language', ['de', 'it;q=0.5'], type)[0]).toEqual(
    sentence('value_wrong', { value: 'de, it;q=0.5' }),
  );
  expect(explainHeader('Content-Encoding', ['gzip', 'br'], type)[0]).toEqual(
    sentence('value_wrong', { value: 'gzip, br' }),
  );
});

test('a value is shown as the client wrote it, cut to 64 characters, without credentials', () => {
  expect(fault(Buffer.from('é').toString('latin1'))).toEqual(sentence('value_wrong', { value: 'é' }));
  expect(fault('x'.repeat(4_000))).toEqual(sentence('value_wrong', { value: `${'x'.repeat(64)}…` }));
  expect(fault(`jdt_${'0'.repeat(24)}_${'0'.repeat(64)}`)).toEqual(
    sentence('value_wrong', { value: 'jdt_……' }),
  );
});

test('the expected Content-Type is that of the path', () => {
  expect(explainHeader('Content-Type', undefined, type)[1]).toEqual(
    sentence('expect_content_type', { type }),
  );
});
