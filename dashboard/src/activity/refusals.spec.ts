import { expect, test } from '@jest/globals';
import { problemUrl, sumByCode } from './refusals.ts';

const refusal = (code: string, day: string, count: number) => ({ accountId: 'acme', code, day, count });

test('the days of a code add up, and the most frequent code is the first', () => {
  const sums = sumByCode([
    refusal('job_not_found', '2026-01-01', 2),
    refusal('token_invalid', '2026-01-01', 4),
    refusal('job_not_found', '2026-01-03', 3),
    refusal('body_malformed', '2026-01-02', 4),
    { ...refusal('body_malformed', '2026-01-03', 0), sandboxCount: 2 },
    { ...refusal('body_malformed', '2026-01-03', 0), sandboxCount: 5 },
  ]);
  expect(sums).toEqual([
    { code: 'job_not_found', count: 5, sandboxCount: 0, lastDay: '2026-01-03' },
    { code: 'body_malformed', count: 4, sandboxCount: 7, lastDay: '2026-01-03' },
    { code: 'token_invalid', count: 4, sandboxCount: 0, lastDay: '2026-01-01' },
  ]);
});

test('a code cannot lead to another page', () => {
  expect(problemUrl('https://api.example', '../x?y')).toBe('https://api.example/problems/..%2Fx%3Fy');
});
