import { expect, test } from '@jest/globals';
import { checkNames, requestChecks } from './request-checks.ts';
import type { SandboxAnswer } from './send-request.ts';

function answer(status: number, body: object | string): SandboxAnswer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { kind: 'answered', statusLine: `HTTP/1.1 ${String(status)}`, status, headers: [], body: text };
}

/** Returns one character for each check: passed, failed or not reached. */
function outcomes(of: SandboxAnswer): string {
  const marks = { passed: '+', failed: 'x', 'not-reached': '-' };
  return requestChecks(of)
    .map(({ outcome }) => marks[outcome])
    .join('');
}

test.each([
  ['authentication_required', 'x--------'],
  ['token_invalid', 'x--------'],
  ['secret_key_invalid', '+x-------'],
  ['origin_not_allowed', '++x------'],
  ['job_not_found', '+++++++x-'],
  ['deletion_limit_exceeded', '++++++++x'],
  ['body_malformed', '+++++++x-'],
  ['too_many_requests', '---------'],
  ['unavailable', '---------'],
  ['another_code', '---------'],
])('the problem %s gives %s', (code, marks) => {
  expect(outcomes(answer(400, { code }))).toBe(marks);
});

test('a problem of headers names each that failed', () => {
  const errors = [{ header: 'Accept-Language', detail: 'Send fr.' }, { header: 'X-Client-Lang' }];
  const checks = requestChecks(answer(400, { code: 'header_invalid', errors }));
  expect(checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([
    { name: 'Accept-Language', outcome: 'failed', detail: 'Send fr.' },
    { name: 'X-Client-Lang', outcome: 'failed' },
    { name: 'ids', outcome: 'not-reached' },
    { name: 'limit', outcome: 'not-reached' },
  ]);
});

test('every check has passed if the API accepts the request', () => {
  const checks = requestChecks(answer(200, {}));
  expect(checks).toEqual(checkNames.map((name) => ({ name, outcome: 'passed' })));
});

test.each(['<html>', '[]', '{"code":1}'])(
  'no check is reached by an answer that is no problem: %s',
  (body) => {
    expect(outcomes(answer(502, body))).toBe('---------');
  },
);

test('no check is reached without an answer', () => {
  expect(outcomes({ kind: 'no-answer' })).toBe('---------');
});
