import { describe, expect, test } from '@jest/globals';
import type { Refusal } from '../answer/refusal.ts';
import { sentence } from '../../messages/messages.ts';
import { checkJobIds as checkJobList, idPointer } from './check-job-ids.ts';
import { aNumber } from './read-json-jobs.ts';

const checkJobIds = (ids: readonly unknown[], maxJobs: number) =>
  checkJobList({ ids: [...ids], count: ids.length }, maxJobs);
const refusalOf = (ids: readonly unknown[], maxJobs: number) => checkJobIds(ids, maxJobs) as Refusal;

describe('checkJobIds', () => {
  test('accepts ids of 4 to 128 letters and digits, and distinguishes letter case', () => {
    const ids = ['ABCD', 'abcd', 'x'.repeat(128), '0123'];
    expect(checkJobIds(ids, 10)).toEqual(ids);
  });

  test.each([
    [undefined, 'id_absent'],
    [null, 'id_null'],
    ['', 'id_empty'],
  ] as const)('%p counts as a missing id', (id, reason) => {
    expect(checkJobIds([id], 10)).toEqual({
      code: 'job_id_required',
      errors: [{ code: 'job_id_required', pointer: '/jobs/job/0/id', detail: [sentence(reason)] }],
    });
  });

  test.each([
    ['ABC', sentence('id_length', { count: 3 })],
    ['x'.repeat(129), sentence('id_length', { count: 129 })],
    ['ABC-123', sentence('id_character', { found: '-', position: 4 })],
    ['ÄBCD', sentence('id_character', { found: 'Ä', position: 1 })],
    ['ＡＢＣＤ', sentence('id_character', { found: 'Ａ', position: 1 })],
    ['AB😀', sentence('id_character', { found: '😀', position: 3 })],
    ['A\u0000CD', sentence('id_character', { found: 'U+0000', position: 2 })],
    ['AB\u200bCD', sentence('id_character', { found: 'U+200B', position: 3 })],
    [' ABCD', sentence('id_white_space', { position: 1 })],
    ['ABCD\n', sentence('id_white_space', { position: 5 })],
    ['AB\u00a0CD', sentence('id_white_space', { position: 3 })],
  ])('%j is malformed, and the refusal names it and the reason', (id, reason) => {
    expect(checkJobIds([id], 10)).toEqual({
      code: 'job_id_malformed',
      errors: [{ code: 'job_id_malformed', pointer: '/jobs/job/0/id', jobId: id, detail: [reason] }],
    });
  });

  test.each([
    [aNumber, 'id_is_number'],
    [true, 'id_not_a_string'],
    [Symbol('id'), 'id_not_a_string'],
    [['ABCD'], 'id_not_a_string'],
  ] as const)('%p is malformed, and not converted', (id, reason) => {
    expect(refusalOf([id], 10).errors).toEqual([
      { code: 'job_id_malformed', pointer: '/jobs/job/0/id', detail: [sentence(reason)] },
    ]);
  });

  test('names every repetition of an id except the first', () => {
    const refusal = refusalOf(['ABCD', 'EFGH', 'ABCD', 'ABCD'], 10);
    expect(refusal.code).toBe('job_id_duplicated');
    const detail = [sentence('id_duplicated', { entry: 1, pointer: idPointer(0) })];
    expect(refusal.errors).toEqual([
      { code: 'job_id_duplicated', pointer: idPointer(2), jobId: 'ABCD', detail },
      { code: 'job_id_duplicated', pointer: idPointer(3), jobId: 'ABCD', detail },
    ]);
  });

  test('names one fault for each entry in the order of the request, with the code of the first', () => {
    const refusal = refusalOf(['ABCD', 'A-', 'A-', 'ABCD', null], 10);
    expect(refusal.code).toBe('job_id_malformed');
    expect(refusal.errors?.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['job_id_malformed', '/jobs/job/1/id'],
      ['job_id_malformed', '/jobs/job/2/id'],
      ['job_id_duplicated', '/jobs/job/3/id'],
      ['job_id_required', '/jobs/job/4/id'],
    ]);
  });

  test('refuses more ids than the limit without checking the ids', () => {
    expect(checkJobIds(['ABCD', 'EFGH'], 2)).toEqual(['ABCD', 'EFGH']);
    const detail = [sentence('jobs_exceeded', { count: 7, limit: 2, requests: 4 })];
    expect(checkJobList({ ids: ['ABCD', '', 'ABCD'], count: 7 }, 2)).toEqual({
      code: 'too_many_jobs',
      errors: [{ code: 'too_many_jobs', pointer: '/jobs/job', detail }],
    });
  });

  test('names a hundred faults and marks the rest as truncated', () => {
    expect(refusalOf(Array<string>(100).fill(''), 1000)).not.toHaveProperty('truncated');
    const refusal = refusalOf(Array<string>(101).fill(''), 1000);
    expect(refusal.errors).toHaveLength(100);
    expect(refusal.truncated).toBe(true);
  });
});
