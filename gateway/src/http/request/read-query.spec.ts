import { expect, test } from '@jest/globals';
import { type Sentence, sentence } from '../../messages/messages.ts';
import { readJobsQuery, readWaitSeconds } from './read-query.ts';

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

test.each([
  ['/v1/jobs', { after: '', limit: 1_000 }],
  ['/v1/jobs?other=1&other=2&After=x', { after: '', limit: 1_000 }],
  ['/v1/jobs?limit=1&after=a', { after: 'a', limit: 1 }],
  ['/v1/jobs??after=a', { after: '', limit: 1_000 }],
  [`/v1/jobs?after=${'Z9'.repeat(64)}&limit=10000`, { after: 'Z9'.repeat(64), limit: 10_000 }],
])('%s is a page', (url, query) => {
  expect(readJobsQuery(url)).toEqual(query);
});

const faultOf = (parameter: 'after' | 'limit', fault: Sentence) => ({
  code: 'query_invalid',
  parameter,
  detail: [fault, sentence(`expect_${parameter}`)],
});
const wrong = (value: string) => sentence('value_wrong', { value });

test.each(['', '0', '10001', '-1', '1.5', '01', '1e3', ' 1', '99999999'])('limit=%s is refused', (text) => {
  const fault = faultOf('limit', wrong(text));
  expect(readJobsQuery(`/v1/jobs?limit=${text}`)).toEqual({ ...fault, errors: [fault] });
});

test.each(['', 'a-b', 'é', 'a b', '$ne'])('after=%s is refused', (text) => {
  const fault = faultOf('after', wrong(text));
  expect(readJobsQuery(`/v1/jobs?after=${encodeURIComponent(text)}`)).toEqual({ ...fault, errors: [fault] });
});

test('an after of 129 characters is refused', () => {
  expect(readJobsQuery(`/v1/jobs?after=${'a'.repeat(129)}`)).toMatchObject({ parameter: 'after' });
});

test('each wrong parameter is named, in the order of the request', () => {
  const limit = faultOf('limit', wrong('x'));
  const after = faultOf('after', sentence('parameter_repeated', { name: 'after', count: 2 }));
  expect(readJobsQuery('/v1/jobs?limit=x&after=a&after=a')).toEqual({ ...limit, errors: [limit, after] });
  expect(readJobsQuery('/v1/jobs?after=a&limit=x&after=a')).toEqual({ ...after, errors: [after, limit] });
  expect(readJobsQuery('/v1/jobs?after=a&limit=x')).toEqual({ ...limit, errors: [limit] });
});
