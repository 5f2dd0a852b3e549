import { expect, test } from '@jest/globals';
import { sentence, type Sentence } from '../../messages/sentences.ts';
import { readWaitSeconds } from './read-wait-seconds.ts';

test.each([
  ['/v1/deletions/x', 0],
  ['/v1/deletions/x?', 0],
  ['/v1/deletions/x?other=1', 0],
  ['/v1/deletions/x?wait=0', 0],
  ['/v1/deletions/x?wait=7&other=1', 7],
  ['/v1/deletions/x?other=1&wait=30', 30],
])('%s waits for %i seconds', (url, seconds) => {
  expect(readWaitSeconds(url)).toBe(seconds);
});

const refusal = (fault: Sentence) => ({
  code: 'query_invalid',
  parameter: 'wait',
  detail: [fault, sentence('expect_wait')],
});

test.each(['', '31', '-1', '1.5', '01', '1e1', ' 1', '1s', '99999999999'])('wait=%s is refused', (text) => {
  const fault = sentence('value_wrong', { value: text });
  expect(readWaitSeconds(`/v1/deletions/x?wait=${text}`)).toEqual(refusal(fault));
});

test('a repeated wait is refused', () => {
  const fault = sentence('parameter_repeated', { name: 'wait', count: 2 });
  expect(readWaitSeconds('/v1/deletions/x?wait=1&wait=1')).toEqual(refusal(fault));
});

test('a refusal repeats 64 characters of the value', () => {
  const fault = sentence('value_wrong', { value: `${'9'.repeat(64)}…` });
  expect(readWaitSeconds(`/v1/deletions/x?wait=${'9'.repeat(4_000)}`)).toEqual(refusal(fault));
});
