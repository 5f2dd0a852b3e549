import { expect, test } from '@jest/globals';
import { problemOf } from './errors.ts';

test('a problem has the code, the entries and the request id of the answer', () => {
  const errors = [{ code: 'job_not_found', message: 'gone', pointer: '/jobs/job/1' }];
  const body = { code: 'job_not_found', detail: 'One job is gone.', errors, errors_truncated: true };
  const headers = { 'request-id': 'a-request' };
  expect(problemOf(new Response(null, { status: 404, headers }), JSON.stringify(body))).toMatchObject({
    name: 'NotFoundError',
    message: 'One job is gone.',
    status: 404,
    code: 'job_not_found',
    errors,
    errorsTruncated: true,
    requestId: 'a-request',
  });
});

test.each(['', '<html>', '5', '"code"', 'null', '[]', '{"title":"Forbidden"}'])(
  'an answer with the body %j is unexpected',
  (text) => {
    const { code, message, errors, errorsTruncated } = problemOf(new Response(null, { status: 403 }), text);
    expect({ code, message, errors, errorsTruncated }).toStrictEqual({
      code: 'unexpected_answer',
      message: 'The server answered 403.',
      errors: [],
      errorsTruncated: false,
    });
  },
);

test('a problem whose entries are no list has none', () => {
  const { code, errors } = problemOf(new Response(null, { status: 400 }), '{"code":"x","errors":5}');
  expect({ code, errors }).toStrictEqual({ code: 'x', errors: [] });
});
